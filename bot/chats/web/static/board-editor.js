/* A position set up by hand: pieces are chosen and put, one after the other, by the server that knows them. */
import { arrange, keeper, make, write } from "./dom.js";
/** @import { Answer, Board, Editor, Frame } from "../protocol" */

/**
 * The draft of a position. *ask* requests what comes of an act, *drawn* is called when it has changed.
 * @param {{ ask: (frame: Frame, told: (answer: Answer) => void) => void, drawn: () => void }} parts
 */
export function drafting({ ask, drawn }) {
  let game = "", piece = "", on = false, busy = false, session = 0;
  let past = /** @type {string[]} */ ([]); // the texts before each act
  // one act is asked at a time, since each changes the text
  let due = /** @type {{ path: string, piece: string }[]} */ ([]);
  let shown = /** @type {{ board: Board, editor: Editor } | null} */ (null);
  let text = "";

  function next() {
    const one = due.shift(), mine = session;
    busy = Boolean(one);
    if (!one) return;
    ask({ kind: "setup", code: game, line: text, path: one.path, at: one.piece }, (answer) => {
      if (mine !== session) return;
      if (answer.editor && answer.if) {
        if (one.path && answer.editor.text !== text) past.push(text);
        text = answer.editor.text;
        shown = { board: answer.if, editor: answer.editor };
        if (on) drawn();
      } else due = [];
      next();
    });
  }

  /** @param {string} path */
  function act(path) {
    due.push({ path, piece });
    if (!busy) next();
  }

  return {
    /**
     * Set up by hand what *written* says of the game *key*; "" is its first draft.
     * @param {string} key
     * @param {string} written
     */
    begin(key, written) {
      [game, text, piece, on, past, due, shown] = [key, written, "", true, [], [], null];
      session += 1;
      busy = false;
      act("");
    },
    end: () => void (on = false),
    act,
    /** Take the last act back. */
    undo() {
      const before = past.pop();
      if (before === undefined) return;
      text = before;
      act("");
    },
    /** @param {string} key the piece that is put from now on, "" to take away */
    choose(key) {
      piece = key;
      act("");
    },
    /** What is set up, if anything is. */
    now: () => (on && shown ? { ...shown, piece, text, done: past.length } : null),
  };
}

/**
 * The pieces that can be put, by their sides.
 * @param {{ words: Record<string, string>, choose: (key: string) => void }} parts
 */
export function palette({ words, choose }) {
  const root = make("div", { class: "palette" });
  const groups = keeper(() => make("div", { role: "group" })),
    keys = keeper(() => make("button", { class: "key stamp" }));
  const names = keeper(() => make("b", { "aria-hidden": "true" }));

  /** @param {string} side */
  function named(side) {
    const name = names.of(side);
    write(name, side);
    return name;
  }

  /** @param {Editor["pieces"][number]} one @param {string} chosen */
  function stamp({ key, label, side, face }, chosen) {
    const made = keys.of(key);
    if (made.title !== label) {
      fill(made, label, face);
      made.title = label;
      made.setAttribute("aria-label", side ? `${label} · ${side}` : label);
      made.onclick = () => choose(key);
    }
    made.setAttribute("aria-pressed", String(key === chosen));
    return made;
  }

  /** @param {HTMLElement} made @param {string} label @param {string} face */
  function fill(made, label, face) {
    if (face) made.replaceChildren(make("img", { src: `face/${face}.png`, alt: "", width: 36, height: 36 }));
    else write(made, label);
  }

  return {
    root,
    /** @param {Editor["pieces"]} pieces @param {string} chosen */
    show(pieces, chosen) {
      const sides = [...new Set(pieces.map(({ side }) => side))];
      const made = sides.map((side, at) => {
        const group = groups.of(side), own = pieces.filter((one) => one.side === side);
        group.setAttribute("aria-label", side || words["setup-pieces"]);
        const takes = at ? [] : [stamp({ key: "", label: words["setup-take"], side: "", face: "" }, chosen)];
        arrange(group, [...takes, ...(side ? [named(side)] : []), ...own.map((one) => stamp(one, chosen))]);
        return group;
      });
      groups.done();
      keys.done();
      names.done();
      arrange(root, made);
    },
  };
}
