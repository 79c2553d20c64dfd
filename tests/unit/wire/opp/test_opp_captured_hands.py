"""Captures become hand histories: every connection is kept, and the rules agree with every hand."""

import io
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import dpkt
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.errors import BadInput, MissingExtra
from poker_actors.history import HandHistory, histories, replay
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, RaiseTo, Stakes
from poker_actors.wire.opp import (
    Finding,
    Guest,
    MemoryAccounts,
    Message,
    Op,
    OppClient,
    OppServer,
    Side,
    TableOptions,
    encode,
    message,
    read_capture,
    running,
)
from poker_actors.wire.opp.captures import CapturedHands, capture_line
from poker_actors.wire.opp.server.telling import Chunk, HandTelling, PerlProfile, Row, chunk
from tests.warm import CommandLine


def bot_plays(place: tuple[str, int], user: str, bot: str, hands: int) -> None:
    with OppClient(*place, user, "pw") as client, Room(StepRuntime(), seed=len(user)) as room:
        assert client.joingame()
        Guest(room.player(user, bot), client).play(hands)


def captured(capture: Path, users: dict[str, str], hands: int, *, credit: bool) -> None:
    """Play through the proxy of the command, which saves what it hears."""
    options = TableOptions(credit=credit, buy_in=150)
    with (
        Room(StepRuntime(), seed=3) as room,
        running(OppServer(room, options=options, accounts=MemoryAccounts(2))) as server,
    ):
        host, port = server.address
        files = ("--save", str(capture), "--json", str(capture) + ".json")
        proxy = CommandLine("opp", "dump", f"{host}:{port}", *files, stdout=subprocess.DEVNULL)
        assert proxy.stderr is not None
        place = ("127.0.0.1", int(proxy.stderr.readline().rpartition(":")[2]))
        players = [
            threading.Thread(target=bot_plays, args=(place, user, bot, hands)) for user, bot in users.items()
        ]
        for player in players:
            player.start()
        for player in players:
            player.join(120)
        proxy.kill()
        proxy.communicate()


@pytest.mark.parametrize("credit", [False, True], ids=["chips", "credit"])
def test_every_hand_of_a_capture_is_a_history_that_the_rules_agree_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], credit: bool
) -> None:
    capture, target = tmp_path / "session.hex", tmp_path / "hands.phhs"
    captured(capture, {"ann": "random", "bob": "random"}, 30, credit=credit)
    assert {"> ", "2>", "< ", "2<"} <= {line[:2] for line in capture.read_text("ascii").splitlines()}
    assert main(["opp", "dump", str(capture), "--to", str(target)]) == 0
    assert "wrote" in capsys.readouterr().err
    found: list[HandHistory] = list(histories(target))
    assert len(found) >= 30
    both_seen = 0
    for history in found:
        assert history.finishing == (replayed := replay(history)).final_stacks
        assert replayed.hand.over
        both_seen += "?" not in "".join(map(str, [card for hole in history.holes for card in hole]))
    assert both_seen >= 29, "the hole cards of both connections are in one history"


def test_a_file_that_is_there_is_overwritten_only_by_force_and_never_the_capture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "session.hex"
    capture.write_text("< 00000015 00000000\n", encoding="ascii")
    assert main(["opp", "dump", str(capture), "--to", str(tmp_path / "hands.phhs")]) == 2
    assert "has no complete hand (0 unfinished" in capsys.readouterr().err
    (tmp_path / "hands.phhs").write_text("mine", encoding="utf-8")
    assert main(["opp", "dump", str(capture), "--to", str(tmp_path / "hands.phhs")]) == 2
    assert "--force overwrites it" in capsys.readouterr().err
    assert (tmp_path / "hands.phhs").read_text("utf-8") == "mine"
    assert main(["opp", "dump", str(capture), "--to", str(capture), "--force"]) == 2
    assert main(["opp", "dump", "127.0.0.1:1", "--to", "hands.phhs"]) == 2
    assert capture.read_text("ascii").startswith("< ")


