/* The place of the rule book: beside the board of a table, or where games are chosen. */
import { byId, make } from "./dom.js";
import { turnTo } from "./pane.js";
/** @import { Book, Frame, State } from "../protocol" */

/**
 * *theme* is that of the figures, *view* the table in view, *add* puts a card where games are chosen.
 * @param {{ words: () => State["words"], theme: () => string, view: () => string, ask: (frame: Frame) => void,
 *   add: (card: HTMLElement, table: string) => HTMLElement }} parts
 */
export function rules({ words, theme, view, ask, add }) {
  const panel = byId("book");
  let read = "", card = /** @type {HTMLElement | null} */ (null);

  byId("to-book").addEventListener("click", () => {
    if (read !== view()) ask({ kind: "rules", table: view() });
  });

  return {
    /** Drop the book, since the page's language has changed. */
    forget: () => void (read = ""),
    /** Show *book* at *table*. @param {Book} book @param {string} table */
    async came(book, table) {
      const { reading } = await import("./book.js");
      const page = reading(book, words(), theme());
      const beside = /^[0-9A-Z]/.test(table);
      if (beside && table !== view()) return;
      if (beside) {
        panel.replaceChildren(page);
        panel.scrollTop = 0;
        read = table;
        turnTo("book");
        return;
      }
      card?.remove();
      card = add(make("article", { class: "card", tabindex: "-1" }, page), table);
    },
  };
}
