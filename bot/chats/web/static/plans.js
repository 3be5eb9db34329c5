/* Planned moves: chosen while others are to move, each played once at the player's turn. */

import { make, placeOn } from "./dom.js";
/** @import { Board, Plan } from "../protocol" */

/**
 * The plans of each table. *ask* requests the meaning of a point on the picture, *play* plays a typed move,
 * *told* is called with a new plan, *drawn* when plans are to be drawn anew.
 * @param {{ ask: (table: string, path: string, x: number, y: number) => void,
 *   play: (table: string, typed: string) => void, told: (typed: string) => void, drawn: () => void }} parts
 */
export function planning({ ask, play, told, drawn }) {
  const plans = /** @type {Map<string, Plan[]>} */ (new Map());

  /** @param {string} table */
  function drop(table) {
    if (plans.delete(table)) drawn();
  }

  return {
    drop,
    /** @param {Board} board @param {number} x @param {number} y */
    point(board, x, y) {
      const last = plans.get(board.table)?.at(-1), cell = last?.cell;
      const again = cell && x >= cell.x && x < cell.x + cell.w && y >= cell.y && y < cell.y + cell.h;
      if (last?.typed || again) drop(board.table);
      else ask(board.table, last?.step ?? "", x, y);
    },
    /** @param {string} table @param {Plan | null} plan */
    came(table, plan) {
      if (!plan) {
        drop(table);
        return;
      }
      plans.set(table, [...(plans.get(table) ?? []), plan]);
      drawn();
      if (plan.typed) told(plan.typed);
    },
    /** Play the plan once it is the player's turn. @param {Board} board */
    turned(board) {
      // An offer may be answered out of turn, too.
      const typed = plans.get(board.table)?.at(-1)?.typed,
        turn = board.mine && board.rows.flat().some((one) => one.style === "move");
      if (board.over || turn) drop(board.table);
      if (typed && turn) play(board.table, typed);
    },
    /** The marks of the plans on the picture. @param {string} table */
    marks: (table) => (plans.get(table) ?? []).map(({ cell }) => {
      const mark = make("span", { class: "planned", "aria-hidden": "true" });
      placeOn(mark, cell);
      return mark;
    }),
  };
}
