/* The row of the player's tables, and their state in title and icon. */
import { badge } from "./calls.js";
import { arrange, byId, keeper, make, write } from "./dom.js";
import { desk } from "./pane.js";
import { small } from "./pictures.js";
import { theme } from "./theme.js";
/** @import { Board, State } from "../protocol" */

const strip = byId("tables");
const tiles = keeper(() => make("li", {}, make("button", { class: "t" })));

/** Sort the tables: first those where the player is to move, by their deadlines. Only done when the page opens and
 * where games are chosen, so that nothing moves under a finger. @param {Map<string, Board>} boards */
export function sort(boards) {
  const until = (/** @type {Board} */ one) => one.countdown?.until ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...boards].sort(([, a], [, b]) => Number(b.mine) - Number(a.mine) || until(a) - until(b));
  boards.clear();
  for (const [code, board] of sorted) boards.set(code, board);
}

/** Draw a tile for each of *boards*; *look* opens one.
 * @param {Map<string, Board>} boards @param {string} view @param {(code: string) => void} look */
export function drawTables(boards, view, look) {
  // In the order of their arrival, finished games last, so that nothing moves under a finger.
  const all = [...boards.values()].sort((a, b) => Number(a.over) - Number(b.over));
  arrange(strip, all.map((board) => tile(board, view, look)));
  tiles.done();
  const here = strip.querySelector("[aria-current]");
  if (here && !desk.matches) {
    const left = /** @type {HTMLElement} */ (here).offsetLeft - strip.offsetLeft, right = left + here.clientWidth;
    if (left < strip.scrollLeft || right > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = left - 12;
  }
}

/** @param {Board} board @param {string} view @param {(code: string) => void} look */
function tile(board, view, look) {
  const item = tiles.of(board.table), open = /** @type {HTMLElement} */ (item.firstElementChild);
  open.classList.toggle("me", board.mine);
  if (board.table === view) open.setAttribute("aria-current", "page");
  else open.removeAttribute("aria-current");
  // The table in view is seen large: its small picture is fetched when another one comes into view.
  const seen = board.table === view ? "" : board.picture;
  const text = [board.title, board.status, board.with || board.table, seen, theme()].join("|");
  if (open.dataset.text === text) return item;
  open.dataset.text = text;
  open.onclick = () => look(board.table);
  const old = open.querySelector("img");
  const kept = old && !seen && open.dataset.theme === theme();
  open.dataset.theme = theme();
  open.replaceChildren(
    kept ? old : small(board),
    make(
      "span",
      {},
      make("b", {}, board.title),
      make("span", {}, board.status),
      make("small", {}, board.with || board.table),
    ),
  );
  return item;
}

/** Show in title and icon how many tables wait, and above the board its name.
 * @param {Map<string, Board>} boards @param {string} view @param {State["words"]} words */
export function drawTitle(boards, view, words) {
  const board = boards.get(view);
  const mine = board?.mine ? board : [...boards.values()].find((one) => one.mine);
  const turn = mine ? `▶ ${words["your-turn"]} · ${mine.title} · ` : board ? `${board.title} · ` : "";
  document.title = `${turn}Ludoteca`;
  badge([...boards.values()].filter((one) => one.mine).length);
  write(byId("title"), board ? board.title : "Ludoteca");
  write(byId("with"), board ? board.with : "");
  write(byId("code"), board ? `${words.table} ${board.table}` : "");
  byId("code").hidden = !board;
}
