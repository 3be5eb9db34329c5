/* The page of the browser chat: one WebSocket, the boards it brings, and a line to type on.

Every wish of the player gets a UUID here and is kept until it is answered; after a lost
connection it is sent again under the same UUID, so that it is done once. */
import { asking, badge, call } from "./calls.js";
import { arrange, keeper, make, write } from "./dom.js";
import { composer } from "./line.js";
import { past } from "./past.js";
import { keepingFocus, screen } from "./screen.js";
/** @import { Answer, Board, Button, End, Frame, From, Message, Screen, Soon, State } from "../protocol" */

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const dark = matchMedia("(prefers-color-scheme: dark)");
const desk = matchMedia("(min-width: 1024px)");
const main = $("board"), pane = $("pane"), talk = $("talk"), input = /** @type {HTMLInputElement} */ ($("input"));

const SLOW = 300; // after so many milliseconds without an answer the board shows that it waits
const TWICE = 400; // a second press within so many milliseconds of one that played is no wish

let words = /** @type {State["words"]} */ ({});
let games = /** @type {State["games"]} */ ([]);
let name = "";
let view = ""; // the code of the table in view; nothing where tables are chosen
let wanted = ""; // a table to look at as soon as its board comes
const boards = /** @type {Map<string, Board>} */ (new Map()); // the newest board of each table
const menus = /** @type {Map<string, Board>} */ (new Map()); // what was chosen so far, shown in place of a board
const flows = /** @type {Map<string, HTMLElement>} */ (new Map()); // what was said at each table

// ---------------------------------------------------------------- the connection

/** @typedef {{ frame: Frame, from: From }} Wish */
const waiting = /** @type {Map<string, Wish>} */ (new Map()); // wishes by UUID until they are answered
/** @type {WebSocket | null} */
let socket = null;
let ready = false;
let pause = 250;
let retry = 0;

function connect() {
  clearTimeout(retry);
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  address.hash = "";
  socket = new WebSocket(address);
  socket.onopen = () => send({ kind: "hello", id: crypto.randomUUID(), ...self_() });
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => {
    if (ready) say(words.offline, false, true);
    ready = false;
    retry = setTimeout(connect, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 1.7, 10000);
  };
}

const self_ = () => ({ theme: dark.matches ? "dark" : "light", language: navigator.language });
const send = (/** @type {Frame} */ frame) => socket?.send(JSON.stringify(frame));

/** Ask for something that must happen once; *from* is where the answer belongs.
 * @param {Frame} frame @param {From} from */
function act(frame, from = {}) {
  const wish = { ...frame, id: crypto.randomUUID() };
  waiting.set(wish.id, { frame: wish, from });
  if (ready) send(wish);
  else say(words.offline, false, true);
}

/** @param {Message} message */
function receive(message) {
  if (message.kind === "state") stateCame(message);
  else if (message.kind === "board") boardCame(message);
  else if (message.kind === "answer") answerCame(message);
  else if (message.kind === "soon") soon(message);
  else if (message.kind === "completions") line.completed(message);
  else if (message.kind === "call") call(message.said, message.table, () => look(message.table));
}

/** @param {State} state */
function stateCame(state) {
  const fresh = !ready || !name;
  ({ words, games, name } = state);
  document.documentElement.lang = state.language;
  label(document);
  const first = !ready;
  if (first) {
    if ($("status").textContent === words.offline) say("");
    ready = true;
    pause = 250;
    for (const { frame } of waiting.values()) send(frame);
  }
  const codes = new Set(state.boards.map((board) => board.table));
  for (const code of boards.keys()) if (!codes.has(code)) boards.delete(code);
  for (const board of state.boards) boardCame(board, false);
  const asked = location.hash.slice(1);
  if (boards.has(asked)) view = asked;
  else if (!boards.has(view)) view = "";
  if (!view && fresh && !wanted) view = [...boards.values()].sort((a, b) => Number(b.mine) - Number(a.mine))[0]?.table ?? "";
  document.body.classList.toggle("nameless", !name);
  $("idle").replaceChildren(...state.commands.map((start) => make("button", { type: "button", click: () => line.begin(start) }, start)));
  write($("rename"), name);
  show();
  if (!name) askName(state.invited);
  else if (!view) offerGames();
  if (name && first && desk.matches && document.activeElement === document.body) input.focus();
}

