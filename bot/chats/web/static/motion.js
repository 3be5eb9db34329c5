/* Moving pieces on the board, cut out of the previous picture. */

import { make } from "./dom.js";
/** @import { Motion } from "../protocol" */

const GOES = 190; // milliseconds that a piece moves
export const FALLS = 480; // milliseconds that a die rolls
const APART = 130; // milliseconds between two motions
const LIES = 1600; // milliseconds that a die lies there

/** Whether the reader wants nothing to move. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {Motion["start"]} Box */

/**
 * The part *box* of the picture *source*, at its place.
 * @param {Box} box
 * @param {string} source
 * @param {string} kind
 */
function cut([x, y, w, h], source, kind) {
  const part = make("span", { class: kind, "aria-hidden": "true" }),
    at = (/** @type {number} */ side, /** @type {number} */ size) => `${(side / (1 - size)) * 100}%`;
  Object.assign(part.style, {
    left: `${x * 100}%`,
    top: `${y * 100}%`,
    width: `${w * 100}%`,
    height: `${h * 100}%`,
    backgroundImage: `url("${source}")`,
    backgroundSize: `${100 / w}% ${100 / h}%`,
    backgroundPosition: `${at(x, w)} ${at(y, h)}`,
  });
  return part;
}

/** How the player's own piece goes, which is on its way already when the server hears of it. */
export const own = { duration: GOES, easing: "cubic-bezier(.2,.8,.2,1)", fill: /** @type {const} */ ("forwards") };

/** How a piece sets off and arrives. */
export const EASES = "cubic-bezier(.3,.1,.3,1)";

/** The motions one after the other: when each begins, and how long it goes. @param {Motion[]} motions */
export function timed(motions) {
  let begins = 0;
  return motions.map((motion) => {
    const found = { motion, begins, span: motion.spins ? FALLS : GOES };
    begins += motion.spins ? FALLS - 60 : APART;
    return found;
  });
}

/** How many milliseconds *motions* take. @param {Motion[]} motions */
export const lasting = (motions) => Math.max(0, ...timed(motions).map(({ begins, span }) => begins + span));

/** Take away what moves on *root*. @param {HTMLElement} root */
export function clear(root) {
  for (const part of root.querySelectorAll(".going, .before")) part.remove();
}

/** What chance brought, beside the pieces for a while. @param {Motion} motion */
function fallen({ end: [x, y, w, h], face }) {
  const die = make("img", { class: "going fallen", src: `face/${face}.png`, alt: "", "aria-hidden": "true" });
  Object.assign(die.style, { left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` });
  return die;
}

/** Animate how the picture *old* became *now*, on *root* over *under*; the elements go afterwards.
 * @param {HTMLElement} root @param {Element} under @param {Motion[]} motions @param {string} old @param {string} now */
export function moveParts(root, under, motions, old, now) {
  clear(root);
  let last = under;
  for (const { motion, begins, span } of timed(motions)) {
    const { start, end, spins, face } = motion;
    if (face) {
      const die = fallen(motion);
      last.after(die);
      last = die;
      if (!still.matches)
        die.animate([{ transform: "rotate(-1.5turn) scale(1.3)" }, { transform: "none" }], {
          duration: span,
          delay: begins,
          easing: "cubic-bezier(.2,.7,.3,1)",
          fill: "both",
        });
      setTimeout(() => die.remove(), begins + span + LIES);
    }
    if (face || still.matches) continue;
    const stays = start.join() === end.join(), part = cut(stays ? end : start, stays ? now : old, "going");
    const before = cut(end, old, "before");
    // In parts of the piece's own size, so that the page need not be measured.
    const x = (end[0] - start[0] + (end[2] - start[2]) / 2) / start[2],
      y = (end[1] - start[1] + (end[3] - start[3]) / 2) / start[3];
    const there = `translate(${x * 100}%, ${y * 100}%) scale(${stays ? 1 : end[2] / start[2]})`;
    const steps = spins ? [{ transform: "rotate(-1.5turn) scale(1.3)" }, { transform: "none" }]
      : stays ? [{ transform: "scale(1.35)", opacity: 0 }, { transform: "none", opacity: 1 }]
      : [{ transform: "none" }, { transform: there }];
    last.after(before, part);
    last = part;
    const run = part.animate(steps, { duration: span, delay: begins, easing: EASES, fill: "both" });
    run.onfinish = run.oncancel = () => {
      part.remove();
      before.remove();
    };
  }
}
