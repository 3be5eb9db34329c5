/* Stepping through a game by keys and by the wheel. */

const APART = 90; // milliseconds between two turns of the wheel

/** @param {{ pic: HTMLElement, view: () => string, moves: { by: (ways: number) => void, go: (to: number) => void },
 *   cancel: () => void }} parts */
export function turning({ pic, view, moves, cancel }) {
  let rolled = 0;

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    if (event.key === "Escape") cancel();
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!way || !view() || event.altKey || event.ctrlKey || event.metaKey || /** @type {Element} */ (event.target).closest("input, [role=tab]")) return;
    event.preventDefault();
    if (Number.isFinite(way)) moves.by(way);
    else moves.go(way);
  });

  pic.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (!event.deltaY || event.timeStamp - rolled < APART) return;
    rolled = event.timeStamp;
    moves.by(event.deltaY < 0 ? -1 : 1);
  });
}
