/* Packed messages: each by itself, but for what all go on from, in their turn among the plain ones. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { beforeEach, test } from "node:test";
import { constants, createDeflateRaw } from "node:zlib";
import { unpacking } from "../../bot/chats/web/static/unpacking.js";

const LONG = "Storilljuðjorrayc 歩 ".repeat(5000);

const PRIME = '{"kind":"answer","id":"","good":true}\n';

let heard, take;

/** *text* as the server packs it after *before*, which is answered too, packed. */
const packed = (text, before = PRIME) => new Promise((done) => {
  const packer = createDeflateRaw(), parts = [];
  packer.on("data", (part) => parts.push(part));
  packer.write(before);
  packer.flush(constants.Z_SYNC_FLUSH, () => {
    const first = Buffer.concat(parts.splice(0));
    packer.on("end", () => done([first, Buffer.concat(parts)]));
    packer.end(text);
  });
});

const all = async (count) => {
  while (heard.length < count) await new Promise((done) => setTimeout(done, 1));
};

beforeEach(async () => {
  heard = [];
  take = unpacking((text) => void heard.push(text));
});

test("a plain message is heard at once", () => {
  take("one");
  assert.deepEqual(heard, ["one"]);
});

test("plain and packed messages are heard as they came, whole, in every script", async () => {
  const [[first, a], [, b], [, long], [, z]] = await Promise.all(["a", "歩", LONG, "z"].map((one) => packed(one)));
  for (const one of ["before", first, a, b, long, "plain", z, "last"]) take(one);
  await all(7);
  assert.deepEqual(heard, ["before", "a", "歩", LONG, "plain", "z", "last"]);
});

test("what the first one has is short", async () => {
  const text = PRIME.trim(), [first, one] = await packed(text), [, other] = await packed(text, "x\n");
  assert.ok(one.length < other.length / 2, `${one.length} of ${other.length}`);
  for (const data of [first, one, one]) take(data);
  await all(2);
  assert.deepEqual(heard, [text, text]);
});

test("what cannot be unpacked takes nothing else with it", async () => {
  const [first, one] = await packed("one");
  for (const data of [first, new Uint8Array([7, 7, 7]), one, "next"]) take(data);
  await all(2);
  assert.deepEqual(heard, ["one", "next"]);
});
