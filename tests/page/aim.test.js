/* What fingers mean: they may miss what they select, and play only what they touch. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { aim, meantBy, risky } from "../../bot/chats/web/static/aim.js";

const SIDE = 9, WIDE = 321; // squares of 35.7 px, as on a phone of 390 px

/** A square of the board, column and row from 0. */
const square = (column, row) => ({ step: `${column},${row}`, x: column / SIDE, y: row / SIDE, w: 1 / SIDE, h: 1 / SIDE });
const button = (step, plays) => ({ label: step, code: `c${step}`, style: "move", letter: "", step, tap: "", plays });

function board(pieces, plays = false, path = []) {
  return { spots: pieces.map(([column, row]) => square(column, row)), rows: [pieces.map((one) => button(one.join(","), plays))], path, ends: [] };
}

const aimed = (screen, base = screen, width = WIDE) => ({ screen, base, width, height: width });
const px = (value) => value / WIDE;
const pawns = board([[2, 6], [3, 6]]);
const forward = board([[2, 5]], true, ["2,6"]);

test("a tap on a piece selects it", () => {
  const meant = aim(aimed(pawns), px(90), px(230), true);
  assert.equal(meant.kind, "select");
  assert.equal(meant.spot.step, "2,6");
});

test("a finger that misses a piece by a little selects it, and a mouse does not", () => {
  const [x, y] = [px(89), px(6 * 35.67 - 5)]; // five pixels before the pawn
  assert.equal(aim(aimed(pawns), x, y, true).spot.step, "2,6");
  assert.equal(aim(aimed(pawns), x, y, true).beside, true);
  assert.equal(aim(aimed(pawns), x, y, false).kind, "point");
});

test("a finger beside a destination plays nothing", () => {
  const inside = aim(aimed(forward, pawns), px(89), px(5 * 35.67 + 20), true);
  assert.equal(inside.kind, "press");
  assert.equal(inside.button.plays, true);
  // Six pixels inside the neighbour of the destination.
  assert.equal(aim(aimed(forward, pawns), px(3 * 35.67 + 6), px(5 * 35.67 + 18), true).kind, "point");
});

test("a tap on the chosen piece clears the choice, on another one selects that one", () => {
  assert.equal(aim(aimed(forward, pawns), px(90), px(230), true).kind, "cancel");
  const other = aim(aimed(forward, pawns), px(125), px(230), true);
  assert.deepEqual([other.kind, other.spot.step], ["select", "3,6"]);
});

test("of places that lie over one another the nearest is meant", () => {
  const over = { spots: [{ step: "a", x: 0, y: 0, w: 0.6, h: 1 }, { step: "b", x: 0.4, y: 0, w: 0.6, h: 1 }], rows: [[button("a"), button("b")]] };
  assert.equal(aim(aimed(over), 0.45, 0.5, true).spot.step, "a");
  assert.equal(aim(aimed(over), 0.55, 0.5, true).spot.step, "b");
});

test("ten thousand fingers that are at most eight pixels off play nothing else than they mean", () => {
  const all = [];
  for (let column = 0; column < SIDE; column++) for (let row = 0; row < SIDE; row++) all.push([column, row]);
  const played = board(all.filter(([column, row]) => (column + row) % 2), true, ["0,0"]);
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let tap = 0; tap < 10_000; tap++) {
    const [column, row] = all[Math.floor(chance() * all.length)];
    const off = () => (chance() * 2 - 1) * (8 / Math.SQRT2);
    const meant = aim(aimed(played, board([])), px((column + 0.5) * 35.67 + off()), px((row + 0.5) * 35.67 + off()), true);
    if (meant.kind === "press") assert.equal(meant.spot.step, `${column},${row}`);
    else assert.equal((column + row) % 2, 0);
  }
});

test("a move on a place below 24 pixels is risky, a choice there is not", () => {
  const at = (width, screen) => risky(aimed(screen, null, width), meantBy(aimed(screen, null, width), screen.spots[0], new Map(screen.rows[0].map((one) => [one.step, one]))));
  assert.equal(at(23 * SIDE, forward), true);
  assert.equal(at(24.1 * SIDE, forward), false);
  assert.equal(at(23 * SIDE, pawns), false);
});