/** @param {ParentNode} root */
function label(root) {
  const marked = (/** @type {string} */ what) => /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(`[data-${what}]`));
  const word = (/** @type {string | undefined} */ named) => words[named ?? ""];
  for (const one of marked("word")) write(one, word(one.dataset.word));
  for (const one of marked("label")) one.setAttribute("aria-label", word(one.dataset.label));
  for (const one of marked("title")) one.title = word(one.dataset.title);
  input.placeholder = words.placeholder;
}

// ---------------------------------------------------------------- the table in view

/** @param {Board} board @param {boolean} bring whether the player may be brought to it */
function boardCame(board, bring = true) {
  const old = boards.get(board.table);
  if (old && old.version > board.version) return;
  const fresh = !old || old.version !== board.version;
  boards.set(board.table, board);
  if (fresh || old?.picture !== board.picture) menus.delete(board.table);
  moves.came(board, old);
  // Whoever waits for a table, or has none that is played, is brought to the new one.
  if (wanted === board.table || (bring && name && !old && (view ? boards.get(view)?.over : boards.size === 1))) look(board.table);
  else if (board.table === view) {
    draw();
    if (fresh) announce([board.headline, ...board.lines].join(" "));
  } else if (fresh && old && board.mine && !old.mine) say(`▶ ${board.title}: ${board.status}`);
  drawTables();
  drawTitle();
}

const moves = past({
  panel: $("moves"),
  words: () => words,
  ask: (table) => act({ kind: "moves", table }),
  turned: () => draw(),
});

const shown = screen({
  words: () => words,
  press: (pressed, on) => press(pressed, on, view, null),
  end: (end) => follow(end),
  cancel: () => cancel(),
  point: (x, y) => point(x, y),
  swipe: (ways) => moves.by(ways),
  lost: () => ready && send({ kind: "hello", id: crypto.randomUUID(), ...self_() }),
});
$("top").after(shown.head, shown.pic);
$("acts").append(shown.said, shown.acts);

/** Draw the table in view, as far as it has changed. */
function draw() {
  const board = boards.get(view);
  if (!board || !name) return;
  keepingFocus(main, () => {
    main.classList.toggle("over", board.over);
    document.body.style.setProperty("--w", String(board.width || 1));
    document.body.style.setProperty("--h", String(board.height || 1));
    document.body.classList.toggle("plain", !board.picture);
    moves.show(board);
    const then = moves.moment();
    /** @type {Partial<Board>} */
    const looked = then ? { picture: then.picture, alt: then.said, lines: [then.said], rows: [[button(words.now, "good", "now")]], spots: [], ends: [] } : {};
    if (then) shown.show({ ...board, ...looked }, null);
    else shown.show(menus.get(view) ?? board, board, board.open ? [button(words["copy-link"], "good", "invite")] : []);
    main.classList.toggle("past", Boolean(then));
  });
}

/** A button of the page itself. @param {string} label_ @param {string} style @param {string} step */
function button(label_, style, step) {
  return { label: label_, style, step, code: "", letter: "", tap: "", plays: false };
}

/** Show what belongs to the table in view, or the shelf where there is none. */
function show() {
  document.body.classList.toggle("home", !view);
  if (location.hash.slice(1) !== view) history.replaceState(null, "", view ? `#${view}` : location.pathname);
  arrange(talk, [flowOf(view)]);
  talk.scrollTop = talk.scrollHeight;
  drawTables();
  drawTitle();
  draw();
}

/** @param {string} code */
function look(code) {
  const board = boards.get(code);
  if (code && !board) {
    wanted = code;
    return;
  }
  wanted = "";
  if (code !== view) {
    view = code;
    history.pushState(null, "", code ? `#${code}` : location.pathname);
    turnTo("acts");
  }
  show();
  if (board) announce(board.headline);
  else offerGames();
}

addEventListener("popstate", () => {
  const code = location.hash.slice(1);
  view = boards.has(code) ? code : "";
  show();
  if (!view && name) offerGames();
});

let played = { at: -TWICE, on: /** @type {Element | null} */ (null) };

/** @param {Button} pressed @param {Element} on @param {string} table @param {HTMLElement | null} card */
function press(pressed, on, table, card) {
  if (!pressed.code) {
    if (pressed.step === "invite") act({ kind: "invite", table });
    else if (pressed.step === "now") moves.go(Infinity);
    else cancel();
  }
  if (!pressed.code || [...waiting.values()].some((wish) => wish.frame.code === pressed.code)) return;
  const now = performance.now(), plays = pressed.style === "move" || pressed.style === "final";
  if (plays && on === played.on && now - played.at < TWICE) return;
  if (plays && (pressed.plays || !pressed.step)) played = { at: now, on };
  act({ kind: "press", code: pressed.code, message: table }, { card, move: plays });
  slowly(table);
}

