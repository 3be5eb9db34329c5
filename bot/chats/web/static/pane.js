/* The pane beside the board: which of its panels is open, what is said in passing, and what only a
reader of the screen hears. */
import { byId } from "./dom.js";

const TABS = ["acts", "moves", "book", "talk"];
const pane = byId("pane"), talk = byId("talk"), status = byId("status");

let lent = false; // whether the pane has the room of the board for a while

/** Let the pane have the room of the board, or give it back. @param {boolean} wide */
function widen(wide) {
  lent = false;
  byId("wide").setAttribute("aria-pressed", String(document.body.classList.toggle("widened", wide)));
}

/** Let a picture in the pane be seen as a whole: until another panel is opened it has the room of the board. */
export function lend() {
  if (document.body.classList.contains("widened")) return;
  widen(true);
  lent = true;
}

/** The panel that is open. */
export const tab = () => pane.dataset.tab;

/** Open a panel; the pane tells of it by the event `turn`. @param {string} wanted */
export function turnTo(wanted) {
  if (lent && wanted !== "talk") widen(false);
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
byId("wide").addEventListener("click", () => widen(!document.body.classList.contains("widened")));
