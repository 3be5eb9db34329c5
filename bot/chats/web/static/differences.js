/* Boards that come as what has changed since the last one of their table, as differences.py tells. */
/** @import { Board, Difference } from "../protocol" */

const OFFERS = new Set(
  "begin label step kind code tap lengths spots parts corners lines headline status runs result".split(" "),
);

/** @typedef {Record<string, any>} Columns */

/** A place in four numbers. @param {string} text @returns {any} */
const box = (text) => text.split(" ").map(Number);

/** The board that *told* is in columns; *sprites* are the names of all that were told, *places* those of its spots.
 * @param {Columns} told @param {string[]} sprites @param {Record<string, string>} places @returns {Board} */
function board(
  { begin, label, step, kind, code, tap, lengths, again, size, lays, parts, corners, fresh, ...told }, sprites, places,
) {
  const long = (/** @type {string} */ short, /** @type {string} */ own) =>
    short[0] === "=" ? short.slice(1) : begin + own + short;
  const buttons = step.map((/** @type {string} */ own, /** @type {number} */ at) => {
    const [style, letter = "", plays, quiet] = kind[at].split(" ");
    return {
      label: label[at],
      step: own,
      style,
      letter,
      plays: Boolean(plays),
      quiet: Boolean(quiet),
      code: long(code[at], own),
      tap: long(tap[at], own),
    };
  });
  const shown = parts.map((/** @type {any} */ one, /** @type {number} */ at) =>
    `${sprites[one] ?? one} ${corners[at]}`);
  const moves = told.told.map((/** @type {any[]} */ [number, seat, text, note, weight]) =>
    ({ number, who: told.clocks[seat]?.who ?? seat, text, note, weight }));
  const { who, text } = moves.at(-1) ?? {}, lines = again & 1 ? [`${who}: ${text}.`, ...told.lines] : told.lines;
  return /** @type {Board} */ (structuredClone({
    ...told,
    told: moves,
    lines,
    alt: (again & 2 ? [lines[0], ...told.alt] : told.alt).join(" "),
    spots: told.spots.map((/** @type {string} */ own) => {
      const [x, y, w, h] = box(places[own]);
      return { step: own, x, y, w, h };
    }),
    motions: told.motions.map((/** @type {any[]} */ [number, start, end, spins, face]) =>
      ({ number, start: box(places[start] ?? start), end: box(places[end] ?? end), spins, face })),
    rows: lengths.map((/** @type {number} */ length) => buttons.splice(0, length)),
    scene: size[0] ? { width: size[0], height: size[1], parts: shown.join("|"), lays, sprites: fresh } : null,
  }));
}

/** A list by its edits of an *old* one; items of a text have *bar* between them.
 * @param {any[]} old @param {any[]} edits @param {string} bar */
function edited(old, edits, bar) {
  const now = [];
  for (let at = 0; at < edits.length; at += 1) {
    const one = edits[at];
    if (typeof one === "number") now.push(...old.slice(one, one + edits[(at += 1)]));
    else now.push(...(typeof one === "string" ? one.split(bar) : one));
  }
  return now;
}

export function differing() {
  const tables = /** @type {Map<string, { known: Columns, places: Record<string, string> }>} */ (new Map());
  const sprites = /** @type {string[]} */ ([]);

  return {
    /** Forget all boards: a new connection begins with whole ones. */
    forget() {
      tables.clear();
      sprites.length = 0;
    },
    /** *came* as a whole board; with *keeps* the next one differs from it.
     * @param {Board | Difference} came @returns {Board} */
    whole(came, keeps = true) {
      if (!("edits" in came)) return came;
      const { places, sprites: news, ...told } = /** @type {Columns} */ (came.told);
      const fresh = /** @type {Record<string, number[]>} */ ({});
      for (const one of news?.split("|") ?? []) {
        const [name, ...size] = one.split(" ");
        sprites.push(name);
        fresh[name] = size.map(Number);
      }
      const table = tables.get(came.table) ?? { known: {}, places: {} };
      tables.set(came.table, table);
      Object.assign(table.places, places);
      const offer = ` ${came.mine}`, old = table.known, now = /** @type {Columns} */ ({});
      const at = (/** @type {string} */ key) => (OFFERS.has(key) ? key + offer : key);
      // A column of the other turn stands for one of this turn that was never told.
      for (const name in old) {
        const [key] = name.split(" ");
        if (at(key) === name || !(at(key) in old)) now[key] = old[name];
      }
      Object.assign(now, told, { mine: came.mine, fresh });
      for (const [key, edits] of Object.entries(came.edits))
        now[key] = edited(now[key] ?? [], edits, key === "alt" ? " " : "|");
      const kept = { ...old };
      for (const key in now) kept[at(key)] = now[key];
      if (keeps) table.known = kept;
      return board(/** @type {any} */ (now), sprites, table.places);
    },
  };
}
