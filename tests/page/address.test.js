import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "./world.js";

const world = new World();
const { above, addressOf, atTable, here, HOME, narrowed, pathOf, placeAt } = await import("../../bot/chats/web/static/address.js");

/** Open the page at *address*, with its base. */
function open(address, base = "http://ludoteca.test/p/1/") {
  globalThis.location = new URL(address);
  world.document.baseURI = base;
}

test("each screen has a path of its own, and nothing else is a screen", () => {
  for (const path of ["", "t/ABC123", "t/ABC123/41", "play/niya", "learn", "learn/niya", "puzzle/shogi", "rules/cirya", "settings", "games", "help", "people", "people/niya", "people/niya/month/2",
    `people/${"0f".repeat(16)}`, "tournaments", "tournaments/ABC123"]) {
    assert.equal(pathOf(placeAt(path)), path);
  }
  for (const path of ["play", "t/", "t/../x", "constructor", "learn/../..", "people/1", "people/NIYA", `people/${"f".repeat(33)}`, "tournaments/x"]) assert.equal(placeAt(path), HOME);
  assert.deepEqual(placeAt("t/abc123/x"), atTable("ABC123"));
});

test("the screen stands in the path, below the base", () => {
  open("http://ludoteca.test/p/1/t/ABC123/7");
  assert.deepEqual(here(), atTable("ABC123", 7));
  assert.equal(addressOf(placeAt("learn/niya")), "/p/1/learn/niya");
  assert.equal(addressOf(HOME), "/p/1/");
});

test("links of earlier releases lead where they led", () => {
  open("http://ludoteca.test/p/1/#ABC123/7");
  assert.deepEqual(here(), atTable("ABC123", 7));
  open("http://ludoteca.test/p/1/#niya");
  assert.deepEqual(here(), placeAt("play/niya"));
});

test("within Discord the address of the frame stays, with its query, and the screen stands behind it", () => {
  open("http://ludoteca.test/?instance_id=i#t/ABC123", "http://ludoteca.test/d/s/1-token/");
  assert.deepEqual(here(), atTable("ABC123"));
  assert.equal(addressOf(placeAt("settings")), "/?instance_id=i#settings");
  assert.equal(addressOf(HOME), "/?instance_id=i");
  globalThis.location = new URL("http://ludoteca.test/?instance_id=i#settings");
  assert.deepEqual(here(), placeAt("settings"));
});

test("each screen has one above it, to which its way back leads", () => {
  for (const [path, up] of [["learn/niya", "learn"], ["learn", ""], ["play/niya", ""], ["tournaments/ABC123", "tournaments"], ["people/niya/month", ""],
    [`people/${"0f".repeat(16)}`, "people"], ["settings", ""]]) assert.equal(pathOf(above(placeAt(path))), up);
});

test("a card that names its game or its tournament gives the screen its own address", () => {
  const named = (path, headline, game = "") => pathOf(narrowed(placeAt(path), { headline, game }));
  assert.equal(named("learn", "Niya · 1 de 8", "niya"), "learn/niya");
  assert.equal(named("learn/niya", "¿Qué juego?"), "learn/niya");
  assert.equal(named("tournaments", "Torneo de Niya · suizo · ABC234"), "tournaments/ABC234");
  assert.equal(named("tournaments", "Torneo de Niya"), "tournaments");
  assert.equal(named("settings", "Tus ajustes", "niya"), "settings");
});
