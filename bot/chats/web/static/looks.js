/* What a player has seen of each table, so that what happened since is played when they look again. */
import { remembered } from "./dom.js";
/** @import { Board, Motion } from "../protocol" */

const KEPT = 40; // tables whose last look this device stores

/** @param {() => boolean} hidden whether nobody looks at the page */
export function looks(hidden) {
  const missed = /** @type {Map<string, number>} */ (new Map()); // by table the entry from which on nothing was seen
  const stored = () => {
    try {
      return /** @type {[string, number][]} */ (JSON.parse(remembered("seen") || "[]"));
    } catch {
      return [];
    }
  };

  return {
    /**
     * A board came that is in view, or not.
     * @param {Board} board
     * @param {Board | undefined} old
     * @param {boolean} inView
     */
    came(board, old, inView) {
      const known = old ? old.count : stored().find(([table]) => table === board.table)?.[1] ?? board.count;
      if (board.count <= known || missed.has(board.table)) return;
      if (!old || !inView || hidden()) missed.set(board.table, known);
    },
    /**
     * The motions of *board* that the player has not seen, who looks at it now.
     * @param {Board} board
     * @returns {Motion[]}
     */
    seen(board) {
      if (hidden()) return [];
      const from = missed.get(board.table);
      missed.delete(board.table);
      const others = stored().filter(([table]) => table !== board.table);
      remembered("seen", JSON.stringify([...others, [board.table, board.count]].slice(-KEPT)));
      return from === undefined ? [] : board.motions.filter((one) => one.number >= from);
    },
  };
}
