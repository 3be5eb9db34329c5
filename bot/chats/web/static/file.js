/* A game in a file or in a text, sent in parts to the server, which alone reads it. */
import { make, uuid } from "./dom.js";
/** @import { Hall } from "../protocol" */

const PART = 9000; // bytes of a part, 12,000 letters in base64
const PAUSE = 150; // milliseconds between two parts

/** What takes a file: chosen, dropped on *card*, or as a text. @param {Hall} hall @param {HTMLElement} card */
export function opening({ words, ask }, card) {
  const text = make("textarea", {
    rows: 3,
    spellcheck: "false",
    "aria-label": words["file-text"],
    placeholder: words["file-text"],
  });
  // The browser's own button speaks its own language.
  const chosen = make("input", { type: "file", class: "vh", change: () => take(chosen.files?.[0]) });
  const choose = make("label", { class: "key" }, words["file-choose"], chosen);
  const typed = () => (text.value.trim() ? take(new Blob([text.value])) : text.focus());
  const open = make("button", { class: "key", click: typed }, words["file-open"]);

  /** @param {Blob | undefined} file */
  async function take(file) {
    if (!file) return;
    // What is too large is cut behind the limit, so that the server says so.
    const bytes = new Uint8Array(await file.slice(0, 30 * PART).arrayBuffer()), code = uuid();
    /** @param {number} from */
    function send(from) {
      const data = btoa(String.fromCharCode(...bytes.subarray(from, from + PART)));
      const rest = Math.max(0, Math.ceil((bytes.length - from) / PART) - 1);
      const part = /** @type {const} */ ({ kind: "file", code, data, at: `${rest}` });
      if (!rest) ask(part);
      else ask(part, (answer) => answer.good && setTimeout(send, PAUSE, from + PART));
    }
    send(0);
  }

  card.addEventListener("dragover", (event) => event.preventDefault());
  card.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files[0]);
  });
  const about = make("p", {}, words["file-about"]),
    row = make("div", { class: "ask" }, text, open);
  return make("div", { class: "head" }, make("h2", {}, words.file), about, choose, row);
}
