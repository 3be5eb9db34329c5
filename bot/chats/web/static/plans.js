/* Planned moves: chosen while others are to move, each played once at the player's turn. */

import { within } from "./aim.js";
import { make, placeOn } from "./dom.js";
/** @import { Board, Frame, Plan, Spot } from "../protocol" */

const SIZE = 0.1; // of the width: what is marked of a board on which no place is known

/** @typedef {Omit<Spot, "step">} Cell */

/**
 * The plans of each table. A tap is marked at once, at the place that it seems to be on, until its meaning is told.
 * *ask* requests the meaning of the point *at* on the picture, *play* plays a typed move, *told* is called with a new
 * plan, *drawn* when plans are to be drawn anew.
 * @param {{ ask: (table: string, path: string, at: string) => void, play: (table: string, typed: string) => void,
 *   told: (typed: string) => void, drawn: () => void }} parts
 */
export function planning({ ask, play, told, drawn }) {
  const plans = /** @type {Map<string, Plan[]>} */ (new Map());
  // taps whose meaning is asked, one after the other
  const asked = /** @type {Map<string, { at: string, cell: Cell }[]>} */ (new Map());
  const places = /** @type {Map<string, Cell[]>} */ (new Map()); // where the player could tap in their last turn

  /** @param {string} table */
  function drop(table) {
    const [planned, waited] = [plans.delete(table), asked.delete(table)];
    if (planned || waited) drawn();
  }

  /** The place of a point: one that is known, or one beside it of the same size. @param {Board} board
   * @param {number} x @param {number} y @returns {Cell} */
  function around({ table, width, height }, x, y) {
    const known = places.get(table) ?? [], h = (SIZE * width) / height;
    const one = known.find((cell) => within(cell, x, y)) ?? known[0] ?? { x: x - SIZE / 2, y: y - h / 2, w: SIZE, h };
    const beside = (/** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ to) =>
      from + Math.floor((to - from) / size) * size;
    return { ...one, x: beside(one.x, one.w, x), y: beside(one.y, one.h, y) };
  }

  return {
    drop,
    /** @param {Board} board @param {number} x @param {number} y */
    point(board, x, y) {
      const { table } = board, last = plans.get(table)?.at(-1), waits = asked.get(table) ?? [];
      const cell = waits.at(-1)?.cell ?? last?.cell;
      if (last?.typed || (cell && within(cell, x, y))) drop(table);
      else if (!board.watches && !board.open) {
        const at = `${x.toFixed(4)},${y.toFixed(4)}`;
        asked.set(table, [...waits, { at, cell: around(board, x, y) }]);
        drawn();
        if (!waits.length) ask(table, last?.step ?? "", at);
      }
    },
    /** Take the *plan* that the point of *frame* means. @param {Frame} frame @param {Plan | null} plan */
    came({ table = "", at }, plan) {
      const [first, ...rest] = asked.get(table) ?? [];
      if (first?.at !== at) return; // dropped meanwhile
      // A tap after a whole move drops it.
      if (!plan || (plan.typed && rest.length)) return drop(table);
      plans.set(table, [...(plans.get(table) ?? []), plan]);
      asked.set(table, rest);
      drawn();
      if (plan.typed) told(plan.typed);
      else if (rest.length) ask(table, plan.step, rest[0].at);
    },
    /** Play the plan once it is the player's turn. @param {Board} board */
    turned(board) {
      // An offer may be answered out of turn, too.
      const typed = plans.get(board.table)?.at(-1)?.typed,
        turn = board.mine && board.rows.flat().some((one) => one.style === "move");
      if (board.spots.length) places.set(board.table, board.spots);
      if (board.over || turn) drop(board.table);
      if (typed && turn) play(board.table, typed);
    },
    /** The marks of the plans on the picture. @param {string} table */
    marks: (table) => [...(plans.get(table) ?? []), ...(asked.get(table) ?? [])].map(({ cell }) => {
      const mark = make("span", { class: "planned", "aria-hidden": "true" });
      placeOn(mark, cell);
      return mark;
    }),
  };
}
