/* Arrows and rings on the board: of a move that was played and a better one, of advice, and one's own by the right
 * button. */
/** @import { Spot } from "../protocol" */

const SVG = "http://www.w3.org/2000/svg";
const HEAD = 0.42,
  WIDE = 0.16; // of the side of a place: the head of an arrow, and its shaft
const FAR = 6; // pixels from which one's own is an arrow and no ring

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** An arrow from the first box to the last, or a ring around a single one.
 * @typedef {{ kind: string, way: Box[] }} Sign */

/** @param {string} name @param {Record<string, string | number>} told */
function shape(name, told) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(told)) made.setAttribute(key, String(value));
  return made;
}

/** The points of an arrow between two places, in pixels.
 * @param {number[]} from @param {number[]} to @param {number} side */
export function outline([x, y], [toX, toY], side) {
  const long = Math.hypot(toX - x, toY - y) || 1,
    [along, across] = [(toX - x) / long, (toY - y) / long];
  const head = Math.min(side * HEAD, long * 0.6),
    half = (side * WIDE) / 2,
    begin = Math.min(side * 0.3, long * 0.3);
  const at = (/** @type {number} */ far, /** @type {number} */ aside) =>
    `${(x + along * far - across * aside).toFixed(1)},${(y + across * far + along * aside).toFixed(1)}`;
  return [
    at(begin, half),
    at(long - head, half),
    at(long - head, head * 0.6),
    at(long, 0),
    at(long - head, -head * 0.6),
    at(long - head, -half),
    at(begin, -half),
  ].join(" ");
}

/** The signs on *root*, the element of a picture; *places* are those that the board has.
 * @param {HTMLElement} root @param {() => Box[]} places */
export function signs(root, places) {
  const layer = shape("svg", { class: "signs", "aria-hidden": "true" });
  root.append(layer);
  let told = /** @type {Sign[]} */ ([]),
    own = /** @type {Sign[]} */ ([]);
  let begun = /** @type {Box | null} */ (null),
    key = "";

  /** @param {Box} box */
  const middle = (box) => [(box.x + box.w / 2) * root.clientWidth, (box.y + box.h / 2) * root.clientHeight];

  function draw() {
    layer.setAttribute("viewBox", `0 0 ${root.clientWidth || 1} ${root.clientHeight || 1}`);
    layer.replaceChildren(
      ...[...told, ...own]
        .filter(({ way }) => way.length)
        .map(({ kind, way }) => {
          const last = way[way.length - 1],
            side = Math.min(last.w * root.clientWidth, last.h * root.clientHeight);
          const [from, to] = [middle(way[0]), middle(last)];
          if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 2)
            return shape("polygon", { class: kind, points: outline(from, to, side) });
          return shape("circle", {
            class: `ring ${kind}`,
            cx: to[0],
            cy: to[1],
            r: side / 2 - 3,
            "stroke-width": Math.max(3, side * 0.08),
          });
        }),
    );
  }

  /** The place at a pointer, as large as those that the board has there. @param {MouseEvent} event @returns {Box} */
  function placeAt(event) {
    const box = root.getBoundingClientRect(),
      x = (event.clientX - box.left) / box.width,
      y = (event.clientY - box.top) / box.height;
    const near = places().find((one) => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h);
    return near ?? { x: x - 0.04, y: y - 0.04 * (box.width / box.height), w: 0.08, h: 0.08 * (box.width / box.height) };
  }

  root.addEventListener("pointerdown", (event) => {
    if (event.button === 2) begun = placeAt(event);
    else if (own.length) {
      own = [];
      draw();
    }
  });
  root.addEventListener("pointerup", (event) => {
    if (event.button !== 2 || !begun) return;
    const end = placeAt(event),
      far = Math.hypot(...middle(end).map((one, at) => one - middle(/** @type {Box} */ (begun))[at]));
    const sign = { kind: "own", way: far > FAR ? [begun, end] : [end] };
    begun = null;
    const same = own.findIndex((one) => JSON.stringify(one) === JSON.stringify(sign));
    if (same < 0) own.push(sign);
    else own.splice(same, 1);
    draw();
  });

  return {
    /** Show the signs of a screen; one's own go with the board *of* which they were drawn.
     * @param {Sign[]} wanted @param {string} of */
    show(wanted, of) {
      told = wanted;
      if (of !== key) own = [];
      key = of;
      draw();
    },
  };
}
