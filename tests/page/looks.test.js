/* What happened since one's last look: played once, when one looks again. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { World } from "./world.js";

let world, hidden, look, looks;

const board = (count, table = "AAAAAA") => ({ table, count, motions: Array.from({ length: count }, (_, number) => ({ number })) });
const numbers = (motions) => motions.map((one) => one.number);

beforeEach(async () => {
  world = new World();
  hidden = false;
  ({ looks } = await import("../../bot/chats/web/static/looks.js"));
  look = looks(() => hidden);
});

test("a table that was never seen here has nothing to catch up with", () => {
  look.came(board(7), undefined, true);
  assert.deepEqual(look.seen(board(7)), []);
});

test("what was played while the page was closed is played when it is opened again, once", () => {
  look.came(board(7), undefined, true);
  look.seen(board(7));
  const again = looks(() => hidden);
  again.came(board(10), undefined, true);
  assert.deepEqual(numbers(again.seen(board(10))), [7, 8, 9]);
  assert.deepEqual(again.seen(board(10)), []);
});

test("what comes while one looks is no matter of the past", () => {
  look.came(board(7), undefined, true);
  look.seen(board(7));
  look.came(board(8), board(7), true);
  assert.deepEqual(look.seen(board(8)), []);
});

test("what comes while another table is in view, or nobody looks, waits for the next look", () => {
  look.came(board(3), undefined, true);
  look.seen(board(3));
  look.came(board(4), board(3), false);
  look.came(board(5), board(4), false);
  assert.deepEqual(numbers(look.seen(board(5))), [3, 4]);
  hidden = true;
  look.came(board(6), board(5), true);
  assert.deepEqual(look.seen(board(6)), []);
  hidden = false;
  assert.deepEqual(numbers(look.seen(board(6))), [5]);
});

test("what the browser stores may be anything", () => {
  world.kept.set("seen", "{");
  look.came(board(7), undefined, true);
  assert.deepEqual(look.seen(board(7)), []);
});
