/* Countdowns on the page, second by second.

The server sends the time that is left. It is counted by `performance.now`, which nobody sets. */

import { make, unsigned } from "./dom.js";
import { signal } from "./signals.js";
/** @import { Countdown } from "../protocol" */

const ASTRAY = 300; // milliseconds by which a countdown may differ from the server's
const LOW = 10_000; // milliseconds below which a clock is red
const warned = new Set(); // the ends of which the player was warned
const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** @param {number} left milliseconds */
function written(left) {
  const part = (/** @type {number} */ size, /** @type {number} */ of) =>
    String(Math.floor((left % of) / size)).padStart(2, "0");
  if (left >= DAY) {
    return new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" }).format(
      Math.floor(left / DAY),
      "day",
    );
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
  const left = Math.max(0, Number(shown.dataset.until) - performance.now());
  shown.textContent = written(left);
  shown.classList.toggle("low", left < LOW);
  if (left < LOW && shown.dataset.mine && !warned.has(shown.dataset.until ?? "")) {
    warned.add(shown.dataset.until ?? "");
    signal("low");
  }
}

/** A time that is counted down to its end. @param {Countdown} countdown @param {boolean} mine */
function running({ until, plain }, mine) {
  const shown = make("time", { "data-until": until ?? 0, title: plain, ...(mine ? { "data-mine": "1" } : {}) });
  count(shown);
  return shown;
}

/** A line with a countdown, without the sign before its words, which not every typeface has.
 * @param {Countdown} countdown */
export function counting(countdown) {
  return make("p", { class: "clock", role: "timer" }, `${unsigned(countdown.said)}: `, running(countdown, false));
}

/** The clock of a seat, of which so many milliseconds are *left*, or that runs by a *countdown*.
 * @param {number} left @param {Countdown | null} countdown @param {boolean} mine */
export function time(left, countdown, mine) {
  const shown = countdown ? running(countdown, mine) : make("time", {}, written(Math.max(0, left)));
  shown.className = countdown ? "clock runs" : "clock";
  return shown;
}

setInterval(() => {
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) count(shown);
}, SECOND);
