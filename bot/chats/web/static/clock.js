/* Countdowns on the page, second by second.

The server sends the time that is left. It is counted by `performance.now`, which nobody sets. */

import { make } from "./dom.js";
/** @import { Countdown } from "../protocol" */

const ASTRAY = 300; // milliseconds by which a countdown may differ from the server's
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

/** Note when the *countdown* that came at the instant *at* ends; one that has come before keeps its end.
 * @param {Countdown | null | undefined} countdown @param {number} [at] */
export function begin(countdown, at = performance.now()) {
  if (countdown && countdown.until === undefined) countdown.until = at + countdown.left;
}

/** Set the countdowns of *boards* right by what is *left* of each: a device that sleeps counts nothing. Answers the
 * tables whose countdown was wrong.
 * @param {Map<string, { table: string, countdown: Countdown | null }>} boards @param {Record<string, number>} left */
export function correct(boards, left) {
  const now = performance.now(), wrong = [];
  for (const { table, countdown } of boards.values()) {
    const until = now + (left[table] ?? NaN);
    if (countdown?.until === undefined || !(Math.abs(until - countdown.until) > ASTRAY)) continue;
    countdown.until = until;
    wrong.push(table);
  }
  return wrong;
}

/** When the response to the page itself began to come. */
export function opened() {
  const [loaded] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming | undefined} */ (loaded)?.responseStart ?? 0;
}

/** @param {HTMLElement} shown */
function count(shown) {
  shown.textContent = written(Math.max(0, Number(shown.dataset.until) - performance.now()));
}

/** A line with a countdown. @param {Countdown} countdown */
export function counting({ said, until, plain }) {
  const shown = make("time", { "data-until": until ?? 0, title: plain });
  count(shown);
  return make("p", { class: "clock", role: "timer" }, `${said}: `, shown);
}

setInterval(() => {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) count(shown);
}, SECOND);
