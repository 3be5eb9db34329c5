/* Presses on the board: a choice, a move, or a button of the page itself. */
import { momentLink } from "./address.js";
import { remembered } from "./dom.js";
import { doubleTaps } from "./double-taps.js";
import { announce, tell, turnTo } from "./pane.js";
import { pageButton } from "./screen.js";
/** @import { Board, Button, End, Frame, From, State } from "../protocol" */

const SLOW = 1000; // milliseconds without an answer after which the board shows that it waits

/** The page's own buttons for a board; *listed* says that it is listed for all, *waits* that another table waits.
 * @param {Board} board @param {boolean} listed @param {boolean} waits @param {State["words"]} words */
export function pageButtons(board, listed, waits, words) {
  if (board.over || board.watches) return [pageButton(words.away, "house", "away")];
  const step = listed ? "unlist" : "list";
  if (board.open) return [pageButton(words[step], "house", step)];
  return waits && !board.mine ? [pageButton(words["other-table"], "good", "next")] : [];
}

/** The buttons beside a past moment of *board*. @param {Board} board @param {State["words"]} words */
export function pastButtons(board, words) {
  const more = board.over ? [pageButton(words.if, "house", "if")] : [];
  if (momentLink(board.table, 0)) more.push(pageButton(words["copy-moment"], "house", "moment"));
  return [[pageButton(words.now, "good", "now"), ...more]];
}

/** The buttons while other moves are tried. @param {number} tried how many were @param {State["words"]} words */
export function trying(tried, words) {
  return [
    pageButton(words["to-game"], "good", "game"),
    ...(tried ? [pageButton(words["undo-if"], "house", "undo")] : []),
  ];
}

/**
 * *boards* are the newest of each table, *menus* the choices so far; *own* handles the page's own buttons by their
 * steps. *act*, *asked* and *waits* are the connection's, *waiting* shows that the board waits, *newer* takes a newer
 * board, *drawn* is called when the board is to be drawn anew.
 * @param {{ boards: Map<string, Board>, menus: Map<string, Board>, words: () => State["words"], view: () => string,
 *   own: Record<string, (table: string) => void>, act: (frame: Frame, from?: From) => void,
 *   asked: () => number, waits: (test: (frame: Frame) => boolean) => boolean, waiting: () => void, newer: (board:
 * Board) => void, drawn: () => void }} parts
 */
export function pressing({ boards, menus, words, view, own, act, asked, waits, waiting, newer, drawn }) {
  // by table the number of the request behind what is shown, or that was cancelled
  const newest = /** @type {Map<string, number>} */ (new Map());
  const doubled = doubleTaps();

  /** Answers whether it is sent. @param {Button} pressed @param {string} table @param {HTMLElement | null} card
   * @param {boolean} [risky] whether a finger may have missed what it meant */
  function press(pressed, table, card, risky = false) {
    if (!pressed.code) return void own[pressed.step](table);
    if (waits((frame) => frame.code === pressed.code)) return false;
    const plays = pressed.style === "move" || pressed.style === "final", board = menus.get(table) ?? boards.get(table);
    if (plays && doubled.again(pressed, board)) return false;
    if (pressed.plays && pressed.style === "move" && (risky || remembered("confirm")) && unsure(pressed, table))
      return false;
    if (plays && (pressed.plays || !pressed.step)) doubled.plays(pressed, board);
    passed(table);
    act({ kind: "press", code: pressed.code, message: table, at: String(board?.version ?? "") }, { card, move: plays });
    setTimeout(() => {
      if (table === view() && waits((frame) => frame.kind === "press" && frame.message === table)) waiting();
    }, SLOW);
    return true;
  }

  const back = () => [pageButton(words().back, "house", "")];

  /** Ask for confirmation of a move, if there is another one. @param {Button} pressed @param {string} table */
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

  /** Show *board* in place of its table's, unless a later request has changed what is shown; answers whether it is
   * shown. @param {Board} board @param {number} [number] the request that it answers */
  function put(board, number = asked() + 1) {
    if (number < (newest.get(board.table) ?? 0)) return false;
    newest.set(board.table, number);
    menus.set(board.table, board);
    return true;
  }

  /** Let a question that is answered or passed over go with the next board. @param {string} table */
  function passed(table) {
    const menu = menus.get(table);
    if (menu) menu.asks = false;
  }

  /** Clear the choice. */
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
    /** Clear the choice for a new *board*; a question stays below it while it can be answered. @param {Board} board */
    renewed(board) {
      const { table, over } = board,
        menu = menus.get(table);
      if (menu?.asks && menu.over === over)
        menus.set(table, { ...board, lines: menu.lines, rows: menu.rows, spots: [], ends: [], asks: true });
      else menus.delete(table);
    },
    /** Show what is for the player alone, in place of the board until they go back.
     * @param {Board} board @param {number} number the request that it answers */
    beside(board, number) {
      if (!board.asks) board.rows.push(back());
      if (!put(board, number) || board.table !== view()) return;
      drawn();
      turnTo("acts");
      tell(board);
    },
    /** Show the choice so far at a table. @param {Board} board @param {number} number the request that it answers */
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
    /** Show the moves that end on one place, or play the only one. @param {End} end */
    follow(end) {
      const board = menus.get(view());
      if (end.moves.length === 1) return press(end.moves[0], view(), null);
      if (!board) return false;
      put({ ...board, rows: [end.moves, back()], spots: [] });
      drawn();
      turnTo("acts");
      return false;
    },
  };
}
