/* Countdowns: what is left is counted by a clock that nobody sets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "./world.js";

const world = new World();
const { begin, correct } = await import("../../bot/chats/web/static/clock.js");

test("a clock of the day that is seven minutes off changes nothing", () => {
  const countdown = { said: "You run out of time", left: 600_000, plain: "" };
  world.pass(5000);
  begin(countdown);
  world.day -= 420_000;
  assert.equal(countdown.until - world.now, 600_000);
  world.pass(1000);
  assert.equal(countdown.until - world.now, 599_000);
});

test("a board that is drawn again keeps the end of its countdown", () => {
  const countdown = { said: "", left: 10_000, plain: "" };
  begin(countdown);
  const { until } = countdown;
  world.pass(4000);
  begin(countdown);
  assert.equal(countdown.until, until);
});

test("what came with the page itself is counted from when the page came", () => {
  const countdown = { said: "", left: 10_000, plain: "" };
  begin(countdown, 200);
  assert.equal(countdown.until, 10_200);
});

test("the answer to a ping sets countdowns right that a sleep has stopped, and no others", () => {
  const counted = (table, left) => [table, { table, countdown: { said: "", left, plain: "" } }];
  const boards = new Map([counted("AAAAAA", 60_000), counted("BBBBBB", 60_000), ["CCCCCC", { table: "CCCCCC", countdown: null }]]);
  for (const { countdown } of boards.values()) begin(countdown);
  assert.deepEqual(correct(boards, { AAAAAA: 45_000, BBBBBB: 59_900, CCCCCC: 5 }), ["AAAAAA"]);
  assert.equal(boards.get("AAAAAA").countdown.until - world.now, 45_000);
  assert.equal(boards.get("BBBBBB").countdown.until - world.now, 60_000);
  assert.deepEqual(correct(boards, {}), []);
});
