/* Where the page is: each screen has an address below the page's base, which says whose page it is.

Within Discord the address of the frame must stay as it is; there the screen stands behind its `#`. */
import { remembered } from "./dom.js";
/** @import { Place, Screen } from "../protocol" */

const OF_GAMES = new Set(["play", "learn", "puzzle", "rules"]); // screens of one game, or of all
const ALONE = new Set(["settings", "games", "companions", "position", "help"]);
const WRITTEN = { people: /^([a-z]{1,16}(\/month)?(\/\d{1,6})?|[0-9a-f]{32})?$/, tournaments: /^([0-9A-Z]{4,8})?$/ };

/** How the headline of a tournament ends: by its code. */
const CODED = / · ([0-9A-Z]{4,8})$/;

/** @type {Place} */
export const HOME = { kind: "home" };

/** The path of the page's base. */
const base = () => new URL(".", document.baseURI).pathname;

/** Whether the screen stands in the path. */
const inPath = () => location.pathname.startsWith(base());

/**
 * The table *code*, after *at* entries of its log where that is not null.
 * @param {string} code
 * @param {number | null} [at]
 * @returns {Place}
 */
export const atTable = (code, at = null) => ({ kind: "table", table: code, at });

/** The screen at *path* below the base. @param {string} path @returns {Place} */
export function placeAt(path) {
  const [kind, name = "", more = ""] = path.split("/");
  if (kind === "t" && /^[0-9A-Z]{4,8}$/i.test(name))
    return atTable(name.toUpperCase(), /^\d{1,5}$/.test(more) ? Number(more) : null);
  if (OF_GAMES.has(kind) && /^[a-z]*$/.test(name) && (name || kind !== "play"))
    return { kind: /** @type {"play"} */ (kind), game: name };
  if (kind === "people" || kind === "tournaments") {
    const part = path.slice(kind.length + 1), written = kind === "people" ? part : part.toUpperCase();
    return WRITTEN[kind].test(written) ? { kind, part: written } : HOME;
  }
  return ALONE.has(kind) ? { kind: /** @type {"help"} */ (kind) } : HOME;
}

/** The path of *place* below the base. @param {Place} place */
export function pathOf(place) {
  if (place.kind === "home") return "";
  if (place.kind === "table") return ["t", place.table, place.at].filter((part) => part !== null).join("/");
  const more = "game" in place ? place.game : "part" in place ? place.part : "";
  return more ? `${place.kind}/${more}` : place.kind;
}

/** The screen above *place*: that of all people or tournaments, or the first. @param {Place} place @returns {Place} */
export function above(place) {
  if ("game" in place && place.game && place.kind !== "play") return { ...place, game: "" };
  return "part" in place && (place.kind === "tournaments" ? place.part : place.part.length === 32)
    ? { ...place, part: "" }
    : HOME;
}

/**
 * The screen *place*, as far as *card* on it names it better.
 * @param {Place} place
 * @param {Screen} card
 * @returns {Place}
 */
export function narrowed(place, { headline, game }) {
  if ("game" in place) return game ? { ...place, game } : place;
  const code = place.kind === "tournaments" && CODED.exec(headline)?.[1];
  return code ? { kind: "tournaments", part: code } : place;
}

/** The screen that the address names. */
export function here() {
  const told = location.hash.slice(1), path = inPath() ? location.pathname.slice(base().length) : "";
  if (path) return placeAt(path);
  // Links of earlier releases: a table, a moment of its game, or a game to be played.
  if (/^[0-9A-Z]{4,8}(\/|$)/.test(told)) return placeAt(`t/${told}`);
  return /^[a-z]+$/.test(told) && placeAt(told) === HOME ? placeAt(`play/${told}`) : placeAt(told);
}

/** The whole address of *place*. @param {Place} place */
export function addressOf(place) {
  const path = pathOf(place);
  return inPath() ? base() + path + location.search : location.pathname + location.search + (path && `#${path}`);
}

/** The people who play in this browser, by the paths of their pages; *name* is that of whoever plays here.
 * @param {string} [name] @returns {Record<string, string>} */
export function users(name) {
  const own = base(), all = JSON.parse(remembered("playing") || "{}");
  // Other addresses are those of one person, or let in whoever knows them.
  if (!name || !own.startsWith("/p/") || all[own] === name) return all;
  return JSON.parse(remembered("playing", JSON.stringify({ ...all, [own]: name })));
}

/** Whether the page stands within Telegram. */
export const inTelegram = () => location.pathname.startsWith("/t/");

/** A link to a moment of a game, for anybody who comes to this house; none where an app surrounds the page.
 * @param {string} code @param {number} at after how many entries of its log */
export function momentLink(code, at) {
  return location.pathname.startsWith("/p/") ? new URL(`/g/${code}/${at}`, location.origin).href : "";
}
