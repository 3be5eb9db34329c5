/* All parts of the page, with samples in them: python -m tests.tools.component_sheet shows them to whoever changes a style. */
/* global document, performance */
import { time } from "../../bot/chats/web/static/clock.js";
import { make } from "../../bot/chats/web/static/dom.js";
import { screen } from "../../bot/chats/web/static/screen.js";

const button = (label, style = "house", more = {}) => ({ label, style, code: label, letter: "", step: label, tap: "", plays: false, ...more });
const option = (label, more = {}) => ({ label, code: label, colour: "", cover: "", ...more });
const SHORT = "Short", LONG = "A label that is as long as one is in German, and then some";
const TERMS = [{ words: ["term"], means: "what is told where it is pressed" }];

const place = document.getElementById("talk");
const nothing = () => {};
const hooks = { words: () => ({ choices: "Choices", board: "Board", buttons: "Buttons" }), terms: () => TERMS, press: nothing, end: nothing, cancel: nothing, point: nothing, swipe: nothing, lost: nothing };
const empty = { table: "", version: 0, title: "", headline: "", lines: [], alt: "", countdown: null, rows: [], asks: false, picture: "", width: 0, height: 0, spots: [] };

/** A card like those of sheets and settings. */
function card(heading, shown) {
  const parts = screen(hooks), made = make("article", { class: "card" }, parts.head, parts.said, parts.pic, parts.form, parts.acts);
  parts.show({ ...empty, headline: heading, ...shown }, null);
  place.append(made);
}

/** A part under its name. */
function part(name, ...samples) {
  place.append(make("h2", {}, name), ...samples);
}

card("Keys", {
  lines: ["One primary key a screen; a second one looks like the rest."],
  rows: [
    [button("Move", "move"), button("A5 · takes, gives check", "move", { letter: "A" }), button(LONG, "move")],
    [button("Primary", "good"), button("Second", "good")],
    [button("House"), button(LONG), button("Pass", "final", { quiet: true })],
    [button("Danger", "danger")],
  ],
});
card("Folded keys", { rows: [Array.from({ length: 9 }, (_, at) => button(`Move ${at}`, "move"))], spots: Array.from({ length: 9 }, (_, at) => ({ step: `Move ${at}`, x: 0, y: 0, w: 0, h: 0 })) });
card("A form", {
  choices: [
    { name: "Two", chosen: 0, options: [option(SHORT), option(LONG)] },
    { name: "Level", chosen: 1, options: [1, 2, 3].map((at) => option(`Level ${at}: name`)) },
    { name: "Colours", chosen: 2, options: [option("by lot"), option("white", { colour: "#ffffff" }), option("black", { colour: "#000000" })] },
    { name: "Many", chosen: 7, options: Array.from({ length: 12 }, (_, at) => option(`Value ${at}`)) },
    { name: "Nothing chosen", chosen: -1, options: [option("Ask somebody…"), option("✓ A role")] },
  ],
  rows: [[button("Begin", "good")], [button("Rules"), button("Other")]],
});
part("Clocks", make("div", { class: "head" }, make("div", { class: "clocks times" }, time(754000, null, true), time(8000, { said: "", left: 8000, until: performance.now() + 8000, plain: "" }, false))));
part("Talk", make("div", { class: "say" }, make("button", { class: "who" }, "Ana", make("small", {}, "looks on")), "Good luck!"), make("div", { class: "say mine" }, "/play niya"), make("div", { class: "say bad" }, "That is no move: a pawn goes one step."), make("p", { class: "line" }, "Eva has sat down."));
part("Going on", make("div", { class: "ongoing" }, make("button", { class: "key good goes" }, make("span", { class: "none" }, "S"), make("span", {}, make("b", {}, "Shogi"), make("span", { class: "d" }, "Your turn · with Ana")), make("span", { class: "does" }, "Go on")), make("button", { class: "key goes" }, make("span", { class: "none" }, "N"), make("span", {}, make("b", {}, "Niya"), make("span", { class: "d" }, LONG)), make("span", { class: "does" }, "Go on"))));
part("Fields", make("div", { class: "ask" }, make("input", { placeholder: "A code", "aria-label": "A code" }), make("button", { class: "key" }, "Join")), make("button", { class: "back" }, "Back"), make("p", {}, "A ", make("button", { class: "term" }, "term"), " and ", make("kbd", {}, "Esc")));
for (const result of ["won", "lost", "drawn"]) {
  const head = make("div", { class: "head" }, make("h2", {}, `The end of a game: ${result}`));
  part(result, make("div", { class: "board over sample", "data-result": result }, head));
}
