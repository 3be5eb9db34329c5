/* Beside the moves of a finished game: one's own comments, whose script is loaded with the first such game. */
/** @import { Hall } from "../protocol" */
/** @import { Moment, commenting } from "./comments.js" */

/**
 * @param {{ panel: HTMLElement, words: () => Hall["words"], ask: Hall["ask"], said: (number: number) => string, look:
 *   (moment: Moment) => void }} parts
 */
export function noting({ panel, ...parts }) {
  let own = /** @type {ReturnType<typeof commenting> | null} */ (null);
  let loading = false, wanted = /** @type {Moment | null} */ (null);

  async function load() {
    loading = true;
    own = (await import("./comments.js")).commenting(parts);
    panel.append(own.root);
    if (wanted) own.show(wanted);
  }

  return {
    /** Show what stands on *moment*; nothing while the game is played. @param {Moment | null} moment */
    show(moment) {
      wanted = moment;
      panel.classList.toggle("noted", Boolean(moment));
      if (own) own.root.hidden = !moment;
      if (own && moment) own.show(moment);
      else if (moment && !loading) void load();
    },
  };
}
