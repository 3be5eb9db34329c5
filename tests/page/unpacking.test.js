/* Packed messages: each by what those before it have told, in their turn among the plain ones. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Buffer } from "node:buffer";
import { constants, createDeflateRaw } from "node:zlib";
import { unpacking } from "../../bot/chats/web/static/unpacking.js";

let heard, take, packer;

/** *text* as the server packs it. */
const packed = (text) => new Promise((done) => {
  const parts = [];
  packer.on("data", (part) => parts.push(part));
  packer.write(`${text}\n`);
  packer.flush(constants.Z_SYNC_FLUSH, () => {
    packer.removeAllListeners("data");
    done(Buffer.concat(parts));
  });
});

const all = async (count) => {
  while (heard.length < count) await new Promise((done) => setTimeout(done, 1));
};

beforeEach(() => {
  heard = [];
  take = unpacking((text) => void heard.push(text));
  packer = createDeflateRaw();
});

test("a plain message is heard at once", () => {
  take("one");
  assert.deepEqual(heard, ["one"]);
});

test("plain and packed messages are heard as they came, whole, in every script", async () => {
  const long = "Storilljuðjorrayc 歩 ".repeat(5000);
  for (const text of ["a", "歩", long]) take(await packed(text));
  take("plain");
  take(await packed("z"));
  take("last");
  await all(6);
  assert.deepEqual(heard, ["a", "歩", long, "plain", "z", "last"]);
});

test("what stood in an earlier message is short", async () => {
  const text = "0123456789abcdefghijklmnopqrstuvwxyz".repeat(3), first = await packed(text), second = await packed(text);
  assert.ok(second.length < first.length / 3, `${second.length} of ${first.length}`);
  take(first);
  take(second);
  await all(2);
  assert.deepEqual(heard, [text, text]);
});
