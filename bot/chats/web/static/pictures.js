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

/** From where the picture *address* is to be had. @param {string} address */
export const source = (address) => drawn.get(address) ?? address;
