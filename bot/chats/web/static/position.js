/* A position by its text or set up by hand, from which moves are tried for both sides; it is kept nowhere. */
import { drafting, palette } from "./board-editor.js";
import { arrange, make, write } from "./dom.js";
import { announce } from "./pane.js";
import { pageButton, screen } from "./screen.js";
import { supposing } from "./what-if.js";
/** @import { Hall, State } from "../protocol" */

/** A card that takes the text of a position. @param {Hall} hall @param {State["games"]} games */
export function position({ words, ask }, games) {
  const game = make(
    "select",
    { "aria-label": words["position-game"], change: () => draft.now() && draft.begin(game.value, "") },
    ...games.map(({ key, name }) => make("option", { value: key }, name)),
  );
  const text = make("input", {
    maxlength: 512,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-label": words["position-text"],
    placeholder: words["position-text"],
  });
  const byHand = make("button", { class: "key", click: () => draft.begin(game.value, text.value.trim()) }, words.setup);
  const form = make(
    "form",
    { class: "ask" },
    game,
    text,
    make("button", { type: "submit", class: "key good" }, words["position-show"]),
  );
  const how = make("p", {}, words["setup-how"]),
    wrong = make("p", { class: "wrong", role: "status" }),
    beside = make("div", { class: "more" });
  const none = () => {},
    what = supposing({ ask, drawn: tried }),
    draft = drafting({ ask, drawn: edited });
  const stamps = palette({ words, choose: draft.choose });
  const setup = make("div", { class: "setup", hidden: true }, how, stamps.root, beside, wrong);
  const own = /** @type {Record<string, () => void>} */ ({
    clear: () => draft.act("clear"),
    turn: () => draft.act("turn"),
    undo: () => draft.undo(),
    try: () => what.pose(game.value, text.value.trim()),
    back: () => what.back(),
  });
  let put = ""; // the place on which something was put last
  const board = screen({
    words: () => words,
    press: (pressed) => (pressed.code ? choose(pressed) : own[pressed.step]()),
    end: ({ moves: [only] }) => what.choose(only),
    cancel: () => what.back(),
    point: none, swipe: none, lost: none,
  });
  board.pic.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    what.pose(game.value, text.value.trim());
  });

  /** @param {import("../protocol").Button} pressed */
  function choose(pressed) {
    if (!draft.now()) return what.choose(pressed);
    put = pressed.step;
    draft.act(pressed.code.slice(3));
  }

  /** The board of the draft, and what can be done to it. */
  function edited() {
    const now = draft.now();
    if (!now) return;
    const { editor, piece } = now,
      keys = [
        ["setup-try", "good", "try"],
        ["setup-turn", "house", "turn"],
        ["setup-clear", "house", "clear"],
      ];
    if (now.done) keys.push(["setup-undo", "house", "undo"]);
    if (document.activeElement !== text) text.value = now.text;
    setup.hidden = false;
    stamps.show(editor.pieces, piece);
    arrange(
      beside,
      editor.beside.map(([place, name]) =>
        make("button", { class: "key", click: () => draft.act(`put,${place}`) }, name),
      ),
    );
    write(wrong, editor.wrong);
    const shown = {
      ...now.board,
      rows: [...now.board.rows, keys.map(([word, style, step]) => pageButton(words[word], style, step))],
    };
    board.show(shown, shown);
    const there = shown.rows.flat().find((one) => one.step === put && one.code);
    if (put && !editor.wrong) announce(there?.label ?? "");
    put = "";
  }

  /** The board after the moves that were tried. */
  function tried() {
    const at = what.at(game.value);
    if (!at) return;
    draft.end();
    setup.hidden = true;
    const { shown, base } = at,
      back = at.tried || shown.path.length ? [[pageButton(words["undo-if"], "house", "back")]] : [];
    board.show({ ...shown, rows: [...shown.rows, ...back] }, base);
  }

  const head = make(
    "div",
    { class: "head" },
    make("h2", {}, words.position),
    make("p", {}, words["position-about"]),
    form,
    make("div", { class: "more" }, byHand),
  );
  return make(
    "article",
    { class: "card", id: "position", tabindex: "-1" },
    head,
    setup,
    board.head,
    board.said,
    board.pic,
    board.acts,
  );
}
