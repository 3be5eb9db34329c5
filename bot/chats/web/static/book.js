/* The rule book of a game: the pieces on its board, a list of contents, and the chapters. */
import { make } from "./dom.js";
/** @import { Book, Part, Spans, State } from "../protocol" */

const SET = /** @type {Record<string, "b" | "em" | "code">} */ ({ bold: "b", italic: "em", typed: "code" });

/** @param {Spans} spans */
const written = (spans) => spans.map(([mark, text]) => (SET[mark] ? make(SET[mark], {}, text) : text));

/** @param {Spans} spans */
const plain = (spans) => spans.map(([, text]) => text).join("");

let last = 0;

/** The element for *book*, with labels in *words* and figures in *theme*.
 * @param {Book} book @param {State["words"]} words @param {string} theme */
export function reading(book, words, theme) {
  const name = `book-${++last}`, language = document.documentElement.lang;
  const heads = book.chapters.map(({ title }, at) => make("h3", { id: `${name}-${at}`, tabindex: "-1" }, title));
  const chapters = book.chapters.map(({ parts }, at) => make("section", {}, heads[at], ...blocks(parts)));

  /** @param {Part[]} parts */
  function blocks(parts) {
    const found = /** @type {HTMLElement[]} */ ([]);
    for (const part of parts) {
      const list = found.at(-1);
      if (part.kind === "figure") found.push(figure(part));
      else if (part.kind === "text") found.push(make("p", {}, ...written(part.spans)));
      else if (list?.localName === "ul") list.append(make("li", {}, ...written(part.spans)));
      else found.push(make("ul", {}, make("li", {}, ...written(part.spans))));
    }
    return found;
  }

  /** @param {Part} part */
  function figure({ figure: drawn, spans }) {
    const address = `figure/${book.game}-${drawn}.png?theme=${theme}&language=${language}`;
    return make("figure", {}, make("img", { src: address, alt: plain(spans), loading: "lazy", decoding: "async" }),
      make("figcaption", { "aria-hidden": "true" }, ...written(spans)));
  }

  let wanted = -1; // the chapter that was opened last: it stays in place while figures above it load

  function settle() {
    heads[wanted]?.scrollIntoView({ block: "start" });
  }

  /** @param {number} at */
  function go(at) {
    wanted = at;
    settle();
    heads[at].focus({ preventScroll: true });
  }

  const link = (/** @type {string} */ title, /** @type {number} */ at) =>
    make(
      "li",
      {},
      make(
        "a",
        {
          href: `#${name}-${at}`,
          click: (event) => {
            // The hash of the address is the table in view.
            event.preventDefault();
            go(at);
          },
        },
        title,
      ),
    );
  const contents = make(
    "nav",
    { "aria-label": words.contents },
    folded(words.contents, make("ol", {}, ...book.chapters.map(({ title }, at) => link(title, at)))),
  );
  const signs = book.signs.map(({ faces, spans }) =>
    make(
      "li",
      {},
      make(
        "span",
        { class: "faces" },
        ...faces.map((face) =>
          make("img", { src: `face/${book.game}-${face}.png`, alt: "", width: "40", height: "40", loading: "lazy" }),
        ),
      ),
      make("span", {}, ...written(spans)),
    ),
  );
  const legend = signs.length ? folded(words.legend, make("ul", { class: "legend" }, ...signs)) : "";
  const moved = () => void (wanted = -1);
  const page = make("div", { class: "book", wheel: moved, touchmove: moved, keydown: moved },
    make("h2", {}, `${book.title} · ${words.rules}`), legend, contents, ...chapters);
  new ResizeObserver(settle).observe(page);
  return page;
}

/** @param {string} name @param {HTMLElement} part */
function folded(name, part) {
  return make("details", { open: true }, make("summary", {}, name), part);
}
