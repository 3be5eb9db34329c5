/* The terms of a game, each with its line: whoever meets one can ask what it means. */
import { arrange, make } from "./dom.js";
import { say } from "./pane.js";

/** @typedef {{ words: string[], gloss: string }} Term */

/** The terms in *told*: on each line words, a colon, and what they mean. @param {string} told @returns {Term[]} */
export function termsIn(told) {
  return told.split("\n").filter(Boolean).map((line) => {
    const [names, ...gloss] = line.split(": ");
    return { words: names.split(", "), gloss: gloss.join(": ") };
  });
}

/** *text* in parts: words, and terms as they are written there. @param {string} text @param {Term[]} terms
 * @returns {{ text: string, term?: Term }[]} */
export function textParts(text, terms) {
  const every = terms.flatMap((term) => term.words.map((word) => ({ word, term })));
  if (!every.length) return [{ text }];
  const escaped = every
    .map(({ word }) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .sort((a, b) => b.length - a.length);
  const found = new RegExp("(?<!\\p{L})(" + escaped.join("|") + ")(?!\\p{L})", "giu");
  return text.split(found).filter(Boolean).map((part) => {
    const known = every.find(({ word }) => word.toLowerCase() === part.toLowerCase());
    return known ? { text: part, term: known.term } : { text: part };
  });
}

/** The terms that are all of a *label* but its signs. @param {string} label @param {Term[]} terms */
export const meaningOf = (label, terms) =>
  terms.find(({ words: names }) => names.includes(label.replace(/[^\p{L}]/gu, "").toLowerCase()))?.gloss ?? "";

/**
 * Write *text* into *element*, with its terms to be asked for.
 * @param {HTMLElement} element
 * @param {string} text
 * @param {Term[]} terms
 */
export function writeTerms(element, text, terms) {
  if (element.textContent === text) return;
  const shown = new Set();
  const parts = textParts(text, terms).map((part) => {
    const { term } = part;
    // Once a line is enough.
    if (!term || shown.has(term)) return make("span", {}, part.text);
    shown.add(term);
    const told = `${term.words[0]}: ${term.gloss}`;
    return make("button", { class: "term", title: told, click: () => say(told) }, part.text);
  });
  if (parts.length === 1 && !parts[0].title) element.textContent = text;
  else {
    element.textContent = "";
    arrange(element, parts);
  }
}