# -- captures made by hand, with what is wrong in them ----------------------------------------------

NAMES = ("ann", "bob", "cy")
BET = 10


def told(seed: int) -> Iterator[tuple[int, Chunk]]:
    """A limit hand between three players at random, as (seat, what it is told) piece by piece."""
    luck = random.Random(seed)
    hand = Hand([400] * 3, Stakes(BET // 2, BET), deck=Deck.seeded(seed), game=GAMES["limit-holdem"])
    telling = HandTelling(hand.public(), [Row(name, 400, 0) for name in NAMES], seed)
    for seat in range(3):
        yield seat, telling.start(seat) + telling.opening + telling.hole(seat, hand.holes[seat])
    while True:
        public = hand.public()
        said = telling.advance(public) + telling.next(public)
        for seat in range(3):
            yield seat, said
        if hand.over:
            return
        legal = hand.legal
        if luck.random() < 0.5 and legal.can_raise:
            hand.act(RaiseTo(legal.min_raise_to))
        elif luck.random() < 0.2 and legal.to_call:
            hand.act(Fold())
        else:
            hand.act(Call() if legal.to_call else Check())


def capture_of(
    hands: range, spoilt: dict[int, tuple[Any, ...]] | None = None, perl: tuple[int, ...] = ()
) -> str:
    """A capture of three connections. `spoilt` messages are said to seat 0 in the middle of the hands of that number;
    seats of `perl` are Games::Poker::OPP clients, and told what these are told."""
    profiles = {seat: PerlProfile(NAMES[seat]) for seat in perl}
    lines = []
    for seat, name in enumerate(NAMES):
        program = "Games::Poker::OPP 1.0" if seat in perl else "poker_actors"
        join = encode(message(Op.JOIN_GAME, name, "pw", 1, program))
        lines += [
            capture_line(seat + 1, Side.CLIENT, join),
            capture_line(seat + 1, Side.SERVER, encode(message(Op.GOODPASS))),
        ]
    for number in hands:
        for count, (seat, said) in enumerate(told(number)):
            pieces = [profiles[seat].put(said) if seat in perl else said]
            if seat == 0 and count == 3 and spoilt and number in spoilt:
                pieces.append(chunk(*spoilt[number]))
            lines += [capture_line(seat + 1, Side.SERVER, piece.data) for piece in pieces]
    return "".join(lines)


def collected(capture: str) -> tuple[CapturedHands, list[HandHistory]]:
    hands = CapturedHands()
    for finding in read_capture(capture.encode()):
        hands.hear(finding)
    return hands, list(hands.histories())


BAD = {
    3: (Op.CALL, 99, 10),
    5: (Op.FOLD, -1, 0),
    7: (Op.WINNERS, 1, ((99, 10),)),
    9: (Op.HOLE_CARDS, 1, "Xx 9?"),
    11: (Op.NEW_STAGE, 1, "Ah Ad"),
    13: (Op.RAISE, 2, -5),
}


def test_a_message_that_no_hand_can_have_spoils_its_hand_alone() -> None:
    hands, good = collected(capture_of(range(1, 21), {}))
    assert (len(good), hands.damaged, hands.unfinished, hands.retold) == (20, 0, 0, 0)
    only_ann = capture_of(range(1, 21), BAD)
    only_ann = "".join(line for line in only_ann.splitlines(True) if line[0] in "<>")
    hands, kept = collected(only_ann)
    assert hands.damaged == len(BAD)
    assert hands.refused.total() == len(BAD)
    numbers = [history.fields["hand"] for history in kept]
    assert numbers == [number for number in range(1, 21) if number not in BAD]
    by_number = {history.fields["hand"]: history for history in good}
    for history in kept:
        assert history.finishing == by_number[history.fields["hand"]].finishing


def test_a_hand_spoilt_on_one_connection_is_taken_from_another() -> None:
    hands, kept = collected(capture_of(range(1, 21), BAD))
    assert hands.damaged == len(BAD)
    assert {history.fields["hand"] for history in kept} == set(range(1, 21))


@pytest.mark.parametrize("perl", [(0,), (0, 1, 2)], ids=["one", "all"])
def test_what_a_perl_client_is_told_is_never_taken_for_what_was_done(perl: tuple[int, ...]) -> None:
    hands, kept = collected(capture_of(range(1, 41), perl=perl))
    assert hands.damaged == 0
    assert (len(kept), hands.retold) == ((0, 40) if len(perl) == 3 else (40, 0))
    for history in kept:
        assert replay(history).final_stacks in (history.finishing, None), "None where cards are unknown"


def changed(number: int, change: Callable[[Message], Message]) -> list[Finding]:
    """The findings of seat 0's connection in three hands; the messages of one of them are changed."""
    findings, starts = [], 0
    for finding in read_capture(capture_of(range(1, 4)).encode()):
        if finding.session == 1 and finding.message is not None:
            starts += finding.message.op is Op.START_NEW_GAME
            said = change(finding.message) if starts == number else finding.message
            findings.append(attrs.evolve(finding, message=said))
    return findings


@pytest.mark.parametrize("bet", [None, 0], ids=["missing", "refused"])
def test_a_hand_whose_beginning_is_no_good_spoils_no_hand_before_it(bet: int | None) -> None:
    def begins(said: Message) -> Message:
        return Message(said.op, (bet, *said.values[1:])) if said.op is Op.START_NEW_GAME else said

    hands = CapturedHands()
    for finding in changed(2, begins):
        if finding.message is not None and finding.message.values[:1] != (None,):
            hands.hear(finding)
    kept = [history.fields["hand"] for history in hands.histories()]
    assert (kept, hands.damaged) == ([1, 3], 0 if bet is None else 1)


@pytest.mark.parametrize(
    ("called", "refused"),
    [(0, []), (7, ["the rules: action 15 (p3 cc): it is recorded to cost 7 but costs 0"])],
)
def test_a_player_who_has_paid_more_than_the_rules_say_spoils_the_hand(
    called: int, refused: list[str]
) -> None:
    rows = (("ann", 500, 0), ("bob", 500, 0), ("cy", 500, 0))
    said: list[tuple[Any, ...]] = [
        (Op.START_NEW_GAME, 10, 3, 2, -1, 7, rows), (Op.BLIND, 0, 5), (Op.BLIND, 1, 10), (Op.CALL, 2, 10),
        (Op.FOLD, 0, 0), (Op.CALL, 1, 0),
    ]  # fmt: skip
    for number, board in enumerate(("2c 7d 9h", "2c 7d 9h Ts", "2c 7d 9h Ts Kc"), 1):
        said += [(Op.NEW_STAGE, number, board), (Op.CALL, 1, 0), (Op.CALL, 2, called if number == 3 else 0)]
    hands = CapturedHands()
    for one in (*said, (Op.WINNERS, 1, ((1, 25),))):
        hands.hear(Finding(Side.SERVER, 0, message(*one)))
    kept = list(hands.histories())
    assert (len(kept), list(hands.refused)) == (not refused, refused)


def test_a_hand_that_the_format_cannot_carry_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def renames(said: Message) -> Message:
        if said.op is not Op.START_NEW_GAME:
            return said
        *head, rows = said.values
        return Message(said.op, (*head, (("b\udc9bb", *rows[0][1:]), *rows[1:])))

    capture, target = tmp_path / "session.hex", tmp_path / "hands.phhs"
    said = [
        one.message for one in changed(2, renames) if one.message is not None and one.sender is Side.SERVER
    ]
    capture.write_text("".join(capture_line(1, Side.SERVER, encode(one)) for one in said), encoding="ascii")
    assert main(["opp", "dump", str(capture), "--histories", str(target)]) == 0
    assert [history.fields["hand"] for history in histories(target)] == [1, 3]
    told = capsys.readouterr().err
    assert "1 x phh: the text holds '\\udc9b', which is not a character" in told
    assert "1 damaged" in told


def test_a_capture_with_everything_wrong_in_it_gives_its_good_hands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = capture_of(range(1, 21), BAD, perl=(2,)).splitlines(True)
    lines[len(lines) // 2 : len(lines) // 2] = ["7< zz\n", "what is this\n"]
    capture, target = tmp_path / "session.hex", tmp_path / "hands.phhs"
    capture.write_text("".join(lines), encoding="ascii")
    assert main(["opp", "dump", str(capture), "--histories", str(target)]) == 0
    said = capsys.readouterr().err
    assert f"{len(BAD)} damaged" in said
    assert "who is 99: the players are 0 to 2" in said
    assert len(list(histories(target))) == 20


def test_reasons_are_bounded_whoever_wrote_the_capture_and_a_clients_words_are_no_hand() -> None:
    hands, start = CapturedHands(), next(told(1))[1].messages[0]
    for number in range(150):
        hands.hear(Finding(Side.SERVER, 0, start))
        hands.hear(Finding(Side.SERVER, 0, Message(Op.CALL, (99 + number, 10))))
    assert (len(hands.refused), hands.refused["others"]) == (101, 50)
    assert hands.unfinished == 149
    hands.hear(Finding(Side.CLIENT, 0, start))
    assert hands.unfinished == 149, "only servers announce hands"


def test_a_perl_clients_oddities_are_nobodys_fault() -> None:
    hands, kept = collected(capture_of(range(1, 3), {1: (Op.CALL, 99, 10)}, perl=(0,)))
    assert (len(kept), hands.damaged, dict(hands.refused)) == (2, 0, {})


@pytest.mark.parametrize(
    ("ann", "cy", "stack"), [(500, 500, 500), (15, 500, 10_000), (500, 0, 10_000), (500, -5, 10_000)]
)
def test_who_plays_on_credit_has_a_stand_in_for_a_stack(ann: int, cy: int, stack: int) -> None:
    rows = (("ann", ann, 0), ("bob", 500, 0), ("cy", cy, 0))
    said: list[tuple[Any, ...]] = [
        (Op.START_NEW_GAME, 10, 3, 2, -1, 7, rows), (Op.BLIND, 0, 5), (Op.BLIND, 1, 10), (Op.FOLD, 2, 0),
        (Op.RAISE, 0, 15), (Op.FOLD, 1, 0), (Op.WINNERS, 1, ((0, 30),)),
    ]  # fmt: skip
    hands = CapturedHands()
    for one in said:
        hands.hear(Finding(Side.SERVER, 0, message(*one)))
    [history] = hands.histories()
    assert set(history.stacks) == {stack}


def test_hands_without_a_beginning_or_without_blinds_are_left_out() -> None:
    rows = (("ann", 500, 0), ("bob", 500, 0))
    joined = message(Op.JOIN_GAME, "ann", "pw", 1, "Games::Poker::OPP 1.0")
    said = [
        Finding(Side.CLIENT, 0, joined),
        Finding(Side.SERVER, 0, message(Op.START_NEW_GAME, 0, 2, 0, -1, 7, rows)),
        Finding(Side.SERVER, 0, message(Op.WINNERS, 1, ((0, 30),))),
        Finding(Side.SERVER, 0, message(Op.START_NEW_GAME, 10, 2, 0, -1, 8, rows), session=2),
        Finding(Side.SERVER, 0, message(Op.FOLD, 0, 0), session=2),
        Finding(Side.SERVER, 0, message(Op.WINNERS, 1, ((1, 0),)), session=2),
    ]
    hands = CapturedHands()
    for finding in said:
        hands.hear(finding)
    assert list(hands.histories()) == []
    assert hands.damaged == 1


def mutations(count: int, seed: int) -> Iterator[str]:
    """Captures of four hands, each with a few bytes, lines or pieces of it changed."""
    luck = random.Random(seed)
    base = capture_of(range(1, 5), {2: (Op.CALL, 99, 10)}, perl=(2,))
    for _ in range(count):
        text = base
        for _ in range(luck.randint(1, 4)):
            at = luck.randrange(len(text))
            match luck.randrange(4):
                case 0:
                    text = text[:at] + luck.choice("0123456789abcdefxz<> #\n") + text[at + 1 :]
                case 1:
                    text = text[:at] + text[at + luck.randint(1, 40) :]
                case 2:
                    text = text[:at] + text[luck.randrange(len(text)) :][: luck.randint(1, 60)] + text[at:]
                case _:
                    lines = text.splitlines(True)
                    luck.shuffle(lines) if luck.random() < 0.1 else lines.pop(luck.randrange(len(lines)))
                    text = "".join(lines)
        yield text


def check_mutations(count: int, seed: int) -> int:
    """Open mutated captures, and return how many hands they still gave."""
    kept = 0
    for text in mutations(count, seed):
        try:
            _, found = collected(text)
        except BadInput:
            continue
        for history in found:
            replay(history)
        kept += len(found)
    return kept


def test_mutated_captures_are_read_to_their_end_and_keep_most_hands() -> None:
    assert check_mutations(150, 1) > 300


@pytest.mark.heavy
def test_ten_thousand_mutated_captures_are_read_to_their_end() -> None:
    assert check_mutations(10_000, 2) > 20_000


# -- packets -----------------------------------------------------------------------------------------


@attrs.define
class Packets:
    """Writes TCP segments as a network would carry them."""

    link: str = "ethernet"
    six: bool = False
    sent: list[bytes] = attrs.field(factory=list)
    numbers: dict[tuple[int, int], int] = attrs.field(factory=dict)

    def segment(
        self, source: int, target: int, data: bytes, *, flags: int = 0, start: int | None = None
    ) -> bytes:
        """A packet from one port to another with the next bytes, which are counted as sent."""
        number = self.numbers.setdefault((source, target), 2**32 - 30) if start is None else start
        tcp = dpkt.tcp.TCP(sport=source, dport=target, seq=number % 2**32, flags=flags, data=data)
        if start is None:
            self.numbers[source, target] = number + len(data) + bool(flags & dpkt.tcp.TH_SYN)
        if self.six:
            ip = dpkt.ip6.IP6(src=bytes(15) + b"\1", dst=bytes(15) + b"\1", nxt=6, data=tcp, plen=len(tcp))
            kind = dpkt.ethernet.ETH_TYPE_IP6
        else:
            ip = dpkt.ip.IP(src=b"\x7f\0\0\1", dst=b"\x7f\0\0\1", p=6, data=tcp)
            kind = dpkt.ethernet.ETH_TYPE_IP
        if self.link == "raw":
            return bytes(ip)
        if self.link == "cooked":
            return bytes(dpkt.sll.SLL(ethtype=kind, data=ip))
        return bytes(dpkt.ethernet.Ethernet(type=kind, data=ip))

    def written(self, *, ng: bool = False) -> bytes:
        out = io.BytesIO()
        links = {"ethernet": dpkt.pcap.DLT_EN10MB, "raw": 101, "cooked": dpkt.pcap.DLT_LINUX_SLL}
        if ng:
            description = dpkt.pcapng.InterfaceDescriptionBlockLE(linktype=links[self.link])
            writer = dpkt.pcapng.Writer(out, idb=description)
        else:
            writer = dpkt.pcap.Writer(out, linktype=links[self.link])
        for packet in self.sent:
            writer.writepkt(packet, ts=0)
        return out.getvalue()


def packets_of(text: str, packets: Packets, luck: random.Random, *, opening: bool = True) -> None:
    """Send a text capture as packets, some of them twice, some late, and some in pieces that overlap."""
    seen = set()
    for line in text.splitlines():
        session, server = int(line.partition("< " if "< " in line else "> ")[0] or 1), "< " in line
        client = 40_000 + session
        if client not in seen and opening:
            packets.sent.append(packets.segment(client, 9000, b"", flags=dpkt.tcp.TH_SYN))
            both = dpkt.tcp.TH_SYN | dpkt.tcp.TH_ACK
            packets.sent.append(packets.segment(9000, client, b"", flags=both))
        seen.add(client)
        data = bytes.fromhex(line.partition(" ")[2])
        ends = (9000, client) if server else (client, 9000)
        start = packets.numbers.get(ends, 2**32 - 30)
        whole = packets.segment(*ends, data)
        if (
            opening and len(data) > 8 and luck.random() < 0.3
        ):  # without an opening, the first byte seen is the first
            half = len(data) // 2
            first = packets.segment(*ends, data[:half], start=start)
            overlapping = packets.segment(*ends, data[half - 3 :], start=start + half - 3)
            packets.sent += [overlapping, first, whole] if luck.random() < 0.5 else [first, overlapping]
        else:
            packets.sent += [whole] * luck.choice([1, 1, 2])


@pytest.mark.parametrize(
    ("link", "six", "ng", "opening"),
    [
        ("ethernet", False, False, True),
        ("ethernet", True, True, True),
        ("raw", False, True, True),
        ("raw", True, False, True),
        ("cooked", False, False, True),
        ("ethernet", False, False, False),
    ],
)
def test_packets_give_the_hands_that_lines_give(link: str, six: bool, ng: bool, opening: bool) -> None:
    text = capture_of(range(1, 9), {2: (Op.CALL, 99, 10)}, perl=(2,))
    packets = Packets(link=link, six=six)
    packets_of(text, packets, random.Random(1), opening=opening)
    hands = CapturedHands()
    for finding in read_capture(packets.written(ng=ng)):
        hands.hear(finding)
    same, kept = collected(text)
    assert list(hands.histories()) == kept
    assert (hands.damaged, hands.retold, hands.unfinished) == (same.damaged, same.retold, same.unfinished)


def test_bytes_that_the_packets_lack_end_their_side_alone() -> None:
    packets = Packets()
    packets_of(capture_of(range(1, 3)), packets, random.Random(1), opening=False)
    lost = next(place for place, packet in enumerate(packets.sent) if len(packet) > 150)
    source = dpkt.ethernet.Ethernet(packets.sent[lost]).data.data.dport
    packets.sent = [packet for packet in packets.sent if packet != packets.sent[lost]]
    found = list(read_capture(packets.written()))
    lacking = [finding for finding in found if "bytes are not in the capture" in finding.trouble]
    assert [finding.session for finding in lacking] == [source - 40_000]
    assert {finding.session for finding in found if finding.message} == {1, 2, 3}


@pytest.mark.parametrize("cut", [4, 20])
def test_a_packet_capture_that_cannot_be_read_is_said(cut: int) -> None:
    packets = Packets()
    packets_of(capture_of(range(1, 2)), packets, random.Random(1))
    with pytest.raises(BadInput, match="packet capture cannot be read"):
        list(read_capture(packets.written()[:cut]))


def test_a_capture_that_breaks_off_within_a_packet_gives_those_before() -> None:
    packets = Packets()
    packets_of(capture_of(range(1, 2)), packets, random.Random(1))
    whole = packets.written()
    found = [finding for finding in read_capture(whole[:-5]) if finding.message]
    assert len(found) > 20
    assert found == [finding for finding in read_capture(whole) if finding.message][: len(found)]


def test_a_link_without_internet_packets_is_named() -> None:
    out = io.BytesIO()
    dpkt.pcap.Writer(out, linktype=dpkt.pcap.DLT_IEEE802_11).writepkt(b"x", ts=0)
    with pytest.raises(BadInput, match="link type 105"):
        list(read_capture(out.getvalue()))


def test_packets_without_dpkt_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dpkt", None)
    with pytest.raises(MissingExtra, match="packets"):
        list(read_capture(Packets().written()))


SYN = dpkt.tcp.TH_SYN


def sent_as(
    *segments: tuple[int, int, bytes, dict[str, int]], before: tuple[bytes, ...] = ()
) -> list[tuple[Any, ...]]:
    """Read a capture of these segments: session, sender and op of each message."""
    packets = Packets()
    packets.sent = [
        *before,
        *(packets.segment(source, target, data, **more) for source, target, data, more in segments),
    ]
    return [
        (finding.session, finding.sender, finding.message.op)
        for finding in read_capture(packets.written())
        if finding.message is not None
    ]


JOIN = encode(message(Op.JOIN_GAME, "ann", "pw", 1, "x"))
PONG = encode(message(Op.PONG))
PING = encode(message(Op.PING))


def test_an_opening_sent_twice_is_one_connection_and_one_the_other_way_is_another() -> None:
    twice = sent_as(
        (5, 9, b"", {"flags": SYN, "start": 7}),
        (5, 9, b"", {"flags": SYN, "start": 7}),
        (5, 9, JOIN, {"start": 8}),
    )
    assert twice == [(1, Side.CLIENT, Op.JOIN_GAME)]
    turned = sent_as(
        (5, 9, b"", {"flags": SYN}), (5, 9, JOIN, {}), (9, 5, b"", {"flags": SYN}), (9, 5, JOIN, {})
    )
    assert turned == [(1, Side.CLIENT, Op.JOIN_GAME), (2, Side.CLIENT, Op.JOIN_GAME)]


def test_ports_used_again_are_a_connection_with_a_number_of_its_own() -> None:
    found = sent_as(
        (9, 5, PING, {"start": 100}),
        (9, 5, PING, {"start": 100 + 2 * len(PING)}),
        (5, 9, b"", {"flags": SYN, "start": 7}),
        (6, 9, b"", {"flags": SYN, "start": 7}),
        (5, 9, JOIN, {"start": 8}),
        (6, 9, JOIN, {"start": 8}),
    )
    assert found == [
        (1, Side.SERVER, Op.PING),
        (2, Side.CLIENT, Op.JOIN_GAME),
        (3, Side.CLIENT, Op.JOIN_GAME),
    ]


def test_without_an_opening_the_client_is_who_first_says_what_only_clients_say() -> None:
    assert sent_as((9, 5, PING, {}), (5, 9, PONG, {}), (9, 5, PING, {})) == [
        (1, Side.SERVER, Op.PING),
        (1, Side.CLIENT, Op.PONG),
        (1, Side.SERVER, Op.PING),
    ]
    opened = sent_as((5, 9, b"", {"flags": SYN}), (9, 5, PONG, {}), (5, 9, JOIN, {}))
    assert opened == [(1, Side.SERVER, Op.PONG), (1, Side.CLIENT, Op.JOIN_GAME)]


def test_of_bytes_that_came_twice_and_early_the_longer_piece_counts_and_other_packets_are_passed_over() -> (
    None
):
    udp = dpkt.ip.IP(
        src=b"\x7f\0\0\1", dst=b"\x7f\0\0\1", p=17, data=dpkt.udp.UDP(sport=5, dport=9, data=PING)
    )
    other = (
        bytes(dpkt.ethernet.Ethernet(type=dpkt.ethernet.ETH_TYPE_IP, data=udp)),
        bytes(dpkt.ethernet.Ethernet(type=dpkt.ethernet.ETH_TYPE_ARP, data=dpkt.arp.ARP())),
    )
    found = sent_as(
        (5, 9, b"", {"flags": SYN, "start": 0}),
        (5, 9, JOIN[4:], {"start": 5}),
        (5, 9, JOIN[4:9], {"start": 5}),
        (5, 9, JOIN[:4], {"start": 1}),
        before=other,
    )
    assert found == [(1, Side.CLIENT, Op.JOIN_GAME)]
