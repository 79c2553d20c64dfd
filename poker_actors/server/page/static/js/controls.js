// The player's controls, by mouse and keys: fold, check or call, bet or raise with slider, presets and a number.

import { bounds, complaint, fromSlider, stepped, toSlider } from "./bets.js";
import { card } from "./cards.js";
import { el, say, show } from "./dom.js";
import { Laying } from "./laying.js";
import { blindsOwed, cardName, chips } from "./words.js";

const key = (letter) => el("kbd", { "aria-hidden": "true" }, letter);

/**
 * The controls: they call `act(act, more)` with the player's action, `plan(which)` with one chosen before the turn,
 * `pending(rows)` with cards about to be laid, and `seat(what)` to leave after the hand, to stay, to show one's cards, to top up,
 * or to post the blinds one owes or wait for the big one.
 */
export class Controls {
  constructor(act, plan, pending, seat) {
    this.act = act;
    this.tellPlan = plan;
    this.legal = null;
    this.limits = null;
    this.turn = undefined; // differs from null, "no turn", so that the first picture draws everything
    const button = (kind, letter, pressed) => {
      const label = el("span", {});
      const node = el("button", { type: "button", class: `act ${kind}`, "aria-keyshortcuts": letter, on: { click: pressed } }, label, key(letter));
      return { node, label };
    };
    this.fold = button("fold", "F", () => this.decide("fold"));
    this.call = button("call", "C", () => this.passive());
    this.raise = button("raise", "R", () => this.confirm());
    this.slider = el("input", {
      type: "range", min: 0, max: 1000, step: 1, "aria-label": "Amount", class: "slider",
      on: { input: () => this.choose(fromSlider(this.limits, this.slider.valueAsNumber)), keydown: (event) => this.adjust(event) },
    });
    this.number = el("input", {
      type: "text", inputmode: "numeric", pattern: "[0-9,.' ]*", autocomplete: "off", "aria-label": "Bet or raise to, in chips", class: "number",
      on: { input: () => this.typed(), keydown: (event) => this.adjust(event), focus: () => this.number.select() },
    });
    this.wrong = el("span", { class: "wrong", role: "alert", hidden: true });
    this.presets = el("div", { class: "presets", role: "group", "aria-label": "Amounts" });
    this.amounts = el("div", { class: "amounts" }, this.presets, el("div", { class: "sliding" }, this.slider, this.number), this.wrong);
    this.thrown = new Set();
    this.throws = el("div", { class: "throws", role: "group", "aria-label": "Cards to throw away", hidden: true });
    this.laying = new Laying((rows) => {
      pending(rows);
      this.countLaid();
    });
    this.acts = el("div", { class: "acts", role: "group", "aria-label": "Your action" }, this.fold.node, this.call.node, this.raise.node);
    const early = (which, text) => el("button", {
      type: "button", class: "early", "aria-pressed": "false", on: { click: () => this.choosePlan(this.planned === which ? null : which) },
    }, text);
    this.planned = null; // the plan by which the server takes the player's next turn in this hand
    this.plans = { check_fold: early("check_fold", "Check or fold"), call_any: early("call_any", "Call any") };
    this.last = el("button", {
      type: "button", class: "early", "aria-pressed": "false", on: { click: () => seat(this.leaves ? "stay" : "leave_after_hand") },
    }, "Leave after hand");
    this.early = el("div", { class: "earlier", role: "group", "aria-label": "Before your turn" }, ...Object.values(this.plans), this.last);
    this.showing = el("button", { type: "button", class: "early", on: { click: () => seat("show") } }, "Show my cards");
    this.topUp = el("button", { type: "button", class: "early", on: { click: () => seat("top_up") } }, "Top up");
    this.post = el("button", { type: "button", class: "early", on: { click: () => seat("sit_in") } });
    this.wait = el("button", { type: "button", class: "early", on: { click: () => seat("wait_for_big_blind") } }, "Wait for the big blind");
    this.after = el("div", { class: "earlier", role: "group", "aria-label": "Between hands", hidden: true }, this.post, this.wait, this.showing, this.topUp);
    this.prompt = el("p", { class: "prompt" });
    this.holding = el("p", { class: "holding" });
    this.node = el("section", { class: "controls", "aria-label": "Your turn" }, el("div", { class: "heading" }, this.prompt, this.holding), this.early, this.after, this.amounts, this.throws, this.laying.node, this.acts);
    this.set(null, "");
  }

