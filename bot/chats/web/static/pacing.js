/* What happens quickly is shown one after the other: the player sees their own roll before the others' answers.

Boards of the table in view wait here in order until the one before has been seen; a tap skips to the newest. */
import { remembered } from "./dom.js";
import { lasting } from "./motion.js";
/** @import { Board } from "../protocol" */

/**
 * Milliseconds for which a board is seen at least: after the player's own move, after another's, and with no motion.
 */
const OWN = 450, OTHERS = 350, WORDS = 650;
const RESTS = 250; // milliseconds after the last motion
/** How much longer or shorter the player wants that, by what the device stores as `pace`. */
const PACES = /** @type {Record<string, number>} */ ({ slow: 1.8, "": 1, quick: 0.5, none: 0 });
const HURRY = 20000; // milliseconds on a clock below which nothing waits
const MOST = 12; // more than so many are not shown one by one

/** How long *board* is to be seen before what follows it. @param {Board} board @param {Board | undefined} old */
export function worth(board, old) {
  if (!old || board.count <= old.count) return 0;
  const fresh = board.motions.filter((one) => one.number >= old.count);
  const least = fresh.length ? (old.mine ? OWN : OTHERS) : WORDS;
  return Math.max(least, lasting(fresh) + RESTS) * (PACES[remembered("pace")] ?? 1);
}

/**
 * *show* shows a board, *newest* is the board of a table that is shown, *hidden* says whether nobody looks.
 * @param {{ show: (board: Board) => void, newest: (table: string) => Board | undefined, hidden: () => boolean }} parts
 */
export function pacing({ show, newest, hidden }) {
  let line = /** @type {Board[]} */ ([]); // what waits, in order; all of one table
  let until = 0; // when the board in view has been seen
  let timer = 0;

  /** @param {Board} board */
  function put(board) {
    const span = worth(board, newest(board.table));
    until = performance.now() + span;
    show(board);
  }

  function next() {
    clearTimeout(timer);
    const board = line.shift();
    if (!board) return;
    put(board);
    plan();
  }

  function plan() {
    clearTimeout(timer);
    if (line.length) timer = setTimeout(next, Math.max(0, until - performance.now()));
  }

  /** Show the newest board at once. */
  function skip() {
    clearTimeout(timer);
    const last = line.at(-1);
    line = [];
    until = 0;
    if (last) show(last);
    return Boolean(last);
  }

  return {
    skip,
    /** Whether boards wait. */
    waits: () => line.length > 0,
    /** Whether a new board of the table in view would have to wait. */
    busy: () => line.length > 0 || performance.now() < until,
    /** Show *board* of the table in view in its turn. @param {Board} board */
    take(board) {
      const left = board.countdown?.until === undefined ? Infinity : board.countdown.until - performance.now();
      if (line.length && line[0].table !== board.table) skip();
      line.push(board);
      if (hidden() || left < HURRY || line.length > MOST) skip();
      else if (performance.now() >= until && line.length === 1) next();
      else plan();
    },
  };
}
