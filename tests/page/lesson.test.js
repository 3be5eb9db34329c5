/* The first advice: it stays until it is done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lessons } from "../../bot/chats/web/static/lesson.js";

test("the advice stays for two moves of one's own, and for no end of others'", () => {
  const lesson = lessons();
  lesson.begin("AAAAAA", "Tap a card.");
  lesson.done("BBBBBB");
  assert.equal(lesson.at("AAAAAA"), "Tap a card.");
  lesson.done("AAAAAA");
  assert.equal(lesson.at("AAAAAA"), "Tap a card.");
  lesson.done("AAAAAA");
  assert.equal(lesson.at("AAAAAA"), "");
});

test("an ended game needs no advice", () => {
  const lesson = lessons();
  lesson.begin("AAAAAA", "Tap a card.");
  lesson.end("AAAAAA");
  assert.equal(lesson.at("AAAAAA"), "");
});
