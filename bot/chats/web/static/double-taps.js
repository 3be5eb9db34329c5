/* A double tap is one press. What is told apart is the place, not the time alone: another move, pressed as quickly,
is one of its own. */
/** @import { Board, Button } from "../protocol" */

const TWICE = 400; // milliseconds after a move in which a second press at its place is the same
const NEAR = 20; // pixels within which two taps are at one place

/** @typedef {{ left: number, top: number }} Finger */

export function doubleTaps() {
  let finger = /** @type {Finger | null} */ (null); // where a finger came down last; null after a key
  let last =
    /** @type {{ at: number, finger: Finger | null, code: string, step: string, board: Board | undefined } | null} */ (
      null
    );
  document.addEventListener(
    "pointerdown",
    (event) => void (finger = { left: event.clientX, top: event.clientY }),
    true,
  );
  document.addEventListener("keydown", () => void (finger = null), true);
  // When it was done, not when a busy page comes to it.
  let now = 0;
  for (const done of ["pointerdown", "pointerup", "keydown", "click"])
    document.addEventListener(done, (event) => void (now = event.timeStamp), true);

  const stepOf = (/** @type {Button} */ pressed) => pressed.step || pressed.label;

  return {
    /** Note that *pressed* plays, on *board*. @param {Button} pressed @param {Board | undefined} board */
    plays(pressed, board) {
      last = { at: now, finger, code: pressed.code, step: stepOf(pressed), board };
    },
    /** Whether *pressed*, on *board*, is the second half of a double tap on what was played.
     * @param {Button} pressed @param {Board | undefined} board */
    again(pressed, board) {
      if (!last || now - last.at >= TWICE) return false;
      if (pressed.code === last.code) return true;
      // On the same board another button is another wish, however near.
      if (board === last.board) return false;
      if (finger && last.finger) return Math.hypot(finger.left - last.finger.left, finger.top - last.finger.top) < NEAR;
      return stepOf(pressed) === last.step;
    },
  };
}
