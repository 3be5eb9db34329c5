/* What is chosen for this device alone: how the page looks, sounds and moves, as a form. */
import { users } from "./address.js";
import { make, remembered } from "./dom.js";
import { play } from "./sound.js";
import { wish, wished } from "./theme.js";
/** @import { State } from "../protocol" */

/** A card with the form. @param {State["words"]} words */
export function preferences(words) {
  /** A question with its answers: what is kept, its word, and whether it is chosen.
   * @param {string} name
   * @param {string} title
   * @param {[string, string, (Node | string)?][]} options
   * @param {string} now
   * @param {(value: string) => void} choose */
  function question(name, title, options, now, choose) {
    const parts = options.map(([value, word, sign]) => {
      const input = make("input", { type: "radio", name, value, checked: value === now, change: () => choose(value) });
      return make("label", {}, input, sign ?? "", make("span", {}, words[word]));
    });
    return make("fieldset", {}, make("legend", {}, words[title]), make("div", { class: "parts" }, ...parts));
  }

  const swatch = (/** @type {string} */ kind) => make("span", { class: `swatch ${kind}`, "aria-hidden": "true" });
  const keep = (/** @type {string} */ name) => (/** @type {string} */ value) => void remembered(name, value);

  /** @param {string} set */
  function sound(set) {
    remembered("silent", set === "off" ? "1" : "");
    if (set !== "off") remembered("sound-set", set);
    void play("move");
  }

  /** @param {string} volume */
  function loud(volume) {
    remembered("volume", volume);
    void play("turn");
  }

  const here = new URL(".", document.baseURI).pathname;
  const others = Object.entries(users()).filter(([path]) => path !== here).map(([path, name]) =>
    make("a", { class: "key house", href: `${path}settings` }, `${words["play-as"]} ${name}`));
  return make("article", { class: "card", id: "preferences", tabindex: "-1" },
    make("div", { class: "head" }, make("h2", {}, words.look), make("p", {}, words["look-about"])),
    make("div", { class: "more" }, ...others),
    make(
      "div",
      { class: "form" },
      question(
        "theme",
        "theme",
        [
          ["", "theme-auto", swatch("")],
          ["light", "theme-light", swatch("light")],
          ["dark", "theme-dark", swatch("dark")],
        ],
        wished(),
        wish,
      ),
      question(
        "sounds",
        "sounds",
        [
          ["off", "sounds-off"],
          ["", "sounds-plain"],
          ["wood", "sounds-wood"],
          ["glass", "sounds-glass"],
        ],
        remembered("silent") ? "off" : remembered("sound-set"),
        sound,
      ),
      question(
        "volume",
        "volume",
        [
          ["low", "volume-low"],
          ["", "volume-mid"],
          ["high", "volume-high"],
        ],
        remembered("volume"),
        loud,
      ),
      question(
        "pace",
        "pace",
        [
          ["slow", "pace-slow"],
          ["", "pace-mid"],
          ["quick", "pace-quick"],
          ["none", "pace-none"],
        ],
        remembered("pace"),
        keep("pace"),
      ),
      question(
        "confirm",
        "confirm",
        [
          ["1", "confirm-yes"],
          ["", "confirm-no"],
        ],
        remembered("confirm"),
        keep("confirm"),
      ),
      question(
        "letters",
        "letters",
        [
          ["", "confirm-yes"],
          ["off", "confirm-no"],
        ],
        remembered("letters"),
        keep("letters"),
      ),
    ),
  );
}
