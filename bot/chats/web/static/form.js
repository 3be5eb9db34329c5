/* The questions of a sheet or of settings, as a form: what is chosen is seen beside what else there is. */
import { arrange, keeper, make } from "./dom.js";
/** @import { Button, Choice, Option } from "../protocol" */

const MANY = 6; // with more options than that, one is chosen from a list

/** A form; an option that is chosen is pressed. @param {(pressed: Button) => void} press */
export function form(press) {
  const root = make("div", { class: "form" });
  const questions = keeper(() => make("fieldset"));
  const shown =
    /** @type {WeakMap<HTMLElement, { text: string, options: Option[], mark: (chosen: number) => void }>} */ (
      new WeakMap()
    );
  let groups = 0;

  /** @param {HTMLElement} field @param {number} number */
  function pick(field, number) {
    const option = shown.get(field)?.options[number];
    if (option)
      press({ label: option.label, code: option.code, style: "house", letter: "", step: "", tap: "", plays: false });
  }

  /** What stands before the words of *option*. @param {Option} option */
  function sign({ colour, cover }) {
    if (cover) return make("img", { src: cover, alt: "", width: 72, height: 48, loading: "lazy" });
    if (!colour) return "";
    const dot = make("span", { class: "dot", "aria-hidden": "true" });
    dot.style.setProperty("background", colour);
    return dot;
  }

  /** @param {HTMLElement} field @param {Choice} choice */
  function build(field, { name, chosen, options }) {
    // "Level 2: novice" below the heading "Level" is "2: novice".
    const short = (/** @type {string} */ label) =>
      name && label.startsWith(`${name} `) ? label.slice(name.length + 1) : label;
    const drawn = options.some((one) => one.cover);
    const legend = make("legend", {}, name);
    if (chosen < 0) {
      const keys = options.map((one, at) => make("button", { class: "key", click: () => pick(field, at) }, one.label));
      field.replaceChildren(name ? legend : "", make("div", { class: "parts" }, ...keys));
      return () => {};
    }
    if (options.length > MANY && !drawn) {
      const list = make(
        "select",
        { "aria-label": name, change: () => pick(field, list.selectedIndex) },
        ...options.map((one) => make("option", {}, short(one.label))),
      );
      field.replaceChildren(legend, list);
      return (/** @type {number} */ at) => void (list.selectedIndex = at);
    }
    groups += 1;
    const radios = options.map((_, at) =>
      make("input", { type: "radio", name: `question-${groups}`, change: () => pick(field, at) }),
    );
    const labels = options.map((one, at) =>
      make("label", {}, radios[at], sign(one), make("span", {}, short(one.label))),
    );
    field.replaceChildren(legend, make("div", { class: drawn ? "parts drawn" : "parts" }, ...labels));
    return (/** @type {number} */ at) => radios.forEach((one, number) => void (one.checked = number === at));
  }

  return {
    root,
    /** Show *choices*: those that stay keep the focus. @param {Choice[]} choices */
    show(choices) {
      arrange(
        root,
        choices.map((choice, at) => {
          const field = questions.of(choice.name || String(at));
          const text = JSON.stringify([
            choice.name,
            choice.chosen < 0,
            choice.options.map(({ label, colour, cover }) => [label, colour, cover]),
          ]);
          let known = shown.get(field);
          if (known?.text !== text) known = { text, options: [], mark: build(field, choice) };
          known.options = choice.options;
          shown.set(field, known);
          known.mark(choice.chosen);
          return field;
        }),
      );
      questions.done();
    },
  };
}
