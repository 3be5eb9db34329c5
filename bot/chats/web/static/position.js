/* A position by its text, from which moves are tried for both sides; it is kept nowhere. */
import { make } from "./dom.js";
import { pageButton, screen } from "./screen.js";
import { supposing } from "./what-if.js";
/** @import { Hall, State } from "../protocol" */

/** A card that takes the text of a position. @param {Hall} hall @param {State["games"]} games */
export function position({ words, ask }, games) {
  const game = make("select", { "aria-label": words["position-game"] }, ...games.map(({ key, name }) => make("option", { value: key }, name)));
  const text = make("input", { maxlength: 512, required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": words["position-text"], placeholder: words["position-text"] });
  const form = make("form", { class: "ask" }, game, text, make("button", { type: "submit", class: "key good" }, words["position-show"]));
  const none = () => {}, what = supposing({ ask, drawn: draw });
  const board = screen({
    words: () => words,
    press: (pressed) => (pressed.code ? what.choose(pressed) : what.back()),
    end: ({ moves: [only] }) => what.choose(only),
    cancel: () => what.back(),
    point: none, swipe: none, lost: none,
  });
  board.pic.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    what.pose(game.value, text.value.trim());
  });

  function draw() {
    const tried = what.at(game.value);
    if (!tried) return;
    const { shown, base } = tried, back = tried.tried || shown.path.length ? [[pageButton(words["undo-if"], "house", "undo")]] : [];
    board.show({ ...shown, rows: [...shown.rows, ...back] }, base);
  }

  const head = make("div", { class: "head" }, make("h2", {}, words.position), make("p", {}, words["position-about"]), form);
  return make("article", { class: "card", id: "position", tabindex: "-1" }, head, board.head, board.said, board.pic, board.acts);
}
