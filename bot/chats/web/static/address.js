/* Where the page is, as its address tells: at a table, and perhaps at a moment of its game. */

/** The table, or the game on the shelf, that the address names, and after how many entries of its log; null for the newest board. */
export function addressed() {
  const [table, at = ""] = location.hash.slice(1).split("/");
  return { table, at: /^\d{1,5}$/.test(at) ? Number(at) : null };
}

/** What shows a moment of a game once it is known: *has* says whether its table is on the page, *ready* whether it could be
 * fetched, by *fetched*; *goTo* shows it.
 * @param {{ has: (table: string) => boolean, ready: () => boolean, fetched: (table: string) => void,
 *   goTo: (table: string, at: number) => void }} parts */
export function arriving({ has, ready, fetched, goTo }) {
  return (/** @type {string} */ table, /** @type {number} */ at) => {
    goTo(table, at);
    if (!has(table) && ready()) fetched(table);
  };
}

/** The page's address at a table: whole, since within Discord a short one would begin at its token. @param {string} code */
export const address = (code) => location.pathname + location.search + (code && `#${code}`);

/** A link to a moment of a game, for anybody who comes to this house; none where an app surrounds the page.
 * @param {string} code @param {number} at after how many entries of its log */
export function momentLink(code, at) {
  return location.pathname.startsWith("/p/") ? new URL(`/g/${code}/${at}`, location.origin).href : "";
}
