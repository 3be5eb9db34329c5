/* Where games are chosen: what goes on, the covers of the games, the open tables, and the player's own settings. */
import { arrange, keeper, make } from "./dom.js";
import { above, atTable, HOME, inTelegram, pathOf } from "./address.js";
import { lobby } from "./lobby.js";
import { say } from "./pane.js";
import { small } from "./pictures.js";
/** @import { Answer, Board, From, Frame, Place, State } from "../protocol" */

export const TODAY = "puzzle/today";

const WAYS = ["", TODAY, "learn", "puzzle", "tournaments", "people", "games", "companions", "position", "settings"];
let installing = /** @type {any} */ (null); // what lets the browser install the page, once it offers that
addEventListener("beforeinstallprompt", (event) => void (installing = event));
const GOING = 3; // how many tables are shown above the games

/**
 * *room* names the screen in view, *flows* holds the cards of each, *act* sends a request that is done once, *boards*
 * are those of the player's tables, *go* brings a screen into view, *drawn* draws the table in view, *named* says that
 * the title of the screen in view is known.
 * @param {{ state: () => Pick<State, "words" | "games" | "name" | "invited">, room: () => string, none: () => boolean,
 *   flows: ReturnType<typeof import("./flow.js").flowing>, act: (frame: Frame, from?: From) => void, boards:
 * Map<string, Board>,
 *   go: (next: Place) => void, drawn: () => void, named: () => void }}
 * parts
 */
