/* The player's finished games, found again by words. */
import { make } from "./dom.js";
/** @import { Answer, Finished, Hall } from "../protocol" */

const PAUSES = 250; // milliseconds after the last letter until it is looked for

/** A day such as `2026-11-26` in words. @param {string} iso */
function day(iso) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeZone: "UTC" }).format(
    Date.parse(iso),
  );
}

/** A card that lists finished games; *look* opens one. @param {Hall} hall @param {(table: string) => void} look */
export function finished({ words, ask }, look) {
  const list = make("div", { class: "acts" }),
    none = make("p", { role: "status" });
  const field = make("input", {
    type: "search",
    maxlength: "64",
    "aria-label": words["finished-search"],
    placeholder: words["finished-search"],
    input: later,
  });
  let timer = 0;

  function later() {
    clearTimeout(timer);
    timer = setTimeout(find, PAUSES);
  }

  function find() {
    const mine = field.value;
    ask({ kind: "finished", line: mine }, (answer) => mine === field.value && told(answer));
  }

  /** @param {Answer} answer */
  function told({ finished: found = [] }) {
    none.textContent = found.length ? "" : words["finished-none"];
    list.replaceChildren(...found.map(line));
  }

  /** @param {Finished} one */
  function line({ table, title, who, day: ended }) {
    const text = make("span", {}, title, make("span", { class: "d" }, [who, day(ended)].filter(Boolean).join(" · ")));
    return make(
      "button",
      { class: "key", "data-table": table, click: () => look(table) },
      text,
      make("span", { class: "does" }, words["finished-look"]),
    );
  }

  find();
  return make("article", { class: "card open-tables", id: "finished", tabindex: "-1" },
    make("div", { class: "head" }, make("h2", {}, words.finished)), make("div", { class: "ask" }, field), none, list);
}
