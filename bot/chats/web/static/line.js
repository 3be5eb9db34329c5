/* The row of completions above the line on which moves and commands are typed. */
import { make } from "./dom.js";
/** @import { Completion, Completions } from "../protocol" */

/**
 * The line in *form*. *suggest* requests the completions of a text and answers the id of the request, whose
 * answer goes to `completed`.
 * @param {{ form: HTMLElement, row: HTMLElement, sign: HTMLElement, list: HTMLElement,
 *   suggest: (text: string) => string }} parts
 */
export function composer({ form, row, sign, list, suggest }) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  /** @type {Completion[]} */
  let found = [];
  let chosen = -1;
  let asked = "";
  let later = 0;

  function ask() {
    if (input.value.trim()) asked = suggest(input.value);
  }

  function hide() {
    clearTimeout(later);
    asked = "";
    found = [];
    chosen = -1;
    row.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  /** @param {Completions} message */
  function completed(message) {
    if (!asked.startsWith(message.id)) return; // it comes back shortened
    if (!message.found.length && !message.command) {
      hide();
      return;
    }
    found = message.found;
    chosen = -1;
    sign.replaceChildren(...(message.parameter ? [make("b", {}, message.command), ` ${message.parameter}`] : []));
    list.replaceChildren(...found.map(option));
    row.hidden = false;
    list.scrollLeft = 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    input.removeAttribute("aria-activedescendant");
  }

  /** @param {Completion} one @param {number} index */
  function option(one, index) {
    const typed = input.value.split(/[ =]/).pop() ?? "";
    const begins = typed && one.label.toLowerCase().startsWith(typed.toLowerCase());
    const head = begins ? make("mark", {}, one.label.slice(0, typed.length)) : "";
    const text = make("b", {}, head, begins ? one.label.slice(typed.length) : one.label);
    const note = one.note ? make("small", {}, one.note) : "";
    const keep = (/** @type {Event} */ event) => event.preventDefault(); // the focus stays on the line
    return make(
      "li",
      { role: "option", id: `o${index}`, "aria-selected": "false", mousedown: keep, click: () => accept(index) },
      text,
      note,
    );
  }

  /** @param {1 | -1} step */
  function choose(step) {
    chosen = chosen < 0 && step < 0 ? found.length - 1 : (chosen + step + found.length) % found.length;
    const options = [...list.children];
    for (const [index, one] of options.entries()) one.setAttribute("aria-selected", String(index === chosen));
    options[chosen].scrollIntoView({ block: "nearest", inline: "nearest" });
    input.setAttribute("aria-activedescendant", options[chosen].id);
  }

  /** @param {number} index */
  function accept(index) {
    const { line } = found[index];
    hide();
    begin(line);
  }

  /** Put the start of a line there, and show its completions. @param {string} line */
  function begin(line) {
    input.value = line;
    input.focus();
    if (line.endsWith(" ") || line.endsWith("=")) ask();
  }

  input.addEventListener("input", () => {
    clearTimeout(later);
    if (input.value.trim()) later = setTimeout(ask, 60);
    else hide();
  });

  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    else if (row.hidden || !found.length) return;
    else if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Tab" && !event.shiftKey) accept(Math.max(chosen, 0));
    else if (event.key === "Enter" && chosen >= 0) accept(chosen);
    else return;
    event.preventDefault();
  });

  form.addEventListener("submit", hide);
  ask();

  return { completed };
}
