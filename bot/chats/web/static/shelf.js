/* Where games are chosen: the shelf, the open tables, and the player's own settings. */
import { make } from "./dom.js";
import { lobby } from "./lobby.js";
import { theme } from "./theme.js";
/** @import { From, Frame, Listed, State } from "../protocol" */

/**
 * *add* puts a card where games are chosen, *act* sends a request that is done once, *guide* sets the first advice at
 * a table.
 * @param {{ state: () => Pick<State, "words" | "games" | "name">, view: () => string, none: () => boolean,
 *   add: (card: HTMLElement, table: string) => HTMLElement, act: (frame: Frame, from?: From) => void,
 *   guide: (table: string, first: string) => void }} parts
 */
export function shelf({ state, view, none, add, act, guide }) {
  const words = () => state().words;
  const quietly = (/** @type {string} */ line) => act({ kind: "call", line }, { quiet: true });
  const hall = lobby({ words, go: (one) => quietly(`${one.open ? "/join" : "/board"} ${one.table}`) });

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

  function offerGames() {
    document.getElementById("games")?.remove();
    const { games, name } = state();
    const keys = games.map((game) => {
      const cover = make("img", { src: `cover/${game.key}-${theme()}.png`, alt: "", width: "88", height: "88" });
      const text = make("span", {}, game.name, make("span", { class: "d" }, game.facts), make("span", { class: "b" }, game.blurb));
      const open = make("button", { class: "key", "data-key": game.line, click: () => quietly(game.line) }, cover, text);
      const prepare = () => act({ kind: "press", code: game.sheet });
      const sheet = make("button", { class: "sheet", "aria-label": `${game.name}: ${words().prepare}`, click: prepare }, words().prepare);
      const first = () => act({ kind: "call", line: game.try }, { quiet: true, told: ({ open: table }) => table && guide(table, game.first) });
      const easy = make("button", { class: "sheet", "aria-label": `${game.name}: ${words().try}`, click: first }, words().try);
      return make("div", { class: "game" }, open, make("div", { class: "ways" }, easy, sheet));
    });
    const code = make("input", { maxlength: "8", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-label": words().code, placeholder: words().code });
    const join = make("form", { class: "ask" }, code, make("button", { type: "submit", class: "key" }, words().join));
    join.addEventListener("submit", (event) => {
      event.preventDefault();
      if (code.value.trim()) quietly(`/join ${code.value.trim()}`);
    });
    const house = (/** @type {string} */ label, /** @type {() => void} */ click) => make("button", { class: "key house", click }, label);
    const mine = make("div", { class: "more" },
      house(`${words().rename}: ${name}`, () => askName("")),
      house(words().settings, () => act({ kind: "call", line: "/settings" })),
      house(words().finished, () => void showFinished()),
      house(words().look, () => void showPreferences()),
      house(words().devices, () => void showDevices()),
      house(words().help, () => act({ kind: "call", line: "/help" })));
    act({ kind: "lobby" });
    const why = none() ? make("p", {}, words()["no-board"]) : "";
    const open = isSecureContext ? "" : make("p", { class: "open" }, words().unencrypted);
    const head = make("div", { class: "head" }, make("h2", {}, words().what), open, why);
    return add(make("article", { class: "card", id: "games", tabindex: "-1" }, hall.root, head, make("div", { class: "acts games" }, ...keys), join, mine), "");
  }

  async function showDevices() {
    const { devices } = await import("./devices.js");
    document.getElementById("devices")?.remove();
    add(devices({ words: words(), ask: (frame, told) => act(frame, { told }) }), "").focus({ preventScroll: true });
  }

  async function showFinished() {
    const { finished } = await import("./finished.js");
    document.getElementById("finished")?.remove();
    const asking = { words: words(), ask: (/** @type {Frame} */ frame, /** @type {From["told"]} */ told) => act(frame, { told, quiet: true }) };
    add(finished(asking, (table) => quietly(`/board ${table}`)), "").focus({ preventScroll: true });
  }

  async function showPreferences() {
    const { preferences } = await import("./preferences.js");
    document.getElementById("preferences")?.remove();
    add(preferences(words()), "").focus({ preventScroll: true });
  }

  return {
    askName,
    /** The name is known: the card that asked for it goes, wherever it stands. */
    named() {
      asked?.remove();
      asked = null;
    },
    offerGames,
    /** Whether the table is listed for all. @param {string} table */
    has: (table) => hall.has(table),
    /** @param {Listed[]} found */
    came: (found) => hall.came(found),
  };
}
