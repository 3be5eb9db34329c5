/* Other moves are asked for by what was tried; an answer that comes late is not shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { supposing } from "../../bot/chats/web/static/what-if.js";

function trying() {
  const asked = [], answers = [];
  let drawn = 0;
  const what = supposing({ ask: (frame, told) => (asked.push(frame), answers.push(told)), drawn: () => (drawn += 1) });
  const answer = (at, headline) => answers[at]({ if: { headline, path: [] } });
  return { what, asked, answer, drawn: () => drawn };
}

const plays = (steps) => ({ code: `if:${steps}`, plays: true });
const leads = (steps) => ({ code: `if:${steps}`, plays: false });

test("a moment is asked for with the moves that were tried there before", () => {
  const { what, asked, answer } = trying();
  what.begin("K7", 12, "a1;b2,c3");
  assert.deepEqual(asked, [{ kind: "if", table: "K7", at: "12", moves: "a1;b2,c3", path: "" }]);
  answer(0, "so far");
  const { tried, number, moves } = what.at("K7");
  assert.deepEqual([tried, number, moves], [2, 12, "a1;b2,c3"]);
});

test("steps become a path, moves a line, and both are taken back", () => {
  const { what, asked } = trying();
  what.begin("K7", 3);
  what.choose(leads("a1"));
  what.choose(plays("a1,a2"));
  what.choose(plays("b1"));
  what.back();
  assert.deepEqual(asked.map(({ moves, path }) => [moves, path]), [["", ""], ["", "a1"], ["a1,a2", ""], ["a1,a2;b1", ""], ["a1,a2", ""]]);
});

test("what was asked before the last choice is not shown", () => {
  const { what, answer, drawn } = trying();
  what.begin("K7", 3);
  what.choose(plays("a1"));
  answer(0, "old");
  assert.equal(what.at("K7"), null);
  answer(1, "new");
  assert.equal(what.at("K7").shown.headline, "new");
  assert.equal(drawn(), 1);
});

test("a position is asked for by its game and its text", () => {
  const { what, asked, answer } = trying();
  what.pose("shogi", "9/9 b - 1");
  what.choose(plays("a1"));
  assert.deepEqual(asked, [
    { kind: "position", code: "shogi", line: "9/9 b - 1", moves: "", path: "" },
    { kind: "position", code: "shogi", line: "9/9 b - 1", moves: "a1", path: "" },
  ]);
  answer(1, "there");
  assert.equal(what.at("shogi").tried, 1);
  assert.equal(what.at("cirya"), null);
});
