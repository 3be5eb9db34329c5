/* Faults of the page's scripts, told to the server, whose log they reach. */
import { uuid } from "./dom.js";
/** @import { Frame } from "../protocol" */

const FAULTS = 3; // how many faults one page tells
const LENGTH = 500; // of the most characters that are told of one

/**
 * Tell the server of faults by *send*, while *ready*.
 * @param {(frame: Frame) => void} send
 * @param {() => boolean} ready
 */
export function telling(send, ready) {
  let told = 0;

  /** @param {string} what */
  function tell(what) {
    if (told >= FAULTS || !ready()) return;
    told += 1;
    // An address holds what only the player may know.
    send({ kind: "wrong", id: uuid(), line: what.replace(/\/[ptib]\/[\w-]+/g, "/…").slice(0, LENGTH) });
  }

  addEventListener("error", (event) => tell(event.error?.stack ?? `${event.message} ${event.lineno}:${event.colno}`));
  addEventListener("unhandledrejection", (event) => tell(event.reason?.stack ?? String(event.reason)));
}
