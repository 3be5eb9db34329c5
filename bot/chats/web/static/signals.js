/* What happens to the player on the page, for whoever makes it heard or felt. */

/** @import { Board } from "../protocol" */

/** @typedef {"select" | "move" | "capture" | "check" | "roll" | "turn" | "refused" | "low" | "won" | "over"} Signal */

const takers = /** @type {((one: Signal) => void)[]} */ ([]);

/** Something happens. @param {Signal} one */
export function signal(one) {
  for (const take of takers) take(one);
}

/** Let *take* hear of all that happens from now on. @param {(one: Signal) => void} take */
export function whenSignalled(take) {
  takers.push(take);
}

/** What *board* brings after *old* happens. @param {Board} board @param {Board} old */
export function played(board, old) {
  const fresh = board.motions.filter((one) => one.number >= old.count);
  if (board.over && !old.over) return signal(board.result === "won" ? "won" : "over");
  if (board.told.some((one) => one.number >= old.count && one.weight > 1)) signal("capture");
  else signal(fresh.some((one) => one.spins) ? "roll" : "move");
  if (board.warned && !old.warned) signal("check");
  if (board.mine && !old.mine) signal("turn");
}
