/* What if: moves from a moment of a finished game, or from a position by its text, for this page alone. */
/** @import { Answer, Board, Button, Frame } from "../protocol" */

/**
 * @param {{ ask: (frame: Frame, told: (answer: Answer) => void) => void, drawn: () => void }} parts
 */
export function supposing({ ask, drawn }) {
  let table = "", number = 0, path = "", text = "";
  let line = /** @type {string[]} */ ([]); // the moves tried so far, each by its steps
  let shown = /** @type {Board | null} */ (null), base = /** @type {Board | null} */ (null);

  function look() {
    const mine = [table, number, text, line, path].join(" ");
    const asked = text
      ? { kind: /** @type {const} */ ("position"), code: table, line: text }
      : { kind: /** @type {const} */ ("if"), table, at: String(number) };
    ask({ ...asked, moves: line.join(";"), path }, (answer) => {
      if (!answer.if || mine !== [table, number, text, line, path].join(" ")) return;
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
    /**
     * @param {string} code
     * @param {number} at after how many entries of its log
     * @param {string} [moves] those tried there before
     */
    begin(code, at, moves = "") {
      [table, number, line, path, shown, base] = [code, at, moves ? moves.split(";") : [], "", null, null];
      look();
    },
    /** @param {string} game @param {string} written the text of a position */
    pose(game, written) {
      [table, text, line, path, shown, base] = [game, written, [], "", null, null];
      look();
    },
    /** The board after the tried moves, if they are in view. @param {string} code */
    at: (code) => (code === table && shown ? { shown, base, tried: line.length, number, moves: line.join(";") } : null),
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
