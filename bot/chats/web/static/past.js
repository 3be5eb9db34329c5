/* The moves of a game: listed, stepped through, replayed, and downloaded. */

import { arrange, BESIDE, keeper, make, write } from "./dom.js";
import { unpack } from "./scenery.js";
/** @import { Answer, Board, Scenery, Told } from "../protocol" */

const SOON = 800; // milliseconds until an outdated list is fetched again
const MOMENTS = 400; // moments of which the scene is kept
const SPEEDS = [1, 2, 4]; // moves per two seconds

/**
 * Fills *panel*. *ask* requests the whole list; *turned* is called when another moment is chosen.
 * @param {{ panel: HTMLElement, words: () => Record<string, string>, ask: (table: string) => void, turned: () => void
 *   }} parts
 */
export function past({ panel, words, ask, turned }) {
  const told = /** @type {Map<string, Told[]>} */ (new Map()); // the known moves by table
  const forms = /** @type {Map<string, string[]>} */ (new Map());
  const log = make("ol", { class: "log", id: "log" }),
    files = make("div", { class: "files" }),
    summary = make("summary", { class: "key" });
  // While a game is played they are hardly ever wanted.
  const folded = make("details", { class: "kept" }, summary, files);
  const lines = keeper(() => make("li", {}, make("button"))), links = keeper(() => make("a"));
  const step = (/** @type {string} */ id, /** @type {string} */ shape, /** @type {() => void} */ click) =>
    make("button", { class: "key", id, click, "data-shape": shape });
  const speed = make("button", { class: "key", id: "speed", click: () => quicken() });
  const bar = make("div", { class: "steps" },
    step("first", "first", () => go(0)), step("prev", "prev", () => by(-1)), step("again", "play", () => play()),
    step("next", "next", () => by(1)), step("last", "last", () => go(Infinity)), speed);
  panel.append(bar, log, folded);
  // the tables whose list is requested, and whether it is outdated already
  const asked = /** @type {Map<string, boolean>} */ (new Map());
  let board = /** @type {Board | null} */ (null);
  let at = /** @type {number | null} */ (null); // how many entries of the log are shown; null for all
  const scenes = /** @type {Map<string, Scenery | null>} */ (new Map()); // by address; null while they are fetched
  let pace = 0, playing = 0, later = 0;
  let due = { table: "", at: 0 }; // the moment that a link leads to, until the moves are known

  /**
   * Request the whole list of *table*, one request at a time, and once more if it is outdated by then.
   * @param {string} table
   */
  function missed(table) {
    const known = asked.has(table);
    asked.set(table, known);
    if (!known) ask(table);
  }

  /** The moments that can be shown: the beginning, and each after a move. */
  const stops = () => [0, ...(told.get(board?.table ?? "") ?? []).map((one) => one.number + 1)];

  /** @param {number} wanted a stop, by its place in the row */
  function go(wanted) {
    const all = stops(), place = Math.max(0, Math.min(wanted, all.length - 1));
    const next = place === all.length - 1 ? null : all[place];
    if (next === null) stop();
    if (next === at) return;
    at = next;
    turned();
    if (board && next !== null) for (const one of [next, all[place + 1]]) if (one !== undefined) fetched(one);
  }

  const here = () => (at === null ? stops().length - 1 : stops().indexOf(at));

  function by(/** @type {number} */ ways) {
    stop();
    go(here() + ways);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    drawBar();
  }

  /** Replay the game from the moment in view, or stop. */
  function play() {
    if (playing) {
      stop();
      return;
    }
    if (at === null) go(0);
    playing = setInterval(() => go(here() + 1), 2000 / SPEEDS[pace]);
    drawBar();
  }

  function quicken() {
    pace = (pace + 1) % SPEEDS.length;
    if (playing) {
      stop();
      play();
    }
    drawBar();
  }

  const address = (/** @type {number} */ number) =>
    `past/${board?.table}/${number}.json?${board?.version}-${board?.picture.slice(8, 16)}`;

  /** Fetch the scene of a moment, and draw it once it is here, if it is in view then. @param {number} number */
  function fetched(number) {
    const from = address(number);
    if (scenes.has(from)) return;
    scenes.set(from, null);
    if (scenes.size > MOMENTS) scenes.delete([...scenes.keys()][0]);
    void fetch(from).then((response) => (response.ok ? response.json() : null), () => null).then((scene) => {
      if (!scene) scenes.delete(from);
      else scenes.set(from, scene);
      unpack({ scene });
      if (scene && at !== null && from === address(at)) turned();
    });
  }

  function drawBar() {
    const names = { first: "first", prev: "prev", again: playing ? "stop" : "again", next: "next", last: "now" };
    for (const [id, name] of Object.entries(names)) {
      const button = /** @type {HTMLButtonElement} */ (bar.querySelector(`#${id}`));
      button.title = words()[name];
      button.setAttribute("aria-label", words()[name]);
      if (id === "again") button.dataset.shape = playing ? "stop" : "play";
    }
    const now = here(), most = stops().length - 1;
    const idle = { first: !now, prev: !now, again: !most, next: now === most, last: now === most };
    for (const [id, none] of Object.entries(idle)) {
      bar.querySelector(`#${id}`)?.setAttribute("aria-disabled", String(none));
    }
    write(speed, `${SPEEDS[pace]}×`);
    speed.setAttribute("aria-label", `${words().speed} ${SPEEDS[pace]}×`);
  }

  function draw() {
    if (!board) return;
    const { table, picture } = board, all = told.get(table) ?? [];
    const low = at === null || log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    arrange(
      log,
      all.map((one) => {
        const line = lines.of(`${table} ${one.number} ${one.note} ${one.text}`),
          button = /** @type {HTMLElement} */ (line.firstElementChild);
        if (!button.firstChild) {
          button.append(make("b", {}, one.who), make("span", { class: "n" }, one.note), make("span", {}, one.text));
          button.onclick = () => {
            stop();
            go(stops().indexOf(one.number + 1));
          };
        }
        if (at === one.number + 1) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
        return line;
      }),
    );
    lines.done();
    const chosen = log.querySelector("[aria-current]");
    if (chosen) chosen.scrollIntoView({ block: "nearest" });
    else if (low) log.scrollTop = log.scrollHeight;
    const found = (forms.get(table) ?? []).map((form) =>
      file(form === "record" ? words().record : form.toUpperCase(), `record/${table}/${form}`, ""),
    );
    if (picture && at === null) found.push(file(words().image, picture, `ludoteca-${table}.png`));
    arrange(files, found);
    write(summary, words().files);
    links.done();
    drawBar();
  }

  /** @param {string} name @param {string} href @param {string} as */
  function file(name, href, as) {
    const link = links.of(name);
    link.className = "key";
    link.setAttribute("href", href);
    link.setAttribute("download", as);
    write(link, name);
    return link;
  }

  /** Show the moment that a link leads to. */
  function arrive() {
    const there = stops().indexOf(due.at);
    due = { table: "", at: 0 };
    if (there >= 0) go(there);
    // There is no such moment: the present board is shown again.
    if (at === null) panel.dispatchEvent(new Event("turn", { bubbles: true }));
  }

  return {
    by,
    go,
    /** Play the game from its beginning. */
    replay() {
      stop();
      go(0);
      play();
    },
    /** Show the moment after *number* entries of the log of *table*, once it is in view and its moves are known.
     * @param {string} table @param {number} number */
    goTo(table, number) {
      due = { table, at: number };
      if (board?.table === table && forms.has(table)) arrive();
    },
    /** Which of how many moments is in view. */
    place: () => ({ at: here(), of: stops().length - 1 }),
    /** How many entries of the log are shown. */
    number: () => at ?? board?.count ?? 0,
    /**
     * Keep the moves of the newest board; from its first entry on they replace the known ones.
     * @param {Board} came
     * @param {Board | undefined} old
     */
    came(came, old) {
      const known = told.get(came.table), from = came.told.length ? came.told[0].number : came.count;
      const kept = (known ?? []).filter((one) => one.number < from && one.number < came.count);
      told.set(came.table, [...kept, ...came.told]);
      // A board may skip moves that were answered at once; the formats change as a game begins and ends.
      const gap = from > (old?.count ?? 0),
        other = came.over !== old?.over || Boolean(came.picture) !== Boolean(old?.picture);
      if (known && forms.has(came.table) && (gap || other)) missed(came.table);
    },
    /** @param {string} table @param {Answer} answer */
    listed(table, { moves, forms: written }) {
      const more = asked.get(table);
      asked.delete(table);
      if (moves) {
        told.set(table, moves);
        forms.set(table, written ?? []);
        if (board?.table === table) {
          draw();
          if (due.table === table) arrive();
        }
      }
      if (more || !moves) setTimeout(missed, SOON, table);
    },
    /** List the moves of the table *shown*. @param {Board} shown */
    show(shown) {
      const newer = !board || (board.table === shown.table && board.version !== shown.version);
      if (board?.table !== shown.table) {
        at = null;
        stop();
        if (!forms.has(shown.table)) missed(shown.table);
      }
      board = shown;
      // Its own drawing is to be over before another moment is drawn.
      if (due.table === shown.table && forms.has(shown.table)) setTimeout(arrive);
      if (at !== null && at > shown.count) at = null;
      clearTimeout(later);
      if (newer) later = setTimeout(draw, BESIDE);
      else draw();
    },
    /** What was played before the moment after *number* entries of the log. @param {number} number */
    said(number) {
      const all = told.get(board?.table ?? "") ?? [], place = all.findIndex((one) => one.number + 1 === number);
      return place < 0 ? words().first : `${place + 1} · ${all[place].who} ${all[place].text}`;
    },
    /** The past moment in view: its picture, and what was played then. */
    moment() {
      if (!board) return null;
      // Until the moves are known, what is beside the board has the room that it will have.
      if (at === null && due.table === board.table) return { picture: board.picture, scene: null, said: "…" };
      if (at === null) return null;
      const all = told.get(board.table) ?? [],
        number = all.findIndex((one) => one.number + 1 === at),
        one = all[number];
      const said = one ? `${one.who} ${one.text}`.trim() : words().first;
      const scene = scenes.get(address(at)) ?? null;
      return { picture: address(at), scene, said: `${number + 1}/${all.length} · ${said}` };
    },
  };
}
