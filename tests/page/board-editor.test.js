/* What is set up by hand: each act changes the newest text, and all of them are done in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { drafting } from "../../bot/chats/web/static/board-editor.js";

function editing() {
  const asked = [], answers = [];
  let drawn = 0;
  const draft = drafting({ ask: (frame, told) => (asked.push(frame), answers.push(told)), drawn: () => (drawn += 1) });
  const answer = (text, wrong = "") => answers.at(-1)({ good: true, if: {}, editor: { text, wrong, pieces: [], beside: [] } });
  draft.begin("shogi", "");
  return { draft, asked, answer, refuse: () => answers.at(-1)({ good: false }), drawn: () => drawn };
}

test("pieces that are put quickly are put one after the other, each on the text of the one before", () => {
  const { draft, asked, answer } = editing();
  answer("empty");
  draft.choose("P");
  answer("empty");
  draft.act("put,5e");
  draft.act("put,5f");
  assert.equal(asked.length, 3);
  answer("one");
  answer("two");
  assert.deepEqual(asked.slice(2).map(({ line, path, at }) => [line, path, at]), [["empty", "put,5e", "P"], ["one", "put,5f", "P"]]);
  assert.equal(draft.now().text, "two");
});

test("what is taken back is as it was, and nothing is taken back of a draft that is new", () => {
  const { draft, asked, answer } = editing();
  answer("empty");
  draft.undo();
  assert.equal(asked.length, 1);
  draft.act("turn");
  answer("turned");
  draft.undo();
  assert.deepEqual([asked.at(-1).line, asked.at(-1).path], ["empty", ""]);
  answer("empty");
  assert.equal(draft.now().done, 0);
});

test("what is refused changes nothing, and what was tapped after it is dropped", () => {
  const { draft, asked, answer, refuse } = editing();
  answer("empty");
  draft.act("put,5e");
  draft.act("put,5f");
  refuse();
  assert.equal(asked.length, 2);
  assert.equal(draft.now().text, "empty");
});

test("a draft that is begun while another is asked for is asked for at once", () => {
  const { draft, asked, answer } = editing();
  const late = asked.length;
  draft.begin("cirya", "");
  assert.equal(asked.length, late + 1);
  answer("cirya's");
  draft.act("turn");
  assert.deepEqual([asked.at(-1).code, asked.at(-1).line], ["cirya", "cirya's"]);
});

test("an answer to another draft is not shown", () => {
  const { draft, answer, drawn } = editing();
  const before = drawn();
  draft.end();
  answer("late");
  assert.equal(draft.now(), null);
  assert.equal(drawn(), before);
});
