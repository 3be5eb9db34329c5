/* What comes of a press on the board: a choice, a move, or a button of the page itself. */
import { remembered } from "./dom.js";
import { announce, tell, turnTo } from "./pane.js";
import { pageButton } from "./screen.js";
/** @import { Board, Button, End, Frame, From, State } from "../protocol" */

const SLOW = 300; // after so many milliseconds without an answer the board shows that it waits
const TWICE = 400; // a second press within so many milliseconds of one that played is no wish

/** What the page itself offers beside a board, which is *listed* for all or not.
 * @param {Board} board @param {boolean} listed @param {State["words"]} words */
export function pageButtons(board, listed, words) {
  if (board.over || board.watches) return [pageButton(words.away, "house", "away")];
  const step = listed ? "unlist" : "list";
  return board.open ? [pageButton(words["copy-link"], "good", "invite"), pageButton(words[step], "house", step)] : [];
}

/** What may be done while moves are tried. @param {number} tried how many were @param {State["words"]} words */
export function trying(tried, words) {
  return [pageButton(words["to-game"], "good", "game"), ...(tried ? [pageButton(words["undo-if"], "house", "undo")] : [])];
}

/**
 * *boards* are the newest of each table, *menus* what was chosen so far; *own* does what buttons of the page
 * stand for, by their steps. *act*, *asked* and *waits* are the connection's, *waiting* shows that the board waits, *newer*
 * takes a board that is newer than ours, and *drawn* hears that it is to be drawn anew.
 * @param {{ boards: Map<string, Board>, menus: Map<string, Board>, words: () => State["words"], view: () => string,
 *   own: Record<string, (table: string) => void>, act: (frame: Frame, from?: From) => void,
 *   asked: () => number, waits: (test: (frame: Frame) => boolean) => boolean, waiting: () => void, newer: (board: Board) => void, drawn: () => void }} parts
 */
export function pressing({ boards, menus, words, view, own, act, asked, waits, waiting, newer, drawn }) {
  const newest = /** @type {Map<string, number>} */ (new Map()); // by table the last wish before what stands there, or was left
  let played = { at: -TWICE, on: /** @type {Element | null} */ (null) };

  /** @param {Button} pressed @param {Element} on @param {string} table @param {HTMLElement | null} card */
  function press(pressed, on, table, card) {
    if (!pressed.code) return own[pressed.step](table);
    if (waits((frame) => frame.code === pressed.code)) return;
    const now = performance.now(), plays = pressed.style === "move" || pressed.style === "final";
    if (plays && on === played.on && now - played.at < TWICE) return;
    if (pressed.plays && pressed.style === "move" && remembered("confirm") && unsure(pressed, table)) return;
    if (plays && (pressed.plays || !pressed.step)) played = { at: now, on };
    passed(table);
    const at = String((menus.get(table) ?? boards.get(table))?.version ?? "");
    act({ kind: "press", code: pressed.code, message: table, at }, { card, move: plays });
    setTimeout(() => {
      if (table === view() && waits((frame) => frame.kind === "press" && frame.message === table)) waiting();
    }, SLOW);
  }

  const back = () => [pageButton(words().back, "house", "")];

  /** Ask once more whether a move shall be played, if there is another. @param {Button} pressed @param {string} table */
  function unsure(pressed, table) {
    const board = menus.get(table) ?? boards.get(table);
    if (!board || boards.get(table)?.rows.flat().filter((one) => one.style === "move").length === 1) return false;
    const again = { ...pressed, style: "final", step: "" };
    put({ ...board, headline: words().sure, lines: [], rows: [[again], back()], spots: [], ends: [] });
    drawn();
    turnTo("acts");
    announce(`${words().sure} ${pressed.label}`);
    return true;
  }

  /** Let *board* stand in place of that of its table, unless something else was looked at or left there since it was
   * asked for; answers whether it does. @param {Board} board @param {number} [number] the wish that it answers */
  function put(board, number = asked() + 1) {
    if (number < (newest.get(board.table) ?? 0)) return false;
    newest.set(board.table, number);
    menus.set(board.table, board);
    return true;
  }

  /** A question that is answered, or passed over, waits until the next board at most. @param {string} table */
  function passed(table) {
    const menu = menus.get(table);
    if (menu) menu.asks = false;
  }

  /** Choose nothing again. */
  function cancel() {
    if (!menus.delete(view())) return;
    newest.set(view(), asked() + 1);
    drawn();
    announce(boards.get(view())?.headline ?? "");
  }

  return {
    press,
    cancel,
    passed,
    /** Let what was chosen go with the board it belonged to; a question waits below the new one *board* while it can be
     * answered. @param {Board} board */
    renewed(board) {
      const { table, over } = board, menu = menus.get(table);
      if (menu?.asks && menu.over === over) menus.set(table, { ...board, lines: menu.lines, rows: menu.rows, spots: [], ends: [], asks: true });
      else menus.delete(table);
    },
    /** What the player alone is shown or asked, in place of the board until he goes back.
     * @param {Board} board @param {number} number the wish that it answers */
    beside(board, number) {
      if (!board.asks) board.rows.push(back());
      if (!put(board, number) || board.table !== view()) return;
      drawn();
      turnTo("acts");
      tell(board);
    },
    /** What has been chosen at a table so far. @param {Board} board @param {number} number the wish that it answers */
    came(board, number) {
      const base = boards.get(board.table);
      if (base && board.version < base.version) return;
      if (base && board.version > base.version) newer({ ...board, path: [] });
      if (!put(board, number)) return;
      const same = JSON.stringify(board.rows) === JSON.stringify(base?.rows);
      if (same) menus.delete(board.table);
      if (board.table !== view()) return;
      drawn();
      const tapped = new Set(board.spots.map((spot) => spot.step));
      const beside = board.rows.flat().some((one) => one.style !== "blank" && !tapped.has(one.step));
      if (!same && (!board.path.length || (beside && !tapped.size))) turnTo("acts");
      tell(board);
    },
    /** Show the moves that end on one place, or play the only one. @param {End} end @param {Element} on */
    follow(end, on) {
      const board = menus.get(view());
      if (end.moves.length === 1) return press(end.moves[0], on, view(), null);
      if (!board) return;
      put({ ...board, rows: [end.moves, back()], spots: [] });
      drawn();
      turnTo("acts");
    },
  };
}
