/* The board larger or smaller, by a handle at its corner or by + and -, as far as its window allows. */
import { make, remembered } from "./dom.js";

const LEAST = 0.45, STEP = 0.05; // parts of the room that there is

/** @param {HTMLElement} pic @param {() => string} word what the handle is called */
export function sizing(pic, word) {
  const handle = make("span", {
    class: "grip",
    role: "slider",
    tabindex: "0",
    "aria-valuemin": LEAST * 100,
    "aria-valuemax": 100,
  });
  let part = Number(remembered("size")) || 1;
  let from = 0, wide = 0;

  /** @param {number} wanted */
  function take(wanted) {
    part = Math.min(1, Math.max(LEAST, wanted));
    document.body.style.setProperty("--part", String(part));
    handle.setAttribute("aria-valuenow", String(Math.round(part * 100)));
    handle.setAttribute("aria-label", word());
  }

  function keep() {
    remembered("size", part === 1 ? "" : part.toFixed(3));
  }

  /** Make the board larger by *steps*; none name the handle anew. @param {number} steps */
  function by(steps) {
    take(part + steps * STEP);
    keep();
  }

  handle.addEventListener("pointerdown", (event) => {
    event.stopPropagation(); // The board would take it for a tap.
    handle.setPointerCapture(event.pointerId);
    from = event.clientX;
    wide = pic.clientWidth / part;
  });
  handle.addEventListener("pointermove", (event) => {
    if (!wide) return;
    take((pic.clientWidth + event.clientX - from) / wide);
    from = event.clientX;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    handle.addEventListener(end, (event) => {
      event.stopPropagation();
      wide = 0;
      keep();
    });
  }
  handle.addEventListener("dblclick", () => by(Infinity));
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!way) return;
    event.preventDefault();
    by(way);
  });
  pic.append(handle);
  take(part);
  return by;
}
