/* What a finger means beside what can be played: taking a choice back, or asking why nothing can be played there. */
/** @import { Board, Frame } from "../protocol" */

/**
 * *boards* are the newest of each table, *menus* the choices so far; *moves* steps through the past, *what* tries other
 * moves, *choices* and *plans* are those of the table in view.
 * @param {{ boards: Map<string, Board>, menus: Map<string, Board>, view: () => string, moves: { moment: () => unknown
 *   },
 *   what: () => { at: (table: string) => { shown: Board } | null, back: () => void } | null,
 *   choices: { cancel: () => void },
 *   plans: { point: (board: Board, x: number, y: number) => void }, act: (frame: Frame) => void }} parts
 */
export function pointing({ boards, menus, view, moves, what, choices, plans, act }) {
  return {
    /** Clear the choice. */
    cancel() {
      if (what()?.at(view())?.shown.path.length) what()?.back();
      choices.cancel();
    },
    /** Ask why nothing can be played at a point. @param {number} x @param {number} y */
    point(x, y) {
      const board = menus.get(view()) ?? boards.get(view());
      if (!board || board.over || what()?.at(view()) || x < 0 || y < 0 || x > 1 || y > 1) return;
      if (!board.mine && !moves.moment()) plans.point(board, x, y);
      if (!board.mine) return;
      act({ kind: "point", table: view(), path: board.path.join(","), at: `${x.toFixed(4)},${y.toFixed(4)}` });
    },
  };
}
