/* What a tap on the board means. A finger may miss what it selects, and never what it plays. */
/** @import { Board, Button, End, Screen, Spot } from "../protocol" */

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ kind: "press" | "select", spot: Spot, button: Button, beside?: boolean }} Press */
/** @typedef {Press | { kind: "end", end: End }
 *   | { kind: "cancel", spot: Spot } | { kind: "point" }} Meant */
/** What is on the board: the *screen*, the *base* with nothing chosen, and the size of the picture in pixels.
 * @typedef {{ screen: Screen | null, base: Screen | null, width: number, height: number }} Aimed */

/** Pixels by which a finger may miss a place that it selects, and a side below which a place is hard to hit. */
const FINGER = 26, SMALL = 24;

/** @param {Box} box @param {number} x @param {number} y */
export const within = (box, x, y) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;

/** The buttons of a screen by the steps of their places. @param {Screen | null} shown */
export const bySteps = (shown) =>
  new Map(
    (shown?.rows ?? [])
      .flat()
      .filter((one) => one.step)
      .map((one) => [one.step, one]),
  );

/** The place that is chosen. @param {Screen | null} screen */
export const chosenOn = (screen) => /** @type {Partial<Board>} */ (screen ?? {}).path?.[0] ?? "";

/** The meaning of *spot* by the buttons *among* which its own is. @param {Aimed} aimed @param {Spot} spot
 * @param {Map<string, Button>} among
 * @param {boolean} before whether they are those with nothing chosen
 * @returns {Press}
 */
export function meantBy({ screen, base }, spot, among, before = false) {
  const button = /** @type {Button} */ (among.get(spot.step));
  const selects = !button.plays && (screen === base || before);
  return { kind: selects ? "select" : "press", spot, button: { ...button, code: button.tap || button.code } };
}

/** Whether *meant* plays a move on a place that fingers often miss. @param {Aimed} aimed @param {Meant} meant */
export function risky({ width, height }, meant) {
  if (meant.kind !== "press" || !meant.button.plays) return false;
  return Math.min(meant.spot.w * width, meant.spot.h * height) < SMALL;
}

/** The meaning of a pointer at *x*, *y*, parts of the picture. @param {Aimed} aimed @param {number} x @param {number} y
 * @param {boolean} touch @returns {Meant} */
export function aim(aimed, x, y, touch) {
  const { screen, base, width, height } = aimed, buttons = bySteps(screen), before = bySteps(base);

  /** The distance in pixels from the middle of *box*. @param {Box} box */
  const far = (box) => Math.hypot((box.x + box.w / 2 - x) * width, (box.y + box.h / 2 - y) * height);

  /** @template {Box} Place @param {Place[]} places @param {(one: Place) => boolean} [near] */
  const nearest = (places, near = (one) => within(one, x, y)) => places.filter(near).sort((a, b) => far(a) - far(b))[0];

  const end = nearest(/** @type {Partial<Board>} */ (screen ?? {}).ends ?? []);
  if (end) return { kind: "end", end };
  const spots = (screen?.spots ?? []).filter((spot) => buttons.has(spot.step));
  const spot = nearest(spots);
  if (spot) return meantBy(aimed, spot, buttons);
  const other = screen === base ? undefined : nearest(base?.spots ?? []);
  if (other && other.step === chosenOn(screen)) return { kind: "cancel", spot: other };
  if (other && before.has(other.step)) return meantBy(aimed, other, before, true);
  const beside = touch && nearest(spots, (one) => far(one) < FINGER && !buttons.get(one.step)?.plays);
  return beside ? { ...meantBy(aimed, beside, buttons), beside: true } : { kind: "point" };
}
