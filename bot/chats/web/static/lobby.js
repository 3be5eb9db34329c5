/* The list of tables that are open to all, and of games to be watched, below the keys to play at once. */

import { make } from "./dom.js";
/** @import { Listed, Tempo } from "../protocol" */

/**
 * The list of open tables. *go* joins a table or looks on, *now* plays at a tempo with whoever waits or comes; *cover*
 * is the address of the picture of a game.
 * @param {{ words: () => Record<string, string>, go: (one: Listed) => void, now: (tempo: string) => void,
 *   cover: (game: string) => string }} parts
 */
export function lobby({ words, go, now, cover }) {
  const root = make("section", { class: "open-tables" });
  const counts = make("input", { type: "checkbox" });
  let listed = /** @type {Listed[]} */ ([]),
    tempos = /** @type {Tempo[]} */ ([]);

  /** @param {string} title @param {string} said @param {() => void} click @param {string} [picture]
   * @param {string} [does] */
  const key = (title, said, click, picture = "", does = "") =>
    make(
      "button",
      { class: "key goes", click },
      picture && make("img", { src: picture, alt: "", width: 107, height: 64, loading: "lazy" }),
      make("span", {}, make("b", {}, title), make("span", { class: "d" }, said)),
      does && make("span", { class: "does" }, does),
    );

  /** @param {Listed} one */
  function line(one) {
    const said = [one.who, one.open && one.terms].filter(Boolean).join(" · ");
    const does = one.open ? words().sit : words().watch;
    const open = key(one.title, said, () => go(one), cover(one.game), does);
    open.dataset.table = one.table;
    return open;
  }

  const hall = {
    root,
    /** The table is listed no more. @param {string} table */
    gone: (table) => hall.came(listed.filter((one) => one.table !== table || one.mine || one.here)),
    /** Whether the table is listed for all. @param {string} table */
    has: (table) => listed.some((one) => one.table === table && !one.here),
    /** @param {Listed[]} found @param {Tempo[]} [at] */
    came(found, at = tempos) {
      [listed, tempos] = [found, at];
      root.hidden = !tempos.length;
      const part = (/** @type {string} */ title) => {
        const place = (/** @type {Listed} */ one) => (one.here ? "here-tables" : one.open ? "lobby" : "to-watch");
        const some = found.filter((one) => !one.mine && title === place(one));
        return some.length ? [make("h2", {}, words()[title]), make("div", { class: "acts" }, ...some.map(line))] : [];
      };
      const tempo = (/** @type {Tempo} */ one) =>
        key(one.label, one.said, () => now(counts.checked ? `${one.key}/rated` : one.key));
      root.replaceChildren(
        make("h2", {}, words()["play-now"]),
        make("div", { class: "acts now" }, ...tempos.map(tempo)),
        make("label", {}, counts, words().counts),
        ...["here-tables", "lobby", "to-watch"].flatMap(part),
      );
    },
  };
  return hall;
}
