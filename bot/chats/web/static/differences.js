/* Boards that come as what has changed since the last one of their table, as differences.py tells. */
/** @import { Board, Difference } from "../protocol" */

const OFFERS = new Set(["label", "step", "kind", "code", "tap", "lengths", "spots", "parts"]);

/** @typedef {Record<string, any>} Columns */

/** The board that *told* is in columns. @param {Columns} told @returns {Board} */
function board({ begin, label, step, kind, code, tap, lengths, alt, parts, size, sprites, ...told }) {
  const long = (/** @type {string} */ short, /** @type {string} */ own) => {
    if (short.startsWith("=")) return short.slice(1);
    return short.includes(".") ? begin + short : `${begin}${own}.${short}`;
  };
  const buttons = step.map((/** @type {string} */ own, /** @type {number} */ at) => {
    const [style, letter, plays, quiet] = kind[at].split("|");
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
  const rows = lengths.map((/** @type {number} */ length) => buttons.splice(0, length));
  const scene = size[0] ? { width: size[0], height: size[1], parts: parts.join("|"), sprites } : null;
  return /** @type {Board} */ (structuredClone({ ...told, alt: alt.join(" "), rows, scene }));
}

/** A list by its edits of an *old* one. @param {any[]} old @param {any[]} edits */
const edited = (old, edits) =>
  edits.flatMap(([one, length]) => (Array.isArray(one) ? one : old.slice(one, one + length)));

export function differing() {
  const known = /** @type {Map<string, Columns>} */ (new Map());

  return {
    /** Forget all boards: a new connection begins with whole ones. */
    forget: () => known.clear(),
    /** *came* as a whole board; with *keeps* the next one differs from it.
     * @param {Board | Difference} came @returns {Board} */
    whole(came, keeps = true) {
      if (!("edits" in came)) return came;
      const offer = ` ${came.mine}`, old = known.get(came.table) ?? {}, now = /** @type {Columns} */ ({});
      const at = (/** @type {string} */ key) => (OFFERS.has(key) ? key + offer : key);
      for (const [name, value] of Object.entries(old)) {
        if (!name.includes(" ")) now[name] = value;
        else if (name.endsWith(offer)) now[name.slice(0, -offer.length)] = value;
      }
      Object.assign(now, { sprites: {} }, came.told);
      for (const [key, edits] of Object.entries(came.edits)) now[key] = edited(old[at(key)], edits);
      if (keeps)
        known.set(came.table, {
          ...old,
          ...Object.fromEntries(Object.entries(now).map(([key, value]) => [at(key), value])),
        });
      return board({ ...now });
    },
  };
}
