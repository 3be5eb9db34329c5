/* The picture that was sent with the page, so that it needs no request. */

const drawn = /** @type {Map<string, string>} */ (new Map());

/** Keep the picture that was sent with the page, if any; answers its element. */
export function early() {
  const root = /** @type {HTMLElement | null} */ (document.querySelector(".board > .pic")),
    image = root?.querySelector("img");
  if (image) drawn.set(image.dataset.picture ?? "", image.src);
  return root;
}

/** The URL for a small one of the picture *address*. @param {string} address */
export const thumb = (address) => drawn.get(address) ?? address.replace(/^picture/, "thumb");

/** The URL for the picture *address*. @param {string} address */
export const source = (address) => drawn.get(address) ?? address;