export function shelf({ state, room, none, flows, act, boards, go, drawn, named }) {
  const words = () => state().words;
  const quietly = (/** @type {string} */ line) => act({ kind: "call", line }, { quiet: true });
  const hall = lobby({
    words,
    now: (code) => act({ kind: "now", code }, { quiet: true }),
    go: (one) => (one.open ? quietly(`/join ${one.table}`) : go(atTable(one.table))),
    cover: (key) => state().games.find((one) => one.key === key)?.cover ?? "",
  });

  const goes = make("div", { class: "ongoing" }), ongoing = keeper(() => make("button"));
  let asked = /** @type {HTMLElement | null} */ (null); // the card that asks for the name

  /** @param {string} invited */
  function askName(invited) {
    if (asked?.isConnected) return;
    // One that stands where the page does not look any more would be found there later.
    asked?.remove();
    const field = make("input", {
      id: "name",
      maxlength: "64",
      autocomplete: "nickname",
      "aria-label": words()["name-label"],
      required: true,
    });
    field.value = state().name;
    const form = make(
      "form",
      { class: "ask" },
      field,
      make("button", { type: "submit", class: "key good" }, words()["name-go"]),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      act({ kind: "name", name: field.value });
    });
    const head = make(
      "div",
      { class: "head" },
      make("h2", {}, words()["name-ask"]),
      invited ? make("p", {}, invited) : "",
      make("p", {}, words()["name-why"]),
      form,
    );
    asked = flows.add(make("article", { class: "card", id: "asked" }, head), room());
    field.focus();
  }

  /**
   * A game as its cover: a tap prepares a game, and one beside it begins an easy one.
   * @param {State["games"][number]} game
   */
  function covered(game) {
    const cover = make("img", { src: game.cover, alt: "", width: "640", height: "384" });
    const art = make("span", { class: game.named ? "art named" : "art", "data-name": game.name }, cover),
      text = make(
        "span",
        {},
        make("b", { class: game.named ? "vh" : "" }, game.name),
        make("span", { class: "d" }, game.facts),
        make("span", { class: "b" }, game.blurb),
      );
    const prepare = make(
      "button",
      {
        class: "cover",
        "data-key": game.key,
        title: words().prepare,
        click: () => go({ kind: "play", game: game.key }),
      },
      art,
      text,
    );
    const first = () => quietly(game.try);
    return make(
      "div",
      { class: "game" },
      prepare,
      make("button", { class: "try", "aria-label": `${game.name}: ${words().try}`, click: first }, words().try),
    );
  }

  /**
   * A table that goes on; one that stays is not made anew under a finger.
   * @param {Board} board
   * @param {boolean} leads whether it is what is done first
   */
  function going(board, leads) {
    const open = ongoing.of(board.table), said = [board.status, board.with].filter(Boolean).join(" · ");
    const text = [board.title, said, board.picture, words()["go-on"], leads].join("|");
    if (open.dataset.text === text) return open;
    open.dataset.text = text;
    open.className = leads ? "key good goes" : "key goes";
    open.onclick = () => go(atTable(board.table));
    open.replaceChildren(
      small(board),
      make("span", {}, make("b", {}, board.title), make("span", { class: "d" }, said)),
      make("span", { class: "does" }, words()["go-on"]),
    );
    return open;
  }

  /** Show which tables go on, those first that wait for the player. */
  function drawGoing() {
    const mine = [...boards.values()]
      .filter((one) => !one.over)
      .sort((a, b) => Number(b.mine) - Number(a.mine))
      .slice(0, GOING);
    arrange(
      goes,
      mine.map((board, at) => going(board, !at && board.mine)),
    );
    ongoing.done();
  }

  function offerGames() {
    act({ kind: "lobby" });
    drawGoing();
    if (document.getElementById("games")) return;
    const { games } = state();
    const code = make("input", {
      maxlength: "8",
      autocomplete: "off",
      "aria-label": words().code,
      placeholder: words().code,
      required: true,
    });
    const join = make("form", { class: "ask" }, code, make("button", { type: "submit", class: "key" }, words().join));
    join.addEventListener("submit", (event) => {
      event.preventDefault();
      quietly(`/join ${code.value}`);
    });
    const why = none() ? make("p", {}, words()["no-board"]) : "";
    const open = isSecureContext ? "" : make("p", { class: "open" }, words().unencrypted);
    const head = make("div", { class: "head" }, make("h2", {}, words().what), open, why);
    flows.add(
      make(
        "article",
        { class: "card", id: "games", tabindex: "-1" },
        goes,
        hall.root,
        head,
        make("div", { class: "games" }, ...games.map(covered)),
        join,
      ),
      "",
    );
  }

  /**
   * The ways to other screens, with *short* words where there are some.
   * @param {string[]} ways
   * @param {string} short
   */
  function doors(ways, short) {
    return ways.map((to) =>
      make(
        "a",
        {
          class: short === "want-" ? "key house signed" : "",
          href: to || "./",
          "data-place": to,
        },
        words()[`${short}${to}`] ?? words()[{ "": "home", games: "finished", [TODAY]: "today" }[to] ?? to],
      ),
    );
  }

  /** All settings in one place: those of the player, of this device, and the devices. */
  async function settings() {
    const [{ preferences }, { devices }] = await Promise.all([import("./preferences.js"), import("./devices.js")]);
    const name = make("button", { class: "key house", click: () => askName("") }, `${words().rename}: ${state().name}`);
    return [
      make(
        "article",
        { class: "card", id: "named" },
        make("div", { class: "head" }, make("h2", {}, words()["name-label"])),
        make("div", { class: "more" }, name, ...(await atHand())),
      ),
      preferences(words()),
      devices({ words: words(), ask: (frame, told) => act(frame, { told }) }),
    ];
  }

  /** The keys that bring the page nearer: in the whole screen, or among the apps of the device. */
  async function atHand() {
    const key = (/** @type {string} */ word, /** @type {() => void} */ click) =>
      make("button", { class: "key house", click }, words()[word]);
    if (inTelegram()) {
      const { ask } = await import("./miniapp.js");
      const asks = [["fullscreen", "web_app_request_fullscreen"], ["install", "web_app_add_to_home_screen"]];
      return asks.map(([word, event]) => key(word, () => ask(event)));
    }
    return installing ? [key("install", () => installing.prompt())] : [];
  }

  /** Help by what somebody may want: the screens, the rules of each game, and what the keys do. */
  async function help() {
    const { keyList } = await import("./keys.js"),
      said = words();
    const rules = state().games.map(({ key, name }) =>
      make("a", { class: "key house", href: `rules/${key}`, "data-place": `rules/${key}` }, name),
    );
    const card = (/** @type {string} */ title, /** @type {HTMLElement[]} */ ...held) =>
      make(
        "article",
        { class: "card", tabindex: "-1" },
        make("div", { class: "head" }, make("h2", {}, title)),
        ...held,
      );
    return [
      card(
        words().wanted,
        make(
          "div",
          { class: "more wants" },
          ...doors(WAYS, "want-"),
        ),
      ),
      card(said.rules, make("div", { class: "more" }, ...rules)),
      card(said.keys, keyList(said)),
    ];
  }

  const asking = () => ({
    words: words(),
    ask: (/** @type {Frame} */ frame, /** @type {From["told"]} */ told) => act(frame, { told, quiet: true }),
  });

  /** What the server has written of *place*. @param {Place} place */
  async function written(place) {
    const { sheet } = await import("./sheet.js"), path = pathOf(place);
    /** @param {string} title */
    function told(title) {
      flows.of(path).dataset.title = title;
      if (room() === path) named();
    }
    const news = () =>
      act(wish(place) ?? { kind: "lobby" }, {
        at: path,
        quiet: true,
        card: flows.of(path).querySelector(".card"),
        again: true,
      });
    // A number is the instant of a line, whose speaker is muted.
    const press = (/** @type {string} */ code) =>
      act(/^\d+$/.test(code) ? { kind: "mute", at: code } : { kind: "press", code }, { at: path });
    const speak = (/** @type {string} */ line) => act({ kind: "say", line }, { at: path, quiet: true });
    return [sheet(path, { told, news, press, speak, offline: () => words().offline })];
  }

  /** What the screens hold that are no answer of the server, each by a script of its own. */
  const parts = /** @type {Record<string, (place: Place) => Promise<HTMLElement[]>>} */ ({
    help,
    people: written,
    tournaments: written,
    settings,
    games: async () => [(await import("./finished.js")).finished(asking(), (table) => go(atTable(table)))],
    companions: written,
    position: async () => [(await import("./position.js")).position(asking(), state().games)],
  });

  /** The request whose answer *place* shows, if any. @param {Place} place @returns {Frame | null} */
  function wish(place) {
    if (place.kind === "table") return { kind: "call", line: `/board ${place.table}` };
    if (place.kind === "rules") return { kind: "rules", code: place.game };
    if (place.kind === "play")
      return { kind: "press", code: state().games.find(({ key }) => key === place.game)?.sheet ?? "" };
    if (place.kind === "tournaments") return place.part ? { kind: "call", line: `/tournament ${place.part}` } : null;
    if ("game" in place) return { kind: "call", line: `/${place.kind} ${place.game}` };
    return place.kind === "settings" ? { kind: "call", line: "/settings" } : null;
  }

  /** Put the way back above what *place* shows. @param {Place} place */
  function wayBack(place) {
    const to = pathOf(above(place));
    flows.of(room()).prepend(make("a", { class: "back", href: to || "./", "data-place": to }, words().back));
  }

  /** Fill the screen of *place*, unless it holds what it held when it was left. @param {Place} place */
  function fill(place, wait = 5000) {
    if (!state().name) return askName(state().invited);
    if (place.kind === "home") return offerGames();
    const at = place.kind === "table" ? place.table : pathOf(place), flow = flows.of(at), frame = wish(place);
    flow.querySelector(".sheet")?.dispatchEvent(new Event("seen"));
    if (flow.querySelector(".back") || boards.has(at)) return;
    wayBack(place);
    const more = async () => flow.append(...await (parts[place.kind]?.(place) ?? []));
    /** @param {Answer} answer */
    function told({ good, said }) {
      const line = make("p", { class: "line" }, said);
      if (good) setTimeout(more);
      else flow.append(line);
      // Whoever has asked for much is refused for a while.
      setTimeout(() => line.isConnected && (flow.replaceChildren(), fill(place, wait + wait)), wait);
    }
    if (frame) act(frame, { quiet: true, told });
    else void more();
  }

  return {
    askName,
    /** The name is known: the card that asked for it goes, wherever it stands. */
    named() {
      asked?.remove();
    },
    fill,
    wayBack,
    /** The doors beside each screen. */
    doors: () => doors([...WAYS, "help"], "door-"),
    drawGoing,
    /** Whether the table is listed for all. @param {string} table */
    has: hall.has,
    gone: hall.gone,
    /** What the hall has after *frame* was done. @param {Frame | null} frame @param {Answer} answer */
    came(frame, { lobby: found = [], tempos }) {
      hall.came(found, tempos);
      if (frame?.kind === "list" && frame.code) say(words().listed);
      if (frame?.kind === "away") {
        boards.delete(frame.table ?? "");
        go(HOME);
      } else drawn();
    },
  };
}
