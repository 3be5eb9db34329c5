/* What the player writes for themselves on moments of a finished game, with the moves they tried there. */
import { fit, make, write } from "./dom.js";
/** @import { Comment, Frame, Hall } from "../protocol" */

/** A moment of a game: after *number* entries of its log, and the moves tried from there on.
 * @typedef {{ table: string, number: number, moves: string }} Moment */

/**
 * *said* tells what was played before a moment; *look* turns to one, and tries the moves of its branch again.
 * @param {{ words: () => Hall["words"], ask: Hall["ask"], said: (number: number) => string, look: (moment: Moment) =>
 *   void }} parts
 */
export function commenting({ words, ask, said, look }) {
  const field = make("textarea", { maxlength: 500, rows: 2 });
  const keep = make("button", { type: "submit", class: "key" }), list = make("div", { class: "acts" });
  const form = make("form", { class: "own" }, field, keep);
  const root = make("section", { class: "comments" }, form, list);
  const known = /** @type {Map<string, Comment[]>} */ (new Map());
  let at = /** @type {Moment} */ ({ table: "", number: -1, moves: "" });

  const stored = () => known.get(at.table)?.find((one) => one.number === at.number);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(at.moves || (stored()?.moves ?? ""));
  });

  /** Keep what is written on the moment in view, with a branch. @param {string} moves */
  function save(moves) {
    const { table, number } = at, text = field.value.trim();
    send({ kind: "comment", table, at: String(number), line: text, moves: text || at.moves ? moves : "" });
  }

  /** @param {Frame} frame */
  function send(frame) {
    ask(frame, ({ good, comments }) => {
      if (!good || !comments) return;
      known.set(frame.table ?? "", comments);
      if (frame.table === at.table) draw(frame.kind === "comments");
    });
  }

  /** @param {boolean} fills whether the field shows what is kept */
  function draw(fills) {
    if (fills) field.value = stored()?.text ?? "";
    fit(field, { "aria-label": words().comment, placeholder: words()["comment-here"] });
    write(keep, at.moves ? words()["comment-branch"] : words()["comment-keep"]);
    list.replaceChildren(...(known.get(at.table) ?? []).map(line));
  }

  /** @param {Comment} one */
  function line({ number, text, moves }) {
    const written = make("span", {}, text || words()["comment-tried"], make("span", { class: "d" }, said(number)));
    const { table } = at;
    return make(
      "button",
      { class: "key", click: () => look({ table, number, moves }) },
      written,
      moves ? make("span", { class: "does" }, words().if) : "",
    );
  }

  return {
    root,
    /**
     * Show what stands on the moment in view; what was written on the one before and not kept yet is kept.
     * @param {Moment} next
     */
    show(next) {
      const other = next.table !== at.table || next.number !== at.number;
      if (other && known.has(at.table) && field.value.trim() !== (stored()?.text ?? "")) save(stored()?.moves ?? "");
      const asked = known.has(next.table) || next.table === at.table;
      at = next;
      if (!asked) send({ kind: "comments", table: next.table });
      draw(other);
    },
  };
}
