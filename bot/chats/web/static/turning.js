/* Stepping through a game by keys and by the wheel, and what else keys do. */

const APART = 90; // milliseconds between two turns of the wheel

/** @param {{ pic: HTMLElement, view: () => string, moves: { by: (ways: number) => void, go: (to: number) => void },
 *   cancel: () => void, words: () => Record<string, string>, write: () => void }} parts */
export function turning({ pic, view, moves, cancel, words, write }) {
  let rolled = 0;

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    // A choice among options takes no letters.
    const typing = /** @type {Element} */ (event.target).closest("input:not([type=radio], [type=range]), select, textarea");
    if (event.key === "Escape") cancel();
    if (event.key === "?" && !typing) return void import("./keys.js").then(({ showKeys }) => showKeys(words()));
    if (event.key === "/" && !typing) {
      event.preventDefault();
      return write();
    }
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!way || !view() || event.altKey || event.ctrlKey || event.metaKey || /** @type {Element} */ (event.target).closest("input, select, textarea, [role=tab]")) return;
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
