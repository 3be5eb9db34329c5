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
 * stand for, by their steps. *act* and *waits* are the connection's, *waiting* shows that the board waits, *newer*
 * takes a board that is newer than ours, and *drawn* hears that it is to be drawn anew.
 * @param {{ boards: Map<string, Board>, menus: Map<string, Board>, words: () => State["words"], view: () => string,
 *   own: Record<string, (table: string) => void>, act: (frame: Frame, from?: From) => void,
 *   waits: (test: (frame: Frame) => boolean) => boolean, waiting: () => void, newer: (board: Board) => void, drawn: () => void }} parts
 */
export function pressing({ boards, menus, words, view, own, act, waits, waiting, newer, drawn }) {
  let played = { at: -TWICE, on: /** @type {Element | null} */ (null) };

  /** @param {Button} pressed @param {Element} on @param {string} table @param {HTMLElement | null} card */
  function press(pressed, on, table, card) {
    if (!pressed.code) return own[pressed.step](table);
    if (waits((frame) => frame.code === pressed.code)) return;
    const now = performance.now(), plays = pressed.style === "move" || pressed.style === "final";
    if (plays && on === played.on && now - played.at < TWICE) return;
    if (pressed.plays && pressed.style === "move" && remembered("confirm") && unsure(pressed, table)) return;
    if (plays && (pressed.plays || !pressed.step)) played = { at: now, on };
    act({ kind: "press", code: pressed.code, message: table }, { card, move: plays, over: menus.has(table) });
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
    menus.set(table, { ...board, headline: words().sure, lines: [], rows: [[again], back()], spots: [], ends: [] });
    drawn();
    turnTo("acts");
    announce(`${words().sure} ${pressed.label}`);
    return true;
  }

  /** Choose nothing again. */
  function cancel() {
    if (!menus.delete(view())) return;
    drawn();
    announce(boards.get(view())?.headline ?? "");
  }

  return {
    press,
    cancel,
    /** What the player alone is shown or asked, in place of the board until he goes back. @param {Board} board */
    beside(board) {
      const { table, rows } = board;
      if (rows.flat().every((one) => one.style !== "danger")) rows.push(back());
      menus.set(table, board);
      if (table !== view()) return;
      drawn();
      turnTo("acts");
      tell(board);
    },
    /** What has been chosen at a table so far. @param {Board} board */
    came(board) {
      const base = boards.get(board.table);
      if (base && board.version < base.version) return;
      if (base && board.version > base.version) newer({ ...board, path: [] });
      const same = JSON.stringify(board.rows) === JSON.stringify(base?.rows);
      if (same) menus.delete(board.table);
      else menus.set(board.table, board);
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
      menus.set(view(), { ...board, rows: [end.moves, back()], spots: [] });
      drawn();
      turnTo("acts");
    },
  };
}
