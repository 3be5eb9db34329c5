/* Countdowns on the page, second by second. */

import { make } from "./dom.js";
/** @import { Countdown } from "../protocol" */

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** @param {number} left milliseconds */
function written(left) {
  const part = (/** @type {number} */ size, /** @type {number} */ of) => String(Math.floor((left % of) / size)).padStart(2, "0");
  if (left >= DAY) {
    return new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" }).format(Math.floor(left / DAY), "day");
  }
  if (left >= HOUR) return `${Math.floor(left / HOUR)}:${part(MINUTE, HOUR)}:${part(SECOND, MINUTE)}`;
  return `${Math.floor(left / MINUTE)}:${part(SECOND, MINUTE)}`;
}

/** @param {HTMLElement} shown */
function count(shown) {
  shown.textContent = written(Math.max(0, Number(shown.dataset.until) - Date.now()));
}

/** A line with a countdown. @param {Countdown} countdown */
export function counting({ said, until, plain }) {
  const shown = make("time", { "data-until": until, datetime: new Date(until).toISOString(), title: plain });
  count(shown);
  return make("p", { class: "clock", role: "timer" }, `${said}: `, shown);
}

setInterval(() => {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) count(shown);
}, SECOND);
