/* The talk of people at a table, and the number of onlookers. */

import { byId, make, write } from "./dom.js";
import { announce, say, tab } from "./pane.js";
/** @import { Said, Talk, Watching } from "../protocol" */

const PRESETS = ["say-luck", "say-good", "say-ouch", "say-moment", "say-back", "say-thanks"];

/**
 * The talk of each table, and whether *input* is for talk. *emote* and *mute* send such requests, *look* tells the
 * server the table in view, whose talk it then sends; *title* names another table. With *thumbs* the line is for talk
 * at first.
 * @param {{ input: HTMLInputElement, words: () => Record<string, string>, flowOf: (table: string) => HTMLElement,
 *   emote: (table: string, preset: string) => void, mute: (table: string, number: number) => void,
 *   look: (table: string) => void, title: (table: string) => string, thumbs: boolean }} parts
 */
export function talking({ input, words, flowOf, emote, mute, look, title, thumbs }) {
  const told = /** @type {Map<string, Said[]>} */ (new Map());
  const deaf = /** @type {Map<string, string>} */ (new Map());
  const presets = byId("presets"), button = byId("speak"), note = byId("deaf"), watching = byId("watching");
  const talks = /** @type {Map<string, boolean>} */ (new Map()); // whether the line is for talk, by table
  let table = "", looked = ""; // the table in view, and the one that the server knows as such

  const speaking = () => Boolean(table) && (talks.get(table) ?? false);

  /** Make the line for talk, or for commands. @param {boolean} wanted */
  function turn(wanted) {
    talks.set(table, wanted);
    draw();
    input.focus();
  }

  function draw() {
    const said = words(), here = Boolean(table);
    input.placeholder = said[speaking() ? "say-here" : "placeholder"];
    input.setAttribute("aria-label", said[speaking() ? "say-here" : "line"]);
    button.hidden = !here;
    button.setAttribute("aria-pressed", String(speaking()));
    presets.hidden = !speaking();
    if (presets.dataset.said !== said["say-luck"]) {
      presets.dataset.said = said["say-luck"];
      presets.replaceChildren(...PRESETS.map((one) =>
        make("button", { click: () => emote(table, one.slice(4)) }, said[one])));
    }
    write(note, speaking() ? deaf.get(table) ?? "" : "");
  }

  /** Notify the player of something said. @param {string} code @param {Said} said */
  function heard(code, { who, text, mine }) {
    const seen = code === table && tab() === "talk";
    if (seen) byId("talk").scrollTop = byId("talk").scrollHeight;
    if (mine) return;
    if (seen) {
      announce(`${who}: ${text}`);
      return;
    }
    if (code === table) byId("to-talk").classList.add("new-word");
    say(`${title(code)}${who}: ${text}`);
  }

  /**
   * Put lines into the conversation: new ones last, or with *whole* each after the line before.
   * @param {string} code
   * @param {boolean} whole
   */
  function fill(code, whole) {
    const all = told.get(code) ?? [], flow = flowOf(code);
    const last = new Map(all.filter((one) => one.muted).map((one) => [one.who, one.number]));
    const shown = all.filter((one) => !one.muted || last.get(one.who) === one.number);
    const old = new Map(
      [...flow.querySelectorAll("[data-line]")].map((one) => [/** @type {HTMLElement} */ (one).dataset.line, one]),
    );
    let before = /** @type {Element | null} */ (null);
    for (const one of shown) {
      const key = `${one.number} ${one.muted}`, kept = old.get(key), drawn = kept ?? line(code, one, key);
      old.delete(key);
      if (!kept && !whole) flow.append(drawn);
      else if (!kept && before) before.after(drawn);
      else if (!kept) flow.prepend(drawn);
      before = drawn;
    }
    for (const gone of old.values()) gone.remove();
  }

  /** @param {string} code @param {Said} said @param {string} key */
  function line(code, said, key) {
    const drawn = make("div", { class: said.mine ? "say mine" : "say", "data-line": key });
    if (said.mine) {
      drawn.append(said.text);
      return drawn;
    }
    const hush = make(
      "button",
      { class: "hush", click: () => mute(code, said.number) },
      said.muted ? words().unmute : words().mute,
    );
    const who = make(
      "button",
      { class: "who", "aria-expanded": "false" },
      said.who,
      said.watches ? make("small", {}, words().watcher) : "",
    );
    who.addEventListener("click", () => {
      hush.hidden = !hush.hidden;
      who.setAttribute("aria-expanded", String(!hush.hidden));
      hush.scrollIntoView({ block: "nearest" });
    });
    hush.hidden = !said.muted;
    if (said.muted) drawn.append(make("span", { class: "muted" }, `${said.who} · ${words().muted}`), hush);
    else drawn.append(who, make("span", {}, said.text), hush);
    return drawn;
  }

  button.addEventListener("click", () => turn(!speaking()));

  return {
    speaks: speaking,
    /** Talk at the table *code* from now on. @param {string} code */
    at(code) {
      if (code === looked) return;
      table = looked = code;
      write(watching, "");
      draw();
      look(code);
    },
    /** Tell the server the table in view again, if it is *code* or none is given. @param {string} [code] */
    anew(code = looked) {
      if (code === looked) looked = "";
    },
    /** @param {Watching} message */
    watched(message) {
      if (message.table === table) write(watching, message.said);
    },
    /** @param {Talk} talk */
    came(talk) {
      const before = told.get(talk.table) ?? [], known = new Set(before.map((one) => one.number));
      const fresh = talk.lines.filter((one) => !known.has(one.number));
      told.set(talk.table, talk.whole ? talk.lines : [...before, ...fresh]);
      deaf.set(talk.table, talk.deaf);
      // Never under the fingers: who has begun a move would say it to the table instead.
      const begun = talk.table === table && (input.value || document.activeElement === input);
      if (thumbs && talk.readers && !talks.has(talk.table) && !begun) talks.set(talk.table, true);
      fill(talk.table, talk.whole);
      // A line of a person just muted offers to unmute them.
      const hushed = (/** @type {Said[]} */ lines) => lines.filter((one) => one.muted).length;
      if (before.length && hushed(talk.lines) > hushed(before))
        flowOf(talk.table).querySelector(".muted")?.scrollIntoView({ block: "nearest" });
      draw();
      if (!talk.whole) for (const one of fresh) if (!one.muted) heard(talk.table, one);
    },
    /** Redraw all, since the page's language has changed. */
    draw,
  };
}
