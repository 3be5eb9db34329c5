/* Stepping through a game by keys and by the wheel, and what else keys do: letters, unless the player does without
them. */
import { remembered } from "./dom.js";


const TURNS = 90; // milliseconds between two turns of the wheel
const LATER = 1500; // milliseconds within which a second letter belongs to the first

/** @param {{ pic: HTMLElement, view: () => string, moves: { by: (ways: number) => void, go: (to: number) => void },
 *   cancel: () => void, words: () => Record<string, string>, write: () => void, letters: Record<string, () => void> }}
 * parts
 * *letters* holds what each letter does at a table. */
export function turning({ pic, view, moves, cancel, words, write, letters }) {
  let rolled = 0;
  let doors = 0; // until when a letter opens a door

  /**
   * The door that *letter* opens: each has the first letter of its words that no door before it has.
   * @param {string} letter
   */
  function door(letter) {
    const taken = new Set();
    return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#doors a"))].find((one) => {
      const own = [...(one.textContent ?? "").toLowerCase()].find((sign) => /\p{L}/u.test(sign) && !taken.has(sign));
      taken.add(own);
      return own === letter;
    });
  }

  /** Do what *key* alone means; answers whether it means anything. @param {string} key */
  function pressed(key) {
    const choices = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#acts .keys .key"));
    const chosen =
      key === " " ? (choices.length === 1 ? choices[0] : null) : /^[1-9]$/.test(key) ? choices[Number(key) - 1] : null;
    const opens = performance.now() < doors ? door(key) : null;
    doors = key === "g" && !opens ? performance.now() + LATER : 0;
    if (opens) opens.click();
    else if (view() && chosen) chosen.click();
    else if (view() && Object.hasOwn(letters, key)) letters[key]();
    else return doors > 0;
    return true;
  }

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    // A choice among options takes no letters.
    const typing = /** @type {Element} */ (event.target).closest(
      "input:not([type=radio], [type=range]), select, textarea",
    );
    if (event.key === "Escape") cancel();
    if (event.key === "?" && !typing) return void import("./keys.js").then(({ showKeys }) => showKeys(words()));
    if (event.key === "/" && !typing) {
      event.preventDefault();
      return write();
    }
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey,
      onKey = /** @type {Element} */ (event.target).closest("button, a, summary, [role=slider]");
    if (
      plain &&
      !typing &&
      !(event.key === " " && onKey) &&
      !document.querySelector("dialog[open]") &&
      remembered("letters") !== "off" &&
      pressed(event.key.toLowerCase())
    )
      return event.preventDefault();
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!way || !view() || !plain) return;
    if (/** @type {Element} */ (event.target).closest("input, select, textarea, [role=tab]")) return;
    event.preventDefault();
    if (Number.isFinite(way)) moves.by(way);
    else moves.go(way);
  });

  pic.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (!event.deltaY || event.timeStamp - rolled < TURNS) return;
    rolled = event.timeStamp;
    moves.by(event.deltaY < 0 ? -1 : 1);
  });
}
