/* What the keys do: in the help, and shown by a question mark. */
import { make } from "./dom.js";

/** The keys, each with the word for what it does. */
const KEYS = [
  ["Tab, ↵", "key-choose"],
  ["1–9", "key-nth"],
  ["␣", "key-roll"],
  ["Esc", "key-clear"],
  ["← →", "key-steps"],
  ["Home, End", "key-ends"],
  ["H", "key-hint"],
  ["U", "key-undo"],
  ["M", "moves"],
  ["T", "talk"],
  ["N", "key-next"],
  ["S", "sounds"],
  ["G", "key-doors"],
  ["+ −", "size"],
  ["/", "line"],
  ["?", "keys"],
];

/** The list of all keys. @param {Record<string, string>} words */
export function keyList(words) {
  return make(
    "dl",
    { class: "keys-list" },
    ...KEYS.flatMap(([key, word]) => [
      make("dt", {}, ...key.split(/(?<=,) | /).map((one) => make("kbd", {}, one.replace(",", "")))),
      make("dd", {}, words[word]),
    ]),
  );
}

/** Show the keys, or hide them again. @param {Record<string, string>} words */
export function showKeys(words) {
  const old = document.getElementById("keys");
  if (old) return old.remove();
  const close = make("button", { class: "key", autofocus: true, click: () => shown.close() }, words["close-keys"]);
  const shown = make(
    "dialog",
    { id: "keys", "aria-label": words.keys, close: () => shown.remove() },
    make("h2", {}, words.keys),
    keyList(words),
    close,
  );
  document.body.append(shown);
  shown.showModal();
}
