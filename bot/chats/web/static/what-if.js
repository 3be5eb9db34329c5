/* What if: other moves from a moment of a finished game, for this page alone. */
/** @import { Answer, Board, Button, Frame } from "../protocol" */

/**
 * @param {{ ask: (frame: Frame, told: (answer: Answer) => void) => void, drawn: () => void }} parts
 */
export function supposing({ ask, drawn }) {
  let table = "", number = 0, path = "";
  let line = /** @type {string[]} */ ([]); // the moves tried so far, each by its steps
  let shown = /** @type {Board | null} */ (null), base = /** @type {Board | null} */ (null);

  function look() {
    const mine = [table, number, line, path].join(" ");
    ask({ kind: "if", table, at: String(number), moves: line.join(";"), path }, (answer) => {
      if (!answer.if || mine !== [table, number, line, path].join(" ")) return;
      shown = answer.if;
      if (!path) base = shown;
      drawn();
    });
  }

  function end() {
    if (!table) return;
    table = "";
    shown = base = null;
    drawn();
  }

  return {
    end,
    /** @param {string} code @param {number} at after how many entries of its log */
    begin(code, at) {
      [table, number, line, path, shown, base] = [code, at, [], "", null, null];
      look();
    },
    /** The board after the tried moves, if they are in view. @param {string} code */
    at: (code) => (code === table && shown ? { shown, base, tried: line.length } : null),
    /** @param {Button} button */
    choose(button) {
      const steps = button.code.slice(3);
      if (button.plays) line.push(steps);
      path = button.plays ? "" : steps;
      look();
    },
    /** Clear the choice, or take the last move back. */
    back() {
      if (!path) line.pop();
      path = "";
      look();
    },
  };
}
