/* The seats above and below a board: who sits there, whose turn it is, the clock, and what they hold.

A picture has a bar for each seat. The page shows the board between the bars alone; the emblem and the pieces that
lie in a bar are moved into the seat, where they can be tapped as on the board. */
import { within } from "./aim.js";
import { time } from "./clock.js";
import { keeper, make, write } from "./dom.js";
/** @import { Board, ClockFace, Countdown, End, Motion, Screen, Spot } from "../protocol" */

const SEAT = 56,
  GAP = 6; // pixels: the height of a seat, and its distance from the board
const FACE = 46,
  SMALL_FACE = 34,
  HAND = 46; // pixels: the emblem, also of one of many, and a piece in the hand
const CLOCK = 110,
  SHORT_CLOCK = 74,
  NAME = 56; // pixels that are kept free for a clock, also for one of many, and a name
const EDGE = 8; // pixels between the side of a seat and what it holds
const LINE = 16; // pixels: a row of signs below a name
const AT = 112; // parts of 800 of a picture's width, within which the emblem stands in its bar

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** A bar, its seat in pixels of the page, and how what lies in it is moved: by a scale about a point of each.
 * @typedef {{ bar: Box, left: number, top: number, wide: number, items: Move, face: Move, from: number }} Seat */
/** @typedef {{ scale: number, x: number, y: number, toX: number, toY: number }} Move */

/** @param {Move} how @param {number} x @param {number} y @param {number} w @param {number} h */
const moved = ({ scale, x: fromX, y: fromY, toX, toY }, x, y, w, h) => [
  toX + (x - fromX) * scale,
  toY + (y - fromY) * scale,
  w * scale,
  h * scale,
];

/** Where the seats of *shown* are on a picture *width* pixels wide. *size* answers how large a sprite is in it.
 * @param {Partial<Board>} shown @param {number} width
 * @param {(name: string) => { width: number, height: number } | undefined} size
 * @returns {Seat[]} */
export function seatsOf(shown, width, size) {
  const { bars = [], crop = [0, 1], left: clocks = [], scene } = shown,
    many = bars.length > 2;
  if (!bars.length || !width) return [];
  const high = (width * (shown.height || 1)) / (shown.width || 1),
    unit = scene ? width / scene.width : 1;
  const face_ = many ? SMALL_FACE : FACE;
  return bars.map((bar, at) => {
    const clock = (clocks[at] ?? -1) < 0 ? EDGE : many ? SHORT_CLOCK : CLOCK;
    const upper = bar.y + bar.h / 2 < crop[0] || bar.y < 0.5;
    const left = many && bar.x > 0.4 ? width / 2 + GAP : 0,
      wide = many ? width / 2 - GAP : width;
    const top = upper ? crop[0] * high - GAP - SEAT : crop[1] * high + GAP;
    const inside = partsIn(bar, shown, size),
      items = inside.filter(({ x }) => x > bar.x * 800 + AT);
    const from = Math.min(...items.map(({ x }) => x)),
      to = Math.max(...items.map(({ x, width: own }) => x + own));
    const face = inside.find(({ x }) => x <= bar.x * 800 + AT);
    const middle = (bar.y + bar.h / 2) * (scene?.height ?? 1);
    // In the picture's own measure.
    const tall = Math.max(1, ...items.map(({ height }) => height));
    const room = wide - face_ - 2 * EDGE - NAME - clock;
    const scale = many
      ? LINE / unit / tall
      : Math.min(HAND / unit / (bar.h * (scene?.height ?? 1)), room / unit / Math.max(1, to - from));
    const first = (left + face_ + 2 * EDGE - 4) / unit,
      end = (left + wide - clock) / unit;
    return {
      bar,
      left,
      top,
      wide,
      from: items.length && !many ? (end - (to - from) * scale) * unit : left + wide - clock,
      items: {
        scale,
        x: many ? from : to,
        y: middle,
        toX: many ? first : end,
        toY: (top + (many ? SEAT - LINE / 2 - 4 : SEAT / 2)) / unit,
      },
      face: face
        ? {
            scale: face_ / unit / Math.max(face.width, face.height),
            x: face.x + face.width / 2,
            y: face.y + face.height / 2,
            toX: (left + EDGE + face_ / 2) / unit,
            toY: (top + SEAT / 2) / unit,
          }
        : { scale: 1, x: 0, y: 0, toX: 0, toY: 0 },
    };
  });
}

/** The sprites of *shown* that lie in *bar*. @param {Box} bar @param {Partial<Board>} shown
 * @param {(name: string) => { width: number, height: number } | undefined} size */
function partsIn(bar, { scene }, size) {
  if (!scene) return [];
  return scene.parts
    .split("|")
    .map((part) => {
      const [name, x, y] = part.split(" "),
        own = size(name) ?? { width: 0, height: 0 };
      return { x: Number(x), y: Number(y), width: own.width, height: own.height };
    })
    .filter(
      ({ x, y, width, height }) =>
        width &&
        within(bar, (x + width / 2) / scene.width, (y + height / 2) / scene.height) &&
        width < bar.w * scene.width,
    );
}

/** *shown* with all that lies in a bar moved to its seat.
 * @template {Screen} Any @param {Any} shown @param {number} width
 * @param {(name: string) => { width: number, height: number } | undefined} size @returns {Any} */
