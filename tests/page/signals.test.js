/* What the page makes heard when a board comes. */
import assert from "node:assert/strict";
import { test } from "node:test";

const { played, whenSignalled } = await import("../../bot/chats/web/static/signals.js");

const heard = [];
whenSignalled((one) => heard.push(one));

const before = { over: false, mine: false, count: 4, warned: false, motions: [], told: [], result: "" };
const one = { number: 4, start: [0, 0, 1, 1], end: [0, 0, 1, 1], spins: false, face: "" };
const line = (weight, number = 4) => ({ number, who: "", text: "", note: "", weight });

/** What is heard when a board like *changes* comes after *old*. */
function sounds(changes, old = before) {
  heard.length = 0;
  played({ ...before, count: 5, motions: [one], told: [line(1)], ...changes }, old);
  return heard.join(" ");
}

test("a move, a roll and a capture sound apart", () => {
  assert.equal(sounds({}), "move");
  assert.equal(sounds({ motions: [{ ...one, spins: true }] }), "roll");
  assert.equal(sounds({ told: [line(2)] }), "capture");
});

test("a capture that was heard before is not heard again", () => {
  assert.equal(sounds({ told: [line(2, 3), line(1)] }), "move");
});

test("check is heard when it comes, and one's turn after it", () => {
  assert.equal(sounds({ warned: true, mine: true }), "move check turn");
  assert.equal(sounds({ warned: true }, { ...before, warned: true }), "move");
});

test("a victory sounds other than any other end, and nothing beside it", () => {
  assert.equal(sounds({ over: true, result: "won", told: [line(2)] }), "won");
  assert.equal(sounds({ over: true, result: "lost" }), "over");
});
