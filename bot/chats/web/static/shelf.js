/* Where games are chosen: what goes on, the covers of the games, the open tables, and the player's own settings. */
import { arrange, byId, keeper, make } from "./dom.js";
import { lobby } from "./lobby.js";
import { say } from "./pane.js";
import { thumb } from "./pictures.js";
import { theme } from "./theme.js";
/** @import { Board, From, Frame, Listed, State } from "../protocol" */

const GOING = 3; // how many tables are shown above the games

/**
 * *add* puts a card where games are chosen, *act* sends a request that is done once, *boards* are those of the player's
 * tables, *look* opens one, *drawn* draws the one in view, *guide* sets the first advice at a table.
 * @param {{ state: () => Pick<State, "words" | "games" | "name">, view: () => string, none: () => boolean,
 *   add: (card: HTMLElement, table: string) => HTMLElement, act: (frame: Frame, from?: From) => void,
 *   boards: Map<string, Board>, look: (table: string) => void, drawn: () => void, guide: (table: string, first: string) => void }} parts
 */
export function shelf({ state, view, none, add, act, boards, look, drawn, guide }) {
  const words = () => state().words;
  const quietly = (/** @type {string} */ line) => act({ kind: "call", line }, { quiet: true });
  const hall = lobby({ words, go: (one) => quietly(`${one.open ? "/join" : "/board"} ${one.table}`), cover: (key) => state().games.find((one) => one.key === key)?.cover ?? "" });

  const goes = make("div", { class: "ongoing" }), ongoing = keeper(() => make("button"));
  let asked = /** @type {HTMLElement | null} */ (null); // the card that asks for the name

  /** @param {string} invited */
  function askName(invited) {
    if (asked?.isConnected) return;
    // One that stands where the page does not look any more would be found there later.
    asked?.remove();
    const field = make("input", { id: "name", maxlength: "64", autocomplete: "nickname", "aria-label": words()["name-label"], required: true });
    field.value = state().name;
    const form = make("form", { class: "ask" }, field, make("button", { type: "submit", class: "key good" }, words()["name-go"]));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) act({ kind: "name", name: field.value });
    });
    const head = make("div", { class: "head" }, ...welcome(), make("h2", {}, words()["name-ask"]), invited ? make("p", {}, invited) : "", make("p", {}, words()["name-why"]), form);
    asked = add(make("article", { class: "card", id: "asked" }, head), view());
    field.focus();
  }

  /** The introduction for new players. */
  function welcome() {
    const { games, name } = state();
    if (name) return [];
    const covers = games.map(({ key }) => make("img", { src: `cover/${key}-${theme()}.png`, alt: "", width: "52", height: "52" }));
    return [make("h2", {}, "Ludoteca"), make("p", {}, words().about), make("div", { class: "covers" }, ...covers)];
  }

  /** A game as its cover: a tap prepares a game, and one beside it begins an easy one. @param {State["games"][number]} game */
  function covered(game) {
    const cover = make("img", { src: game.cover, alt: "", width: "640", height: "384" });
    const art = make("span", { class: game.named ? "art named" : "art", "data-name": game.name }, cover), text = make("span", {}, make("b", { class: game.named ? "vh" : "" }, game.name), make("span", { class: "d" }, game.facts), make("span", { class: "b" }, game.blurb));
    const prepare = make("button", { class: "cover", "data-key": game.key, title: words().prepare, click: () => act({ kind: "press", code: game.sheet }) }, art, text);
    const first = () => act({ kind: "call", line: game.try }, { quiet: true, told: ({ open: table }) => table && guide(table, game.first) });
    return make("div", { class: "game" }, prepare, make("button", { class: "try", "aria-label": `${game.name}: ${words().try}`, click: first }, words().try));
  }

  /** A table that goes on; one that stays is not made anew under a finger. @param {Board} board @param {boolean} leads whether it is what is done first */
  function going(board, leads) {
    const open = ongoing.of(board.table), said = [board.status, board.with].filter(Boolean).join(" · ");
    const text = [board.title, said, board.picture, words()["go-on"], leads].join("|");
    if (open.dataset.text === text) return open;
    open.dataset.text = text;
    open.className = leads ? "key good goes" : "key goes";
    open.onclick = () => look(board.table);
    const picture = board.picture ? make("img", { src: thumb(board.picture), alt: "", width: 64, height: 64 }) : make("span", { class: "none", "aria-hidden": "true" }, board.title[0]);
    open.replaceChildren(picture, make("span", {}, make("b", {}, board.title), make("span", { class: "d" }, said)), make("span", { class: "does" }, words()["go-on"]));
    return open;
  }

  /** Show which tables go on, those first that wait for the player. */
  function drawGoing() {
    const mine = [...boards.values()].filter((one) => !one.over).sort((a, b) => Number(b.mine) - Number(a.mine)).slice(0, GOING);
    arrange(goes, mine.map((board, at) => going(board, !at && board.mine)));
    ongoing.done();
  }

  function offerGames() {
    for (const old of document.querySelectorAll(".home .flow > :is(.back, .card:not(#asked))")) old.remove();
    const { games } = state();
    const code = make("input", { maxlength: "8", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-label": words().code, placeholder: words().code });
    const join = make("form", { class: "ask" }, code, make("button", { type: "submit", class: "key" }, words().join));
    join.addEventListener("submit", (event) => {
      event.preventDefault();
      if (code.value.trim()) quietly(`/join ${code.value.trim()}`);
    });
    const house = (/** @type {string} */ label, /** @type {() => void} */ click) => make("button", { class: "key house", click }, label);
    const mine = make("div", { class: "more" },
      house(words().learn, () => act({ kind: "call", line: "/learn" })),
      house(words().puzzle, () => act({ kind: "call", line: "/puzzle" })),
      house(words().settings, () => void showSettings()),
      house(words().finished, () => void showFinished()),
      house(words().companions, () => void showCompanions()),
      house(words().position, () => void showPosition()),
      house(words().people, () => location.assign("people")),
      house(words().tournaments, () => location.assign("tournaments")),
      house(words().help, () => act({ kind: "call", line: "/help" })));
    act({ kind: "lobby" });
    drawGoing();
    const why = none() ? make("p", {}, words()["no-board"]) : "";
    const open = isSecureContext ? "" : make("p", { class: "open" }, words().unencrypted);
    const head = make("div", { class: "head" }, make("h2", {}, words().what), open, why);
    return add(make("article", { class: "card", id: "games", tabindex: "-1" }, goes, hall.root, head, make("div", { class: "games" }, ...games.map(covered)), join, mine), "");
  }

  /** All settings in one place: those of the player, of this device, and the devices. */
  async function showSettings() {
    const [{ preferences }, { devices }] = await Promise.all([import("./preferences.js"), import("./devices.js")]);
    /** Below the player's own settings, which are shown first. */
    function beside() {
      if (document.getElementById("preferences")) return;
      const name = make("button", { class: "key house", click: () => askName("") }, `${words().rename}: ${state().name}`);
      const about = make("div", { class: "head" }, make("h2", {}, words()["name-label"]));
      add(make("article", { class: "card", id: "named" }, about, make("div", { class: "more" }, name)), "");
      add(preferences(words()), "");
      add(devices({ words: words(), ask: (frame, told) => act(frame, { told }) }), "");
      byId("talk").scrollTop = 0;
    }
    act({ kind: "call", line: "/settings" }, { told: () => setTimeout(beside) });
  }

  const asking = () => ({ words: words(), ask: (/** @type {Frame} */ frame, /** @type {From["told"]} */ told) => act(frame, { told, quiet: true }) });

  /** Show a card in place of an older one like it. @param {HTMLElement} card */
  function renew(card) {
    document.getElementById(card.id)?.remove();
    add(card, "").focus({ preventScroll: true });
  }

  async function showFinished() {
    const { finished } = await import("./finished.js");
    renew(finished(asking(), (table) => quietly(`/board ${table}`)));
  }

  async function showPosition() {
    const { position } = await import("./position.js");
    renew(position(asking(), state().games));
  }

  async function showCompanions() {
    const { companions } = await import("./companions.js");
    renew(companions(asking(), (code) => act({ kind: "press", code })));
  }

  return {
    askName,
    /** The name is known: the card that asked for it goes, wherever it stands. */
    named() {
      asked?.remove();
      asked = null;
    },
    offerGames,
    drawGoing,
    /** Whether the table is listed for all. @param {string} table */
    has: (table) => hall.has(table),
    /** What the hall has after *frame* was done. @param {Frame | null} frame @param {Listed[]} found */
    came(frame, found) {
      hall.came(found);
      if (frame?.kind === "list" && frame.code) say(words().listed);
      if (frame?.kind === "away") {
        boards.delete(frame.table ?? "");
        look("");
      } else drawn();
    },
  };
}
