/* The pane beside the board: which of its panels is open, what is said in passing, and what only a
reader of the screen hears. */
import { byId, unsigned } from "./dom.js";

const TABS = ["acts", "moves", "book", "talk"];
/** Where screens and talk are written. */
export const talk = byId("talk");
const pane = byId("pane"), status = byId("status");

/** Whether the window is as wide as a desk's. */
export const desk = matchMedia("(min-width: 1024px)");
let lent = false; // whether the pane covers the board for a while

/** Let the pane cover the board, or uncover it. @param {boolean} wide */
function widen(wide) {
  lent = false;
  byId("wide").setAttribute("aria-pressed", String(document.body.classList.toggle("widened", wide)));
}

/** Cover the board with the pane until another panel is opened, so that a picture in it is seen as a whole. */
export function lend() {
  if (document.body.classList.contains("widened")) return;
  widen(true);
  lent = true;
}

/** Mark the tab of the panel that is shown; on a desk the moves stand where there is room for no tab of actions. */
function select() {
  const shown = desk.matches && tab() === "acts" ? "moves" : tab();
  for (const one of TABS) byId(`to-${one}`).setAttribute("aria-selected", String(one === shown));
}

/** The panel that is open. */
export const tab = () => pane.dataset.tab;

/** Open a panel; the pane fires the event `turn`. @param {string} wanted */
export function turnTo(wanted) {
  if (lent && wanted !== "talk") widen(false);
  pane.dataset.tab = wanted;
  if (wanted === "talk") {
    byId("to-talk").classList.remove("new-word");
    talk.scrollTop = talk.scrollHeight;
  }
  if (wanted === "moves") byId("log").scrollTop = byId("log").scrollHeight;
  select();
  pane.dispatchEvent(new Event("turn"));
}

/** Let screen readers say *text*, without the sign for whose turn it is. @param {string} text */
export function announce(text) {
  byId("live").textContent = "";
  setTimeout(() => (byId("live").textContent = unsigned(text).replace("▶ ", "")), 50);
}

/** Let screen readers say a board. @param {{ headline: string, lines: string[] }} board */
export function tell(board) {
  announce([board.headline, ...board.lines].join(" "));
}

let silence = 0;
let reason = ""; // what the notice is about

/** A notice below the pane, where it covers nothing. It goes after a while unless it is to *stay*, and with its
 * *cause*: a table, or another name.
 * @param {string} text */
export function say(text, good = true, stay = false, cause = "") {
  clearTimeout(silence);
  reason = text && cause;
  status.textContent = text;
  status.classList.toggle("bad", !good);
  if (text && !stay) silence = setTimeout(say, good ? 6000 : 12000, "");
}

/** Take away a notice whose *cause* is gone. @param {string} cause */
export function unsay(cause) {
  if (cause && reason === cause) say("");
}

for (const one of TABS) byId(`to-${one}`).addEventListener("click", () => turnTo(one));
status.addEventListener("click", () => say(""));
desk.addEventListener("change", select);
select();
byId("wide").addEventListener("click", () => widen(!document.body.classList.contains("widened")));
