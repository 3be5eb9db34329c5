/* The picture that was sent with the page, so that it needs no request, and small ones of tables. */
import { make } from "./dom.js";

const drawn = /** @type {Map<string, string>} */ (new Map());

/** Keep the picture that was sent with the page, if any; answers its element. */
export function early() {
  const root = /** @type {HTMLElement | null} */ (document.querySelector(".board > .pic")),
    image = root?.querySelector("img");
  if (image) drawn.set(image.dataset.picture ?? "", image.src);
  return root;
}

/** A small picture of a table, or the first letter of its *title*. @param {{ picture: string, title: string }} board */
export const small = ({ picture, title }) =>
  picture
    ? make("img", { src: drawn.get(picture) ?? picture.replace(/^picture/, "thumb"), alt: "", decoding: "async" })
    : make("span", { class: "none", "aria-hidden": "true" }, title[0]);

/** The URL for the picture *address*. @param {string} address */
export const source = (address) => drawn.get(address) ?? address;
