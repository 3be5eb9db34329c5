/* The first advice at a table of somebody new: it stays until what it says has been done. */

const DEEDS = 2; // own moves that one advice tells of

export function lessons() {
  const given = /** @type {Map<string, { first: string, left: number }>} */ (new Map());

  return {
    /** Give the advice *first* at *table*. @param {string} table @param {string} first */
    begin: (table, first) => void given.set(table, { first, left: DEEDS }),
    /** The advice at *table*, if one is due there. @param {string} table */
    at: (table) => given.get(table)?.first ?? "",
    /** The player's own move was taken. @param {string} table */
    done(table) {
      const lesson = given.get(table);
      if (lesson && --lesson.left <= 0) given.delete(table);
    },
    /** The game is over. @param {string} table */
    end: (table) => void given.delete(table),
  };
}
