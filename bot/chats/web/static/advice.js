/* Advice to a player: its words above the board's, and what it is about marked on the board, until something
happens. */
import { make, placeOn } from "./dom.js";
/** @import { Board, Spot } from "../protocol" */

/** @param {(table: string) => Board | undefined} newest the newest board of a table */
export function advising(newest) {
  const given = /** @type {Map<string, { version: number, said: string, marks: Spot[] }>} */ (new Map());

  const at = (/** @type {string} */ table) => {
    const one = given.get(table);
    return one && one.version === newest(table)?.version ? one : null;
  };

  return {
    /**
     * Keep advice for the board that stands at *table* now.
     * @param {string} table
     * @param {string} said
     * @param {Spot[]} marks
     */
    give: (table, said, marks) => void given.set(table, { version: newest(table)?.version ?? -1, said, marks }),
    /** The words of the advice that is due at *table*. @param {string} table */
    words: (table) => at(table)?.said ?? "",
    /** Its marks on the picture. @param {string} table */
    marks: (table) => (at(table)?.marks ?? []).map((cell) => {
      const mark = make("span", { class: "planned advised", "aria-hidden": "true" });
      placeOn(mark, cell);
      return mark;
    }),
  };
}