  /** Show the legal actions of a picture; with null, only the words. */
  set(picture, words) {
    this.legal = picture?.you?.legal ?? null;
    this.limits = picture === null ? null : bounds(picture);
    this.stack = picture?.seats.find((seat) => seat.seat === picture.you?.seat)?.stack ?? 0;
    const turn = this.legal === null ? null : `${picture.hand_id} ${picture.seq}`;
    const fresh = turn !== this.turn;
    this.turn = turn;
    say(this.prompt, words);
    this.node.classList.toggle("idle", this.legal === null);
    this.fold.node.disabled = this.legal === null || !this.legal.fold;
    const lays = Boolean(this.legal?.lay);
    const draws = (this.legal?.discards ?? 0) > 0 || lays;
    this.node.classList.toggle("laying", lays);
    this.call.node.disabled = this.legal === null || !(draws || this.legal.check || this.legal.call !== null);
    this.raise.node.disabled = this.limits === null;
    // a single size, as in limit games, leaves nothing to choose
    this.fixed = this.limits !== null && this.limits.min === this.limits.max && this.limits.min < this.limits.allIn;
    show(this.amounts, !draws && !this.fixed && (this.legal === null || this.limits !== null));
    show(this.throws, draws && !lays);
    for (const input of [this.slider, this.number]) input.disabled = this.limits === null;
    say(this.fold.label, "Fold");
    say(this.call.label, this.legal === null || this.legal.check ? "Check" : this.callText());
    if (fresh) this.begin();
    if (!lays) this.laying.hide();
    else if (fresh) this.laying.offer(picture.you.cards, this.legal.lay);
    else this.countLaid();
    if (draws && !lays) {
      if (fresh) this.offer(picture.you.cards);
      this.count();
    }
  }

  /** Choose a plan for the next turn and send it to the server; null cancels it. */
  choosePlan(which) {
    this.plan(which);
    this.tellPlan(which);
  }

  /** Show a plan as chosen, without sending it. */
  plan(which) {
    this.planned = which;
    for (const [name, node] of Object.entries(this.plans)) node.setAttribute("aria-pressed", String(name === which));
  }

  /** Show or hide the plans, and what is left to do after a hand; `live`: the player is in this hand and may still plan. */
  settle(hand, live, you) {
    this.leaves = Boolean(you?.leaves);
    this.last.setAttribute("aria-pressed", String(this.leaves));
    say(this.holding, you?.hand ?? "");
    const missing = you?.top_up ?? 0;
    show(this.showing, Boolean(you?.may_show));
    show(this.topUp, missing > 0);
    if (missing > 0) say(this.topUp, `Top up ${chips(missing)}`);
    this.settleOwing(you);
    const after = Boolean(you?.may_show || you?.owes) || missing > 0;
    show(this.after, after);
    if (after) show(this.amounts, false);
    if (hand !== this.hand || this.legal !== null) this.plan(null); // a plan is for one turn of one hand
    this.hand = hand;
    show(this.early, live && this.legal === null);
    if (live && this.legal === null) show(this.amounts, false); // the plans take their place, so that the table does not move
  }

  /** Offer to post the blinds one owes with the next hand, or to be dealt in with the big blind; what will be is pressed. */
  settleOwing(you) {
    const owes = you?.owes ?? null;
    for (const button of [this.post, this.wait]) show(button, owes !== null);
    if (owes === null) return;
    say(this.post, `Post ${blindsOwed(owes)}`);
    this.post.setAttribute("aria-pressed", String(!you.away && !owes.waits));
    this.wait.setAttribute("aria-pressed", String(!you.away && owes.waits));
  }

  /** Offer the player's cards for a discard, one button each. */
  offer(cards) {
    this.thrown.clear();
    this.throws.replaceChildren(...cards.map((text) => {
      const node = el("button", {
        type: "button", class: "throw", "aria-pressed": "false", "aria-label": cardName(text),
        on: {
          click: () => {
            if (!this.thrown.delete(text)) this.thrown.add(text);
            node.setAttribute("aria-pressed", String(this.thrown.has(text)));
            this.count();
          },
        },
      }, card(text));
      return node;
    }));
  }

  /** Label the middle button for a discard of the chosen cards. */
  count() {
    const { discards, must_discard: must } = this.legal;
    const number = this.thrown.size;
    const cards = number === 1 ? "card" : "cards";
    say(this.call.label, must ? `Give up ${must} ${must === 1 ? "card" : "cards"}` : number ? `Discard ${number} ${cards}` : "Stand pat");
    this.call.node.disabled = must ? number !== must : number > discards;
  }

