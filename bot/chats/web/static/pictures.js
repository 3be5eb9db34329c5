/* Pictures that were sent with their boards, so that they need no request. */

import { unpackSprites } from "./scenery.js";
/** @import { Scenery } from "../protocol" */

const KEPT = 8; // more than the server assumes

const drawn = /** @type {Map<string, string>} */ (new Map());

/** Keep the picture and the sprites that were sent with *board*.
 * @param {{ picture: string, drawn?: string, scene?: Scenery | null } | undefined} board */
export function unpack(board) {
  unpackSprites(board?.scene);
  if (!board?.drawn) return;
  drawn.delete(board.picture);
  drawn.set(board.picture, `data:image/png;base64,${board.drawn}`);
  delete board.drawn;
  const [oldest] = drawn.keys();
  if (drawn.size > KEPT) drawn.delete(oldest);
}

/** Keep the picture that was sent with the page, if any; answers its element. */
export function early() {
  const root = /** @type {HTMLElement | null} */ (document.querySelector(".board > .pic")), image = root?.querySelector("img");
  if (image) drawn.set(image.dataset.picture ?? "", image.src);
  return root;
}

/** The URL for a small one of the picture *address*. @param {string} address */
export const thumb = (address) => drawn.get(address) ?? address.replace(/^picture/, "thumb");

/** The URL for the picture *address*. @param {string} address */
export const source = (address) => drawn.get(address) ?? address;
