/* The scripts of a bundle share one scope: what one declares must not stand before what another means of the browser. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { analyze } from "eslint-scope";
import { parse } from "espree";

const FOLDER = new URL("../../bot/chats/web/static/", import.meta.url);
const form = { ecmaVersion: 2022, sourceType: "module" };

/** What a script declares for all, and what it takes from the browser. */
function names(text) {
  const { globalScope, scopes } = analyze(parse(text, { ...form, range: true }), form);
  const own = scopes.find((scope) => scope.type === "module").variables.filter((one) => one.defs[0]?.type !== "ImportBinding");
  return { own: own.map((one) => one.name), free: globalScope.through.map((one) => one.identifier.name) };
}

const scripts = readdirSync(FOLDER).filter((name) => name.endsWith(".js")).map((name) => [name, names(readFileSync(new URL(name, FOLDER), "utf8"))]);

test("no script hides a name of the browser from another", () => {
  const declared = new Set(scripts.flatMap(([, { own }]) => own));
  const hidden = scripts.flatMap(([name, { free }]) => free.filter((one) => declared.has(one)).map((one) => `${name}: ${one}`));
  assert.deepEqual(hidden, []);
});

test("what hides one would be found", () => {
  const { own, free } = names("import { a } from './a.js'; const name = a; function draw() { return status; }");
  assert.deepEqual([own, free], [["name", "draw"], ["status"]]);
});
