/* The list of tables that are open to all. */

import { make } from "./dom.js";
/** @import { Listed } from "../protocol" */

/**
 * The list of open tables. *go* joins a table or looks on.
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
    /** Whether the table is listed for all. @param {string} table */
    has: (table) => listed.some((one) => one.table === table && !one.here),
    /** @param {Listed[]} found */
    came(found) {
      listed = found;
      const others = found.filter((one) => !one.mine);
      root.hidden = !others.length;
      const part = (/** @type {string} */ title, /** @type {Listed[]} */ some) => (some.length ? [make("h2", {}, title), make("div", { class: "acts" }, ...some.map(line))] : []);
      root.replaceChildren(...part(words()["here-tables"], others.filter((one) => one.here)), ...part(words().lobby, others.filter((one) => !one.here)));
    },
  };
}