export function seated(shown, width, size) {
  const seats = seatsOf(shown, width, size),
    { scene } = shown,
    board = /** @type {Partial<Board>} */ (shown);
  if (!seats.length || !scene) return shown;
  const fit = fitting(shown, seats);
  /** @template {Box} Place @param {Place} place @returns {Place} */
  const placed = (place) => {
    const [x, y, w, h] = fit([place.x, place.y, place.w, place.h]);
    return { ...place, x, y, w, h };
  };
  const [top, low] = (board.crop ?? [0, 1]).map((part) => part * scene.height);
  const parts = scene.parts
    .split("|")
    .map((part, at) => {
      const [name, x, y, w, h] = part.split(" "),
        own = size(name) ?? { width: Number(w), height: Number(h) };
      // The ground of the whole picture is that of the board alone.
      if (!at && name.startsWith("#")) return `${name} 0 ${top} ${scene.width} ${low - top}`;
      const seat = seats.find(({ bar }) =>
        within(bar, (Number(x) + own.width / 2) / scene.width, (Number(y) + own.height / 2) / scene.height),
      );
      if (!seat) return part;
      const how = Number(x) > seat.bar.x * 800 + AT ? seat.items : seat.face;
      return `${name} ${moved(how, Number(x), Number(y), own.width, own.height)
        .map((one) => one.toFixed(1))
        .join(" ")}`;
    })
    .join("|");
  return {
    ...shown,
    scene: { ...scene, parts },
    spots: shown.spots.map(placed),
    ...(board.ends ? { ends: board.ends.map(placed) } : {}),
    ...(board.arrows ? { arrows: board.arrows.map((way) => way.map(placed)) } : {}),
    ...(board.motions ? { motions: moving(board.motions, fit) } : {}),
  };
}

/** How a box of the picture is moved to its seat. @param {Screen} shown @param {Seat[]} seats */
function fitting({ scene }, seats) {
  const { width, height } = /** @type {{ width: number, height: number }} */ (scene);
  return (/** @type {Motion["start"]} */ box) => {
    const [x, y, w, h] = box,
      seat = seats.find(({ bar }) => within(bar, x + w / 2, y + h / 2));
    if (!seat) return box;
    const [left, top, wide, high] = moved(seat.items, x * width, y * height, w * width, h * height);
    return /** @type {Motion["start"]} */ ([left / width, top / height, wide / width, high / height]);
  };
}

/** @param {Motion[]} motions @param {(box: Motion["start"]) => Motion["start"]} fit */
const moving = (motions, fit) => motions.map((one) => ({ ...one, start: fit(one.start), end: fit(one.end) }));

/** *motions* on *shown*, to and from the seats. @param {Motion[]} motions @param {Screen} shown @param {number} width
 * @param {(name: string) => { width: number, height: number } | undefined} size */
export function movedToSeats(motions, shown, width, size) {
  const seats = seatsOf(shown, width, size);
  return seats.length && shown.scene ? moving(motions, fitting(shown, seats)) : motions;
}

/** The seats on *root*, the element of the picture. @param {HTMLElement} root */
export function seating(root) {
  const kept = keeper(() =>
    make(
      "div",
      { class: "seat" },
      make("div", { class: "name" }, make("b", { dir: "auto" }), make("span")),
      make("time", { class: "clock" }),
    ),
  );
  let drawn = "";
  return {
    /** @param {Partial<Board>} shown @param {number} width
     * @param {(name: string) => { width: number, height: number } | undefined} size */
    show(shown, width, size) {
      const { clocks = [], left: times = [], runs = [], countdown = null, crop = [0, 1] } = shown,
        ratio = (shown.height || 1) / (shown.width || 1);
      const seats = [0, shown.bars?.length].includes(clocks.length) ? seatsOf(shown, width, size) : [];
      root.classList.toggle("seats", Boolean(shown.bars?.length));
      for (const [name, value] of Object.entries({
        top: crop[0],
        low: 1 - crop[1],
        above: crop[0] * ratio,
        under: (1 - crop[1]) * ratio,
      }))
        root.style.setProperty(`--${name}`, String(value));
      const wanted = JSON.stringify([
        clocks,
        times,
        runs,
        countdown,
        seats.map(({ left, top, wide, from }) => [left, top, wide, from]),
      ]);
      if (wanted === drawn) return;
      drawn = wanted;
      const now = seats.map(({ left, top, wide, from }, at) =>
        chair(kept.of(String(at)), { ...clocks[at], left: times[at], runs: runs[at] }, countdown, seats.length, {
          left,
          top,
          wide,
          room: from - left - (seats.length > 2 ? SMALL_FACE : FACE) - 3 * EDGE,
        }),
      );
      kept.done();
      for (const one of root.querySelectorAll(":scope > .seat"))
        if (!now.includes(/** @type {HTMLElement} */ (one))) one.remove();
      root.append(...now.filter((one) => !one.isConnected));
    },
  };
}

/** @param {HTMLElement} root @param {ClockFace & { left: number, runs: boolean }} face
 * @param {Countdown | null} countdown @param {number} many
 * @param {{ left: number, top: number, wide: number, room: number }} at */
function chair(root, { who, left, runs, mine, side }, countdown, many, at) {
  const [name, clock] = /** @type {HTMLElement[]} */ ([...root.children]),
    [who_, side_] = [...name.children];
  root.className = ["seat", runs ? "runs" : "", mine ? "own" : "", many > 2 ? "small" : ""].filter(Boolean).join(" ");
  Object.assign(root.style, { left: `${at.left}px`, top: `${at.top}px`, width: `${at.wide}px` });
  name.style.maxWidth = `${Math.max(0, at.room)}px`;
  write(who_, who ?? "");
  write(side_, many > 2 || side === who ? "" : (side ?? ""));
  const counted = time(left, runs ? countdown : null, mine);
  clock.replaceWith(counted);
  counted.hidden = !(left >= 0);
  return root;
}
