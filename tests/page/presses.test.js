/* No move is lost: a double tap is one press, and another move pressed as quickly is one of its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "./world.js";

const world = new World();
const { pageButtons, pressing } = await import("../../bot/chats/web/static/presses.js");

const button = (step, turn = 1) => ({ label: step, code: `${step}.${turn}`, style: "move", letter: "", step, tap: "", plays: true });
const board = (steps, turn = 1) => ({ table: "K7", version: turn, rows: [steps.map((step) => button(step, turn))], spots: [], ends: [], path: [], lines: [], over: false });

/** Let something happen by the world's clock, which a page that is busy comes to *late*. */
function happen(kind, told = {}, late = 0) {
  const event = Object.assign(new Event(kind), told);
  document.dispatchEvent(Object.defineProperty(event, "timeStamp", { value: performance.now() - late }));
}

/** A table with the moves *steps*, and what was sent of it. */
function table(...steps) {
  const boards = new Map([["K7", board(steps)]]), sent = [], open = new Set();
  const { press } = pressing({
    boards, menus: new Map(), words: () => ({}), view: () => "K7", own: {},
    act: (frame) => (sent.push(frame.code), open.add(frame)),
    asked: () => sent.length, waits: (which) => [...open].some(which), waiting: () => {}, newer: () => {}, drawn: () => {},
  });
  world.pass(1000);
  return {
    sent,
    tap(step, left, turn = 1, late = 0) {
      happen("pointerdown", { clientX: left, clientY: 100 }, late);
      press(button(step, turn), "K7", null);
    },
    key(step, turn = 1) {
      happen("keydown");
      press(button(step, turn), "K7", null);
    },
    answered(turn, ...next) {
      open.clear();
      boards.set("K7", board(next, turn));
    },
  };
}

test("a double tap is one press, before its answer and after", () => {
  const { sent, tap, answered } = table("a1", "b2");
  tap("a1", 50);
  world.pass(80);
  tap("a1", 53);
  assert.deepEqual(sent, ["a1.1"]);
  answered(2, "a1", "c3");
  world.pass(80);
  tap("c3", 55, 2); // something else has come to lie under the finger
  assert.deepEqual(sent, ["a1.1"]);
});

test("the second half of a double tap is none of its own on a page that was busy meanwhile", () => {
  const { sent, tap, answered } = table("a1");
  tap("a1", 50);
  answered(2, "c3");
  world.pass(900);
  tap("c3", 53, 2, 800);
  assert.deepEqual(sent, ["a1.1"]);
  world.pass(500);
  tap("c3", 53, 2);
  assert.deepEqual(sent, ["a1.1", "c3.2"]);
});

test("another move within the time of a double tap is sent, on the same board and on the next", () => {
  const { sent, tap, answered } = table("a1", "b2");
  tap("a1", 50);
  world.pass(80);
  tap("b2", 90);
  world.pass(80);
  answered(2, "c3");
  tap("c3", 140, 2);
  assert.deepEqual(sent, ["a1.1", "b2.1", "c3.2"]);
});

test("a small place beside what was tapped is another one on the same board", () => {
  const { sent, tap } = table("a1", "b2");
  tap("a1", 50);
  world.pass(200);
  tap("b2", 62);
  assert.deepEqual(sent, ["a1.1", "b2.1"]);
});

test("by the keyboard the same key is one press, and another key is another", () => {
  const { sent, key, answered } = table("roll");
  key("roll");
  answered(2, "roll", "d4");
  world.pass(150);
  key("roll", 2);
  assert.deepEqual(sent, ["roll.1"]);
  key("d4", 2);
  assert.deepEqual(sent, ["roll.1", "d4.2"]);
});

test("what is tapped at the same place once the time of a double tap is over is sent", () => {
  const { sent, tap, answered } = table("a1");
  tap("a1", 50);
  answered(2, "c3");
  world.pass(401);
  tap("c3", 50, 2);
  assert.deepEqual(sent, ["a1.1", "c3.2"]);
});

test("after one's own move another table that waits is one key away, and before it is not", () => {
  const words = { "other-table": "Otra mesa" }, at = (told) => ({ ...board(["a1"]), open: false, mine: false, ...told });
  const steps = (told, waits) => pageButtons(at(told), false, waits, words).map(({ step, label }) => `${step} ${label}`);
  assert.deepEqual(steps({}, true), ["next Otra mesa"]);
  assert.deepEqual(steps({}, false), []);
  assert.deepEqual(steps({ mine: true }, true), []);
});
