/* Pacing: one board after the other, one's own roll first. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { World } from "./world.js";

let world, pace, seen, hidden;

const die = (number) => ({ number, start: [0, 0, 0.1, 0.1], end: [0, 0, 0.1, 0.1], spins: true, face: "parchis-die3" });
const step = (number) => ({ number, start: [0, 0, 0.1, 0.1], end: [0.5, 0, 0.1, 0.1], spins: false, face: "" });
const board = (version, count, mine, motions = []) => ({ table: "AAAAAA", version, count, mine, motions, countdown: null });

beforeEach(async () => {
  world = new World();
  const { pacing } = await import("../../bot/chats/web/static/pacing.js");
  [seen, hidden] = [[], false];
  pace = pacing({
    show: (shown) => seen.push({ at: world.now, version: shown.version, shown }),
    newest: () => seen.at(-1)?.shown,
    hidden: () => hidden,
  });
  pace.take(board(1, 5, true));
});

const versions = () => seen.map((one) => one.version);

test("a board that comes alone is shown at once", () => {
  pace.take(board(2, 6, false, [step(5)]));
  assert.deepEqual(versions(), [1, 2]);
  assert.equal(seen[1].at, 0);
});

test("one's own roll is seen for 600 milliseconds and more before the answer to it, a hundred times of a hundred", () => {
  for (let turn = 0, version = 1, count = 5; turn < 100; turn++) {
    const own = seen.length;
    pace.take(board(++version, (count += 3), false, [die(count - 2)]));
    world.pass(2 + (turn % 30));
    pace.take(board(++version, (count += 3), true, [die(count - 2), step(count - 1)]));
    world.pass(5000);
    assert.equal(seen.length, own + 2);
    assert.ok(seen[own + 1].at - seen[own].at >= 600, `${seen[own + 1].at - seen[own].at} ms`);
  }
});

test("also where nothing could be moved and no die is told of", () => {
  pace.take(board(2, 8, false));
  pace.take(board(3, 11, true));
  world.pass(5000);
  assert.ok(seen[2].at - seen[1].at >= 600);
});

test("what came meanwhile follows in its order, each after the one before was seen", () => {
  for (let version = 2; version < 6; version++) pace.take(board(version, 4 + version, false, [step(3 + version)]));
  world.pass(10_000);
  assert.deepEqual(versions(), [1, 2, 3, 4, 5]);
  for (let one = 2; one < seen.length; one++) assert.ok(seen[one].at - seen[one - 1].at >= 350);
  assert.ok(seen.at(-1).at <= 2500);
});

test("a tap skips to the newest", () => {
  for (let version = 2; version < 6; version++) pace.take(board(version, 4 + version, false, [step(3 + version)]));
  assert.equal(pace.skip(), true);
  assert.deepEqual(versions(), [1, 2, 5]);
  world.pass(10_000);
  assert.deepEqual(versions(), [1, 2, 5]);
  assert.equal(pace.skip(), false);
});

test("nothing waits while nobody looks, nor in time trouble, nor where the player wants no waiting", () => {
  const two = (version, more = {}) => {
    pace.take({ ...board(version, 4 + version, false, [step(3 + version)]), ...more });
    pace.take({ ...board(version + 1, 5 + version, false, [step(4 + version)]), ...more });
  };
  hidden = true;
  two(2);
  hidden = false;
  two(4, { countdown: { until: world.now + 15_000 } });
  world.kept.set("pace", "none");
  two(6);
  assert.deepEqual(versions(), [1, 2, 3, 4, 5, 6, 7]);
  assert.ok(seen.every((one) => one.at === 0));
});

test("a long series is not played one by one", () => {
  for (let version = 2; version < 40; version++) pace.take(board(version, 4 + version, false, [step(3 + version)]));
  world.pass(8000);
  assert.equal(versions().at(-1), 39);
});
