// -- commands, where a debugger serves the page ----------------------------------------------------
function said_of(answer) {
  of("answer").textContent = answer.said.join("\n");
  show(answer.at);
}
async function command(event) {
  event.preventDefault();
  const line = of("line").value;
  of("line").value = "";
  try {
    const found = await fetch("do", { method: "POST", body: JSON.stringify({ at: now, line }) });
    const answer = found.ok ? await found.json() : { said: [await found.text()], at: now, other: false };
    if (answer.other) { sessionStorage.setItem("answer", JSON.stringify(answer)); location.reload(); }
    else said_of(answer);
  } catch { of("answer").textContent = "the debugger does not answer: it has ended"; }
}
of("command").addEventListener("submit", command);
const kept = sessionStorage.getItem("answer");
sessionStorage.removeItem("answer");
if (kept) said_of(JSON.parse(kept));
