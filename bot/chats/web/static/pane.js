/* The pane beside the board: which of its panels is open, what is said in passing, and what only a
reader of the screen hears. */
import { byId } from "./dom.js";

const TABS = ["acts", "moves", "book", "talk"];
const pane = byId("pane"), talk = byId("talk"), status = byId("status");

/** The panel that is open. */
export const tab = () => pane.dataset.tab;

/** Open a panel; the pane tells of it by the event `turn`. @param {string} wanted */
export function turnTo(wanted) {
  pane.dataset.tab = wanted;
  for (const one of TABS) byId(`to-${one}`).setAttribute("aria-selected", String(one === wanted));
  if (wanted === "talk") {
    byId("to-talk").classList.remove("new-word");
    talk.scrollTop = talk.scrollHeight;
  }
  if (wanted === "moves") byId("log").scrollTop = byId("log").scrollHeight;
  pane.dispatchEvent(new Event("turn"));
}

/** Let a reader of the screen say *text*, without the sign of whose turn it is. @param {string} text */
export function announce(text) {
  byId("live").textContent = "";
  setTimeout(() => (byId("live").textContent = text.replace("▶ ", "")), 50);
}

/** Have a board read. @param {{ headline: string, lines: string[] }} board */
export function tell(board) {
  announce([board.headline, ...board.lines].join(" "));
}

let silence = 0;
/** A short word over the pane, which goes away by itself unless it is to *stay*.
 * @param {string} text */
export function say(text, good = true, stay = false) {
  clearTimeout(silence);
  status.textContent = text;
  status.classList.toggle("bad", !good);
  if (text && !stay) silence = setTimeout(say, good ? 6000 : 12000, "");
}

for (const one of TABS) byId(`to-${one}`).addEventListener("click", () => turnTo(one));
byId("wide").addEventListener("click", () => byId("wide").setAttribute("aria-pressed", String(document.body.classList.toggle("widened"))));
