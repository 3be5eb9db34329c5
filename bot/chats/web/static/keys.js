/* What the keys do, shown by a question mark. */
import { make } from "./dom.js";

/** The keys, each with the word for what it does. */
const KEYS = [["Tab, ↵", "key-choose"], ["Esc", "key-clear"], ["← →", "key-steps"], ["Home, End", "key-ends"], ["+ −", "size"], ["/", "line"], ["?", "keys"]];

/** Show the keys, or hide them again. @param {Record<string, string>} words */
export function showKeys(words) {
  const old = document.getElementById("keys");
  if (old) return old.remove();
  const list = make("dl", {}, ...KEYS.flatMap(([key, word]) => [make("dt", {}, ...key.split(/(?<=,) | /).map((one) => make("kbd", {}, one.replace(",", "")))), make("dd", {}, words[word])]));
  const close = make("button", { class: "key", autofocus: true, click: () => shown.close() }, words["close-keys"]);
  const shown = make("dialog", { id: "keys", "aria-label": words.keys, close: () => shown.remove() }, make("h2", {}, words.keys), list, close);
  document.body.append(shown);
  shown.showModal();
}
