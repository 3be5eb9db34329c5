/* The line of the page: for moves or for talk, and never turned from one to the other under somebody's fingers. */
import assert from "node:assert/strict";
import { test } from "node:test";

/** An element that keeps what it is told, as far as the talk asks. */
class Part {
  constructor() {
    Object.assign(this, { dataset: {}, value: "", hidden: false, placeholder: "", children: [], attributes: {}, textContent: "" });
    this.classList = { add() {}, remove() {}, contains: () => false, toggle: () => false };
  }
  addEventListener() {}
  dispatchEvent() {}
  setAttribute(name, value) { this.attributes[name] = value; }
  getAttribute(name) { return this.attributes[name]; }
  replaceChildren(...parts) { this.children = parts; }
  append(...parts) { this.children.push(...parts); }
  prepend(...parts) { this.children.unshift(...parts); }
  querySelector() { return null; }
  querySelectorAll() { return []; }
  focus() { document.activeElement = this; }
}

const parts = new Map();
globalThis.document = {
  body: new Part(), activeElement: null, createElement: () => new Part(),
  getElementById: (id) => parts.get(id) ?? parts.set(id, new Part()).get(id),
};
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
const { talking } = await import("../../bot/chats/web/static/talk.js");

const words = { "say-here": "Say something", placeholder: "A move or /command", line: "Move or command" };
const spoken = (readers, lines = []) => ({ table: "AAAAAA", whole: true, lines, deaf: "", readers });

function phone() {
  const input = new Part(), flow = new Part();
  document.activeElement = document.body;
  const chat = talking({ input, words: () => words, flowOf: () => flow, emote() {}, mute() {}, look() {}, title: () => "", thumbs: true });
  chat.at("AAAAAA");
  return { input, chat };
}

test("on a phone the line is for talk where others read it, and says so", () => {
  const { input, chat } = phone();
  chat.came(spoken(0));
  assert.equal(chat.speaks(), false);
  assert.equal(input.placeholder, "A move or /command");
  chat.came(spoken(1));
  assert.equal(chat.speaks(), true);
  assert.equal(input.placeholder, "Say something");
});

test("who has begun a move plays it, although somebody comes in or speaks meanwhile", () => {
  const { input, chat } = phone();
  input.value = "7g7";
  chat.came(spoken(1));
  assert.equal(chat.speaks(), false);
  assert.equal(input.placeholder, "A move or /command");
});

test("nor does the line turn under a finger that has just touched it", () => {
  const { input, chat } = phone();
  input.focus();
  chat.came(spoken(1));
  assert.equal(chat.speaks(), false);
  document.activeElement = document.body;
  chat.came(spoken(1));
  assert.equal(chat.speaks(), true);
});
