/* The people with whom the player has played, to be challenged by name. */
import { make } from "./dom.js";
import { day } from "./finished.js";
/** @import { Answer, Companion, Hall } from "../protocol" */

/**
 * A card that lists them; *challenge* presses the button that prepares a game.
 * @param {Hall} hall
 * @param {(code: string) => void} challenge
 */
export function companions({ words, ask }, challenge) {
  const list = make("div", { class: "acts" }), none = make("p", { role: "status" });

  /** @param {Answer} answer */
  function told({ companions: found = [] }) {
    none.textContent = found.length ? "" : words["companions-none"];
    list.replaceChildren(...found.map(line));
  }

  /** @param {Companion} one */
  function line({ name, title, day: last, code }) {
    const text = make("span", {}, name, make("span", { class: "d" }, `${title} · ${day(last)}`));
    return make(
      "button",
      { class: "key", click: () => challenge(code) },
      text,
      make("span", { class: "does" }, words.challenge),
    );
  }

  ask({ kind: "companions" }, told);
  return make(
    "article",
    { class: "card open-tables", id: "companions", tabindex: "-1" },
    make("div", { class: "head" }, make("h2", {}, words.companions)),
    none,
    list,
  );
}
