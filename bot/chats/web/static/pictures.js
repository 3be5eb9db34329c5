/* Pictures that came along with their boards: nothing is fetched for them. */

const KEPT = 8; // more than the server takes for known

const drawn = /** @type {Map<string, string>} */ (new Map());

/** Keep the picture that *board* brought along. @param {{ picture: string, drawn?: string } | undefined} board */
export function unpack(board) {
  if (!board?.drawn) return;
  drawn.delete(board.picture);
  drawn.set(board.picture, `data:image/png;base64,${board.drawn}`);
  delete board.drawn;
  const [oldest] = drawn.keys();
  if (drawn.size > KEPT) drawn.delete(oldest);
}

/** The picture that the page itself brought along, where it did: its address is known from now on. */
export function early() {
  const root = /** @type {HTMLElement | null} */ (document.querySelector(".board > .pic")), image = root?.querySelector("img");
  if (image) drawn.set(image.dataset.picture ?? "", image.src);
  return root;
}

/** From where the picture *address* is to be had. @param {string} address */
export const source = (address) => drawn.get(address) ?? address;
