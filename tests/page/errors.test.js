/* Faults in the field: told, a few, and without what only the player may know. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "./world.js";

const world = new World();
const { telling } = await import("../../bot/chats/web/static/errors.js");

function fail(stack, kind = "error") {
  const event = new Event(kind);
  Object.assign(event, { error: { stack }, reason: { stack } });
  world.listeners.dispatchEvent(event);
}

test("three faults are told, no more, and none while there is no connection", () => {
  const sent = [];
  let ready = false;
  telling((frame) => sent.push(frame), () => ready);
  fail("before");
  ready = true;
  fail("TypeError: x at https://play.example.org/t/0123456789abcdef-SecretToken_1/page.js:1:5");
  fail("promise", "unhandledrejection");
  fail("y".repeat(9000));
  fail("one too many");
  assert.deepEqual(sent.map((frame) => frame.kind), ["wrong", "wrong", "wrong"]);
  assert.equal(sent[0].line, "TypeError: x at https://play.example.org/…/page.js:1:5");
  assert.equal(sent[1].line, "promise");
  assert.equal(sent[2].line.length, 500);
});