/** Show that the board waits, where the answer is slow. @param {string} table */
function slowly(table) {
  setTimeout(() => {
    const late = [...waiting.values()].some((wish) => wish.frame.kind === "press" && wish.frame.message === table);
    if (late && table === view) shown.hand.wait(true);
  }, SLOW);
}

/** Show the moves that end on one place, or play the only one. @param {End} end */
function follow(end) {
  const board = menus.get(view);
  if (end.moves.length === 1) press(end.moves[0], shown.pic, view, null);
  if (end.moves.length === 1 || !board) return;
  menus.set(view, { ...board, rows: [end.moves, [button(words.back, "house", "")]], spots: [] });
  draw();
  turnTo("acts");
}

/** Choose nothing again. */
function cancel() {
  if (!menus.delete(view)) return;
  draw();
  announce(boards.get(view)?.headline ?? "");
}

/** Ask why nothing can be played there. @param {number} x @param {number} y */
function point(x, y) {
  const board = menus.get(view) ?? boards.get(view);
  if (!board?.mine || x < 0 || y < 0 || x > 1 || y > 1) return;
  act({ kind: "point", table: view, path: board.path.join(","), at: `${x.toFixed(4)},${y.toFixed(4)}` });
}

const tiles = keeper(() => make("li", {}, make("button", { type: "button", class: "t" })));

