/* Planned moves: a tap is marked at once, and what it means is told later. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { World } from "./world.js";

let plans, asked, marked, played;

const cell = (x, y) => ({ x, y, w: 0.1, h: 0.1 });
const spot = (step, x, y) => ({ step, ...cell(x, y) });
const button = { label: "a", code: "a", style: "move", step: "a" };
const board = (told) =>
  ({ table: "AAAAAA", mine: false, over: false, watches: false, open: false, width: 4, height: 5, spots: [], rows: [], ...told });
const answer = (number, plan) => plans.came({ table: "AAAAAA", at: asked[number][1] }, plan);

beforeEach(async () => {
  new World().document.createElement = () => {
    const style = { kept: {}, setProperty: (name, value) => void (style.kept[name] = parseFloat(value) / 100) };
    return Object.assign(new EventTarget(), { style, setAttribute() {}, append() {} });
  };
  const { planning } = await import("../../bot/chats/web/static/plans.js");
  [asked, marked, played] = [[], [], []];
  plans = planning({
    ask: (table, path, at) => asked.push([path, at]),
    play: (table, typed) => played.push(typed),
    told: () => {},
    drawn: () => {
      marked = plans.marks("AAAAAA").map(({ style: { kept } }) =>
        ["left", "top", "width", "height"].map((side) => Number(kept[side].toFixed(3))));
    },
  });
  plans.turned(board({ spots: [spot("a", 0.2, 0.6), spot("b", 0.5, 0.6)] }));
});

test("a tap is marked at once at the place that was offered in one's last turn, and where the server puts it then", () => {
  plans.point(board(), 0.57, 0.63);
  assert.deepEqual([asked.length, marked], [1, [[0.5, 0.6, 0.1, 0.1]]]);
  answer(0, { cell: cell(0.51, 0.61), step: "b", typed: "" });
  assert.deepEqual(marked, [[0.51, 0.61, 0.1, 0.1]]);
});

test("beside what is known a tap is marked at a place of the same size, and on a new board around the finger", () => {
  plans.point(board(), 0.57, 0.43);
  assert.deepEqual(marked, [[0.5, 0.4, 0.1, 0.1]]);
  plans.drop("AAAAAA");
  plans.turned(board({ table: "BBBBBB" }));
  plans.point(board({ table: "BBBBBB" }), 0.5, 0.5);
  const [{ style }] = plans.marks("BBBBBB");
  assert.ok(style.kept.left < 0.5 && style.kept.left + style.kept.width > 0.5);
  assert.ok(style.kept.top < 0.5 && style.kept.top + style.kept.height > 0.5);
});

test("piece and destination are marked before the first answer, and asked one after the other", () => {
  plans.point(board(), 0.57, 0.63);
  plans.point(board(), 0.57, 0.53);
  assert.deepEqual([asked.length, marked.length], [1, 2]);
  answer(0, { cell: cell(0.5, 0.6), step: "b", typed: "" });
  assert.deepEqual(asked.map(([path]) => path), ["", "b"]);
  answer(1, { cell: cell(0.5, 0.5), step: "c", typed: "bc" });
  assert.equal(marked.length, 2);
  plans.turned(board({ mine: true, rows: [[button]] }));
  assert.deepEqual([played, marked], [["bc"], []]);
});

test("what cannot be planned goes, and so does what is tapped again; a late answer brings nothing back", () => {
  plans.point(board(), 0.57, 0.63);
  answer(0, null);
  assert.deepEqual(marked, []);
  plans.point(board(), 0.57, 0.63);
  plans.point(board(), 0.58, 0.64);
  assert.deepEqual(marked, []);
  answer(1, { cell: cell(0.5, 0.6), step: "b", typed: "" });
  assert.deepEqual(plans.marks("AAAAAA"), []);
});

test("one's turn ends what is still asked; whoever looks on plans nothing", () => {
  plans.point(board(), 0.57, 0.63);
  plans.turned(board({ mine: true, rows: [[button]] }));
  answer(0, { cell: cell(0.5, 0.6), step: "b", typed: "b" });
  assert.deepEqual([plans.marks("AAAAAA"), played], [[], []]);
  plans.point(board({ watches: true }), 0.57, 0.63);
  plans.point(board({ open: true }), 0.57, 0.63);
  assert.deepEqual([asked.length, marked], [1, []]);
});
