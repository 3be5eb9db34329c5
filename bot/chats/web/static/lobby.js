/* The list of tables that are open to all, and of games to be watched. */

import { make } from "./dom.js";
/** @import { Listed } from "../protocol" */

/**
 * The list of open tables. *go* joins a table or looks on; *cover* is the address of the picture of a game.
 * @param {{ words: () => Record<string, string>, go: (one: Listed) => void, cover: (game: string) => string }} parts
 */
export function lobby({ words, go, cover }) {
  const root = make("section", { class: "open-tables", hidden: true });
  let listed = /** @type {Listed[]} */ ([]);

  /** @param {Listed} one */
  const said = (one) => [one.who, one.open && one.terms].filter(Boolean).join(" · ");

  /** @param {Listed} one */
  function line(one) {
    const text = make("span", {}, make("b", {}, one.title), make("span", { class: "d" }, said(one))),
      picture = cover(one.game);
    return make(
      "button",
      { class: "key goes", "data-table": one.table, click: () => go(one) },
      picture ? make("img", { src: picture, alt: "", width: 107, height: 64, loading: "lazy" }) : "",
      text,
      make("span", { class: "does" }, one.open ? words().sit : words().watch),
    );
  }

  const hall = {
    root,
    /** The table is listed no more. @param {string} table */
    gone: (table) => hall.came(listed.filter((one) => one.table !== table || one.mine || one.here)),
    /** Whether the table is listed for all. @param {string} table */
    has: (table) => listed.some((one) => one.table === table && !one.here),
    /** @param {Listed[]} found */
    came(found) {
      listed = found;
      const others = found.filter((one) => !one.mine), far = others.filter((one) => !one.here);
      root.hidden = !others.length;
      const part = (/** @type {string} */ title, /** @type {Listed[]} */ some) =>
        some.length ? [make("h2", {}, title), make("div", { class: "acts" }, ...some.map(line))] : [];
      root.replaceChildren(
        ...part(
          words()["here-tables"],
          others.filter((one) => one.here),
        ),
        ...part(
          words().lobby,
          far.filter((one) => one.open),
        ),
        ...part(
          words()["to-watch"],
          far.filter((one) => !one.open),
        ),
      );
    },
  };
  return hall;
}