function drawTables() {
  // In the order in which they came, those that are over last: nothing moves under a finger.
  const all = [...boards.values()].sort((a, b) => Number(a.over) - Number(b.over));
  arrange($("tables"), all.map(tile));
  tiles.done();
  const here = $("tables").querySelector("[aria-current]");
  if (here && !desk.matches) {
    const strip = $("tables"), left = /** @type {HTMLElement} */ (here).offsetLeft - strip.offsetLeft, right = left + here.clientWidth;
    if (left < strip.scrollLeft || right > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = left - 12;
  }
}

/** @param {Board} board */
function tile(board) {
  const item = tiles.of(board.table), open = /** @type {HTMLElement} */ (item.firstElementChild);
  open.classList.toggle("me", board.mine);
  if (board.table === view) open.setAttribute("aria-current", "page");
  else open.removeAttribute("aria-current");
  const text = [board.title, board.status, board.with || board.table, board.picture].join("|");
  if (open.dataset.text === text) return item;
  open.dataset.text = text;
  open.onclick = () => look(board.table);
  const thumb = board.picture ? make("img", { src: board.picture, alt: "", decoding: "async" }) : make("span", { class: "none", "aria-hidden": "true" }, board.title[0]);
  open.replaceChildren(thumb, make("span", {}, make("b", {}, board.title), make("span", {}, board.status), make("small", {}, board.with || board.table)));
  return item;
}

function drawTitle() {
  const board = boards.get(view);
  const mine = board?.mine ? board : [...boards.values()].find((one) => one.mine);
  const turn = mine ? `▶ ${words["your-turn"]} · ${mine.title} · ` : board ? `${board.title} · ` : "";
  document.title = `${turn}Ludoteca`;
  badge([...boards.values()].filter((one) => one.mine).length);
  write($("title"), board ? board.title : "Ludoteca");
  write($("with"), board ? board.with : "");
  write($("code"), board ? `${words.table} ${board.table}` : "");
  $("code").hidden = !board;
}

// ---------------------------------------------------------------- the panes

/** @param {string} tab */
function turnTo(tab) {
  pane.dataset.tab = tab;
  for (const one of ["acts", "moves", "talk"]) $(`to-${one}`).setAttribute("aria-selected", String(one === tab));
  if (tab === "talk") {
    $("to-talk").classList.remove("new-word");
    talk.scrollTop = talk.scrollHeight;
  }
  if (tab === "moves") $("log").scrollTop = $("log").scrollHeight;
}

for (const tab of ["acts", "moves", "talk"]) $(`to-${tab}`).addEventListener("click", () => turnTo(tab));
$("wide").addEventListener("click", () => $("wide").setAttribute("aria-pressed", String(document.body.classList.toggle("widened"))));
turnTo("acts");

// ---------------------------------------------------------------- the conversation

/** @param {string} code */
function flowOf(code) {
  const flow = flows.get(code) ?? make("div", { class: "flow" });
  flows.set(code, flow);
  return flow;
}

/** @template {HTMLElement} Part @param {Part} element @param {string} table */
function add(element, table) {
  const flow = flowOf(table);
  flow.append(element);
  while (flow.childElementCount > 200) flow.firstElementChild?.remove();
  if (table === view) turnToWord(element);
  return element;
}

/** Let the player see *element*, which was said at the table in view. @param {HTMLElement} element */
function turnToWord(element) {
  if (view && pane.dataset.tab !== "talk") turnTo("talk");
  talk.scrollTop = element.offsetHeight + 16 > talk.clientHeight ? element.offsetTop - talk.offsetTop - 8 : talk.scrollHeight;
}

/** @param {string} text */
function announce(text) {
  $("live").textContent = "";
  setTimeout(() => ($("live").textContent = text), 50);
}

let silence = 0;
/** A short word over the pane, which goes away by itself unless it is to *stay*.
 * @param {string} text */
function say(text, good = true, stay = false) {
  clearTimeout(silence);
  $("status").textContent = text;
  $("status").classList.toggle("bad", !good);
  if (text && !stay) silence = setTimeout(say, good ? 6000 : 12000, "");
}

/** What was wished takes longer: the wish stays until its answer comes.
 * @param {Soon} message */
function soon(message) {
  if (waiting.has(message.id)) say(message.said);
}

/** @param {Answer} answer */
function answerCame(answer) {
  const wish = waiting.get(answer.id);
  waiting.delete(answer.id);
  const { frame, from } = wish ?? { frame: null, from: /** @type {From} */ ({}) };
  if (frame?.kind === "press" && frame.message === view) shown.hand.wait(false);
  if (frame?.kind === "moves") moves.listed(frame.table ?? "", answer.moves ?? [], answer.forms ?? []);
  if (frame?.kind === "name" && answer.good) $("asked")?.remove();
  const at = frame?.message || frame?.table || (boards.has(view) ? view : "");
  if (answer.board) {
    if (answer.menu) menuCame(answer.board);
    else boardCame(answer.board);
  }
  if (answer.card) cardCame(answer.card, answer, from, at);
  if (answer.open) {
    // The sheet has become a table.
    from.card?.remove();
    look(answer.open);
  }
  if (!answer.said) return;
  const short = answer.said.length < 140 && !answer.said.includes("\n") && !answer.file && !answer.link;
  // What a move did is told by the board that follows it.
  if (short && answer.good && from.move) return;
  if (frame?.kind === "point" || (short && (frame?.kind !== "call" || from.quiet || answer.open))) {
    say(answer.said, answer.good);
    return;
  }
  say("");
  const bubble = add(make("div", { class: answer.good ? "say" : "say bad" }, answer.said), answer.open ? view : at);
  if (answer.file) bubble.append(make("a", { class: "key", href: answer.file.href, download: answer.file.name }, `${words.download} ${answer.file.name}`));
  if (answer.link) bubble.append(link(answer.link));
  turnToWord(bubble);
  announce(answer.said);
}

/** What has been chosen at a table so far. @param {Board} board */
function menuCame(board) {
  const base = boards.get(board.table);
  if (base && board.version < base.version) return;
  if (base && board.version > base.version) boardCame({ ...board, path: [] });
  const same = JSON.stringify(board.rows) === JSON.stringify(base?.rows);
  if (same) menus.delete(board.table);
  else menus.set(board.table, board);
  if (board.table !== view) return;
  draw();
  const tapped = new Set(board.spots.map((spot) => spot.step));
  const beside = board.rows.flat().some((one) => one.style !== "blank" && !tapped.has(one.step));
  if (!same && (!board.path.length || (beside && !tapped.size))) turnTo("acts");
  announce([board.headline, ...board.lines].join(" "));
}

const cards = /** @type {WeakMap<HTMLElement, ReturnType<typeof screen>>} */ (new WeakMap());

/** A screen that is no table's, such as a page of the rules.
 * @param {Screen} told @param {Answer} answer @param {From} from @param {string} at */
function cardCame(told, answer, from, at) {
  const card = answer.menu && from.card ? from.card : make("article", { class: "card", tabindex: "-1" });
  let parts = cards.get(card);
  if (!parts) {
    const none = () => {};
    parts = screen({ words: () => words, press: (pressed, on) => press(pressed, on, "", card), end: none, cancel: none, point: none, swipe: none, lost: none });
    cards.set(card, parts);
    card.append(parts.head, parts.said, parts.pic, parts.acts);
  }
  const { show: fill } = parts;
  keepingFocus(card, () => fill(told, null));
  if (card === from.card) card.scrollIntoView({ block: "nearest" });
  else add(card, at);
  announce([told.headline, ...told.lines].join(" "));
}

/** @param {string} address */
function link(address) {
  /** @type {HTMLInputElement} */
  const field = make("input", { class: "link", readonly: true, "aria-label": words["link-here"], focus: () => field.select() });
  field.value = address;
  copy(address);
  return field;
}

/** @param {string} text */
function copy(text) {
  navigator.clipboard?.writeText(text).then(() => say(words.copied), () => {});
}

/** @param {string} invited */
function askName(invited) {
  if ($("asked")) return;
  const field = make("input", { id: "name", maxlength: "64", autocomplete: "nickname", "aria-label": words["name-label"], required: true });
  field.value = name;
  const form = make("form", { class: "ask" }, field, make("button", { class: "key good" }, words["name-go"]));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) act({ kind: "name", name: field.value });
  });
  const head = make("div", { class: "head" }, make("h2", {}, words["name-ask"]), invited ? make("p", {}, invited) : "", make("p", {}, words["name-why"]), form);
  add(make("article", { class: "card", id: "asked" }, head), view);
  field.focus();
}

