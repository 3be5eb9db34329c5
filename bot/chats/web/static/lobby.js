/* The tables that are open to all, and those that are put away. */

import { make } from "./dom.js";
/** @import { Listed } from "../protocol" */

/**
 * The list of open tables, to be put where games are chosen. *go* sits down at a table or looks on.
 * @param {{ words: () => Record<string, string>, go: (one: Listed) => void }} parts
 */
export function lobby({ words, go }) {
  const root = make("section", { class: "open-tables", hidden: true });
  let listed = /** @type {Listed[]} */ ([]);

  /** @param {Listed} one */
  function line(one) {
    const text = make("span", {}, one.title, make("span", { class: "d" }, one.who));
    return make("button", { class: "key", "data-table": one.table, click: () => go(one) },
      text, make("span", { class: "does" }, one.open ? words().sit : words().watch));
  }

  return {
    root,
    /** Whether everybody finds the table. @param {string} table */
    has: (table) => listed.some((one) => one.table === table),
    /** @param {Listed[]} found */
    came(found) {
      listed = found;
      const others = found.filter((one) => !one.mine);
      root.hidden = !others.length;
      root.replaceChildren(make("h2", {}, words().lobby), make("div", { class: "acts" }, ...others.map(line)));
    },
  };
}
