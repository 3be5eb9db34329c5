/* Terms: found as they are written, and no part of another word. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "./world.js";

const world = new World();
world.document.getElementById = () => ({ addEventListener() {}, setAttribute() {}, dataset: {}, classList: { toggle() {}, contains() {} } });
const { meaningOf, textParts, termsIn } = await import("../../bot/chats/web/static/terms.js");

const terms = termsIn("sat, sati: a square\nlondë: the route that wins: shore to shore\ncirya, ciryar: a ship");

test("a line has words, a colon, and what they mean", () => {
  assert.deepEqual(terms.map((one) => one.words), [["sat", "sati"], ["londë"], ["cirya", "ciryar"]]);
  assert.equal(terms[1].gloss, "the route that wins: shore to shore");
  assert.deepEqual(termsIn(""), []);
});

test("terms are found in every case and form, and not within other words", () => {
  const found = (text) => textParts(text, terms).filter((part) => part.term).map((part) => part.text);
  assert.deepEqual(found("Which sat? ¡Londë! A CIRYA and two ciryar."), ["sat", "Londë", "CIRYA", "ciryar"]);
  assert.deepEqual(found("saturday, hallacirya, londëa"), []);
  assert.equal(textParts("A sat.", terms).map((part) => part.text).join(""), "A sat.");
  assert.deepEqual(textParts("sat", []), [{ text: "sat" }]);
});

test("a key that is a term says what it means", () => {
  assert.equal(meaningOf("¡Londë!", terms), terms[1].gloss);
  assert.equal(meaningOf("cirya", terms), "a ship");
  assert.equal(meaningOf("a cirya", terms), "");
});