  /** Label the middle button for laying the cards placed so far. */
  countLaid() {
    if (!this.legal?.lay) return;
    say(this.call.label, this.laying.words);
    this.call.node.disabled = !this.laying.ready;
  }

  /** Do what the middle button says: check, call, bring in, discard the chosen cards, or lay the placed ones. */
  passive() {
    const legal = this.legal;
    if (legal === null) return;
    if (legal.lay) {
      if (this.laying.ready) this.decide("lay", { rows: this.laying.laid });
    } else if (legal.discards) {
      if (!this.call.node.disabled) this.decide("discard", { cards: [...this.thrown] });
    } else if (legal.bring_in) this.decide("bring_in");
    else this.decide(legal.check ? "check" : "call");
  }

  callText() {
    if (this.legal.bring_in) return `Bring in ${chips(this.legal.bring_in)}`;
    const call = this.legal.call ?? this.legal.to_call;
    return `Call ${chips(call)}${call >= this.stack ? ", all-in" : ""}`;
  }

  begin() {
    const limits = this.limits;
    const none = this.fixed || (this.legal?.discards ?? 0) > 0 || Boolean(this.legal?.lay);
    this.presets.replaceChildren(...(none ? [] : limits?.presets ?? [["Min"], ["½ pot"], ["Pot"], ["All-in"]]).map(([name, amount], place) =>
      el("button", {
        type: "button", class: "preset", disabled: limits === null, "aria-keyshortcuts": place + 1,
        on: { click: () => this.choose(amount) },
      }, name, ...(amount === undefined ? [] : [" ", el("b", {}, chips(amount))]))));
    if (limits !== null) this.choose(limits.min);
    else {
      say(this.raise.label, "Raise");
      this.number.value = "";
      this.slider.value = 0;
      this.mark("");
    }
  }

  choose(amount) {
    if (this.limits === null) return;
    this.number.value = chips(amount);
    this.refresh(amount);
  }

  typed() {
    const text = this.number.value.replaceAll(/[\s,.']/g, "");
    this.refresh(/^\d+$/.test(text) ? Number(text) : Number.NaN);
  }

  refresh(amount) {
    this.amount = amount;
    const wrong = complaint(this.limits, amount);
    this.mark(wrong);
    this.raise.node.disabled = wrong !== "";
    if (wrong) return;
    this.slider.value = toSlider(this.limits, amount);
    this.slider.setAttribute("aria-valuetext", chips(amount));
    const all = amount === this.limits.allIn;
    say(this.raise.label, all ? `All-in ${chips(amount)}` : `${this.limits.opening ? "Bet" : "Raise to"} ${chips(amount)}`);
  }

  mark(wrong) {
    say(this.wrong, wrong);
    show(this.wrong, wrong !== "");
    this.number.setAttribute("aria-invalid", String(wrong !== ""));
  }

  confirm() {
    if (this.limits !== null && complaint(this.limits, this.amount) === "") this.decide("raise_to", { amount: this.amount });
  }

  decide(act, more = {}) {
    if (this.legal === null) return;
    if (act === "fold" && !this.legal.fold) return;
    if (act === "call" && this.legal.call === null) return;
    this.legal = null; // a second click must not act again; the next picture brings new legal actions
    for (const button of [this.fold, this.call, this.raise]) button.node.disabled = true;
    if (this.amounts.contains(document.activeElement)) document.activeElement.blur();
    this.act(act, more);
  }

  /** Handle keys in the slider and the number: arrows adjust, Enter confirms, Escape leaves. */
  adjust(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -5, ArrowUp: 5, PageDown: -20, PageUp: 20 }[event.key];
    if (steps !== undefined && this.limits !== null) this.choose(stepped(this.limits, this.amount || this.limits.min, steps));
    else if (event.key === "Enter") this.confirm();
    else if (event.key === "Escape") event.currentTarget.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Handle a key pressed anywhere at the table; return whether it did something. */
  pressed(pressed) {
    if (this.legal === null) return false;
    const preset = this.limits?.presets[Number(pressed) - 1];
    if (this.legal.lay && this.laying.pressed(pressed)) return true;
    if (pressed === "f") this.decide("fold");
    else if (pressed === "c") this.passive();
    else if (pressed === "r" && this.fixed) this.confirm();
    else if (pressed === "r" && this.limits !== null) this.number.focus();
    else if (preset !== undefined && !this.fixed) {
      this.choose(preset[1]);
      this.number.focus();
    } else return false;
    return true;
  }
}