function offerGames() {
  $("games")?.remove();
  const keys = games.map((game) => {
    const play = () => act({ kind: "call", line: game.line }, { quiet: true });
    const cover = make("img", { src: `cover/${game.key}-${dark.matches ? "dark" : "light"}.png`, alt: "", width: "88", height: "88" });
    const text = make("span", {}, game.name, make("span", { class: "d" }, game.facts), make("span", { class: "b" }, game.blurb));
    return make("button", { type: "button", class: "key", "data-key": game.line, click: play }, cover, text);
  });
  const code = make("input", { maxlength: "8", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", "aria-label": words["code"], placeholder: words["code"] });
  const join = make("form", { class: "ask" }, code, make("button", { class: "key" }, words.join));
  join.addEventListener("submit", (event) => {
    event.preventDefault();
    if (code.value.trim()) act({ kind: "call", line: `/join ${code.value.trim()}` }, { quiet: true });
  });
  const mine = make("div", { class: "more" },
    make("button", { type: "button", class: "key house", click: () => askName("") }, `${words.rename}: ${name}`),
    make("button", { type: "button", class: "key house", click: () => act({ kind: "call", line: "/settings" }) }, words.settings),
    make("button", { type: "button", class: "key house", click: () => act({ kind: "back" }) }, words["my-link"]),
    make("button", { type: "button", class: "key house", click: () => act({ kind: "call", line: "/help" }) }, words.help));
  const why = boards.size ? "" : make("p", {}, words["no-board"]);
  const head = make("div", { class: "head" }, make("h2", {}, words.what), why);
  return add(make("article", { class: "card", id: "games", tabindex: "-1" }, head, make("div", { class: "acts games" }, ...keys), join, mine), "");
}

// ---------------------------------------------------------------- the line

const line = composer({
  form: $("write"),
  row: $("sugg"),
  sign: $("sig"),
  list: $("options"),
  suggest(/** @type {string} */ text) {
    const id = crypto.randomUUID();
    if (ready) send({ kind: "suggest", id, line: text, table: view });
    return id;
  },
  submit(/** @type {string} */ text) {
    add(make("div", { class: "say mine" }, text), view);
    say("");
    act({ kind: "call", line: text, table: view });
  },
});

$("new").addEventListener("click", () => {
  look("");
  $("games")?.querySelector("button")?.focus({ preventScroll: true });
});
$("rename").addEventListener("click", () => askName(""));
asking($("notify"));
$("code").addEventListener("click", () => {
  const board = boards.get(view);
  if (board?.open) act({ kind: "invite", table: view });
  else copy(view);
});

addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return;
  if (event.key === "Escape") cancel();
  const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (!way || !view || event.altKey || event.ctrlKey || event.metaKey || /** @type {Element} */ (event.target).closest("input, [role=tab]")) return;
  event.preventDefault();
  if (Number.isFinite(way)) moves.by(way);
  else moves.go(way);
});
let rolled = 0;
shown.pic.addEventListener("wheel", (event) => {
  event.preventDefault();
  if (!event.deltaY || event.timeStamp - rolled < 90) return;
  rolled = event.timeStamp;
  moves.by(event.deltaY < 0 ? -1 : 1);
});
dark.addEventListener("change", () => act({ kind: "theme", ...self_() }));
addEventListener("online", () => !ready && connect());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !ready && socket?.readyState === WebSocket.CLOSED) connect();
});
connect();
