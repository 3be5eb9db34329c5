/* The page of the browser chat: one WebSocket, the boards it brings, and a line to type on.

Every wish of the player gets a UUID here and is kept until it is answered; after a lost
connection it is sent again under the same UUID, so that it is done once. Nothing is ever
put into the page as HTML. */
import { asking, badge, call } from "./calls.js";
import { counting } from "./clock.js";
import { composer, make } from "./line.js";
/** @import { Answer, Board, Button, Frame, From, Message, Screen, Soon, State, Told } from "../protocol" */

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const dark = matchMedia("(prefers-color-scheme: dark)");
const wide = matchMedia("(min-width: 1024px)");
const flow = $("flow"), talk = $("talk"), input = /** @type {HTMLInputElement} */ ($("input"));

let words = /** @type {State["words"]} */ ({});
let games = /** @type {State["games"]} */ ([]);
let name = "";
let view = ""; // the code of the table in view
let wanted = ""; // a table to look at as soon as its board comes
const boards = /** @type {Map<string, Board>} */ (new Map()); // the newest board of each table
const menus = /** @type {Map<string, Board>} */ (new Map()); // what was chosen so far, shown in place of a board
const logs = /** @type {Map<string, Told[]>} */ (new Map()); // the last moves of each table, by their number
const article = make("article", { class: "board", id: "board", tabindex: "-1" });

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
  socket = new WebSocket(address);
  socket.onopen = () => send({ kind: "hello", id: crypto.randomUUID(), ...self_() });
  socket.onmessage = (event) => receive(JSON.parse(event.data));
  socket.onclose = () => {
    if (ready) say(words.offline, false);
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
  else say(words.offline, false);
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
  for (const board of state.boards) boardCame(board);
  if (!boards.has(view)) view = [...boards.values()].sort((a, b) => Number(b.mine) - Number(a.mine))[0]?.table ?? "";
  document.body.classList.toggle("nameless", !name);
  $("idle").replaceChildren(...state.commands.map((start) => make("button", { type: "button", click: () => line.begin(start) }, start)));
  $("rename").textContent = name;
  if (!name) askName(state.invited);
  else if (!view) offerGames();
  draw();
  if (name && first && wide.matches && document.activeElement === document.body) input.focus();
}

/** @param {ParentNode} root */
function label(root) {
  const marked = (/** @type {string} */ what) => /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(`[data-${what}]`));
  const word = (/** @type {string | undefined} */ named) => words[named ?? ""];
  for (const one of marked("word")) one.textContent = word(one.dataset.word);
  for (const one of marked("label")) one.setAttribute("aria-label", word(one.dataset.label));
  for (const one of marked("title")) one.title = word(one.dataset.title);
  input.placeholder = words.placeholder;
}

// ---------------------------------------------------------------- boards

/** @param {Board} board */
function boardCame(board) {
  const old = boards.get(board.table);
  if (old && old.version > board.version) return;
  const fresh = !old || old.version !== board.version;
  boards.set(board.table, board);
  menus.delete(board.table);
  record(board);
  if (!view || wanted === board.table || (!old && boards.get(view)?.over)) view = board.table;
  if (wanted === board.table) wanted = "";
  if (fresh && board.table === view) {
    if (old) for (const told of old.told) past(told, board);
    draw(true);
    announce([board.headline, ...board.lines].join(". "));
  } else {
    if (fresh && old && board.mine && !old.mine) say(`▶ ${board.title}: ${board.status}`);
    draw();
  }
}

/** Keep the last moves: those from the first one told on are told anew. @param {Board} board */
function record(board) {
  const from = board.told.length ? board.told[0].number : board.count;
  const kept = (logs.get(board.table) ?? []).filter((told) => told.number < from && told.number < board.count);
  logs.set(board.table, [...kept, ...board.told].slice(-7));
}

/** What a board told that was there before this one becomes a line of the conversation.
 * @param {Told} told @param {Board} board */
function past(told, board) {
  if (board.told.some((one) => one.number === told.number)) return;
  add(make("p", { class: "line" }, told.who ? make("b", {}, told.who) : "", ` ${told.text}`));
}

/* Draw everything that depends on the boards; *moved* puts the board below the last word. */
function draw(moved = false) {
  const board = menus.get(view) ?? boards.get(view);
  drawTables();
  drawTitle(boards.get(view));
  if (!board || !name) {
    article.remove();
    return;
  }
  document.getElementById("games")?.remove();
  keepingFocus(article, () => {
    if (moved || !article.isConnected) flow.append(article);
    fill(article, board, boards.get(view));
  });
  if (moved || article.dataset.table !== view) reveal();
  article.dataset.table = view;
}

function reveal() {
  if (!article.isConnected) return;
  const high = article.offsetHeight + 16 > talk.clientHeight;
  if (high) talk.scrollTop = article.offsetTop - flow.offsetTop - 8;
  else talk.scrollTop = talk.scrollHeight;
}

/** Draw *root* anew and leave the focus where it was. Whoever played with the keyboard waits on
 * the board itself, and stands on the first choice when it is his turn again.
 * @param {HTMLElement} root @param {() => void} redraw */
function keepingFocus(root, redraw) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const had = root.contains(active);
  const playing = had && (active === root || active?.closest(".keys"));
  const chosen = had ? active?.dataset.key : "";
  redraw();
  if (!had || (active !== root && root.contains(active))) return;
  const keys = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-key]"));
  const same = [...keys].find((one) => one.dataset.key === chosen);
  const first = playing ? /** @type {HTMLElement | null} */ (root.querySelector(".keys .key")) : null;
  (same ?? first ?? root).focus({ preventScroll: true });
}

/** Fill *root* with a screen: its words, its picture and its buttons. *board* lacks for cards.
 * @param {HTMLElement} root @param {Screen} screen @param {Board | null | undefined} board */
function fill(root, screen, board) {
  const press = (/** @type {Button} */ button) => () => {
    if ([...waiting.values()].some((wish) => wish.frame.code === button.code)) return;
    act({ kind: "press", code: button.code, message: board ? board.table : "" }, { card: board ? null : root, move: plays(button) });
  };
  const head = make("div", { class: "head" }, headline(screen.headline));
  head.append(...screen.lines.map((line) => make("p", {}, line)));
  if (screen.countdown) head.append(counting(screen.countdown));
  const acts = make("div", { class: "acts" });
  let keys = null;
  for (const row of screen.rows) {
    const moves = row.every((button) => button.style === "move");
    if (!moves || !keys) {
      keys = make("div", { class: moves ? "keys" : "more" });
      acts.append(keys);
    }
    keys.append(...row.map((button) => key(button, press(button))));
    if (!moves) keys = null;
  }
  if (board?.open) {
    const invite = () => act({ kind: "invite", table: board.table });
    acts.append(make("div", { class: "more" }, key({ label: words["copy-link"], style: "good", step: "invite" }, invite)));
  }
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (acts.querySelectorAll(".keys"))) {
    const labels = /** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll("[data-long]"));
    const longest = Math.max(...[...labels].map((one) => Number(one.dataset.long)));
    const letters = group.querySelector(".l") ? 40 : 0;
    group.style.setProperty("--room", `calc(${Math.min(longest, 22)} * .62em + ${30 + letters}px)`);
  }
  root.className = `board${board ? "" : " card"}${screen.picture ? "" : " plain"}${screen.over ? " over" : ""}`;
  root.replaceChildren(head, ...picture(root, screen, press), acts, ...(board ? [log(board)] : []));
}

/** Whether a press of *button* goes on with the game. @param {Pick<Button, "style">} button */
const plays = (button) => button.style === "move" || button.style === "final";

/** The sign for whose turn it is is drawn, so that no font decides how it looks. @param {string} text */
function headline(text) {
  const turn = text.startsWith("▶ ");
  return make("h2", turn ? { class: "turn" } : {}, turn ? text.slice(2) : text);
}

/** @param {Pick<Button, "label" | "style" | "step"> & Partial<Button>} button @param {() => void} press */
function key(button, press) {
  // What a choice is, and below it what comes of it.
  const [main, ...rest] = button.style === "move" ? button.label.split(/ · |, /) : [button.label];
  const long = Math.max(main.length, rest.join(", ").length * 0.85);
  const text = make("span", { "data-long": long }, main, rest.length ? make("span", { class: "d" }, rest.join(", ")) : "");
  const letter = button.letter ? make("span", { class: "l" }, button.letter) : "";
  const kind = button.style === "move" ? "key" : `key ${button.style}`;
  return make("button", { type: "button", class: kind, "data-key": button.step || button.label, click: press }, letter, text);
}

/** @param {HTMLElement} root @param {Screen} screen @param {(button: Button) => () => void} press */
function picture(root, screen, press) {
  if (!screen.picture) return [];
  const old = /** @type {HTMLImageElement | null} */ (root.querySelector(".pic img"));
  const image = old ?? make("img", { decoding: "async", error: () => ready && send({ kind: "hello", id: crypto.randomUUID(), ...self_() }) });
  if (image.getAttribute("src") !== screen.picture) image.src = screen.picture;
  image.alt = screen.alt;
  const pic = make("div", { class: "pic" }, image);
  pic.style.setProperty("--w", String(screen.width));
  pic.style.setProperty("--h", String(screen.height));
  const buttons = new Map(screen.rows.flat().filter((one) => one.step).map((one) => [one.step, one]));
  for (const spot of screen.spots) {
    const button = buttons.get(spot.step);
    if (!button) continue;
    // The keys below say the same to whoever cannot see: one stop for each choice is enough.
    const tap = make("button", { type: "button", class: "spot", tabindex: "-1", "aria-hidden": "true", title: button.label, "data-spot": spot.step, click: press({ ...button, code: button.tap }) });
    const box = { left: spot.x, top: spot.y, width: spot.w, height: spot.h };
    for (const [side, part] of Object.entries(box)) tap.style.setProperty(side, `${part * 100}%`);
    pic.append(tap);
  }
  return [pic];
}

/** @param {Board} board */
function log(board) {
  const list = make("ol", { class: "log", "aria-label": words.moves });
  for (const told of logs.get(board.table) ?? []) {
    list.append(make("li", {}, make("b", {}, told.who), make("span", { class: "n" }, told.note), make("span", {}, told.text)));
  }
  return list;
}

function drawTables() {
  const all = [...boards.values()];
  const groups = /** @type {[string, Board[]][]} */ ([
    ["your-turn", all.filter((board) => board.mine)],
    ["waiting", all.filter((board) => !board.mine && !board.over)],
    ["ended", all.filter((board) => board.over)],
  ]);
  keepingFocus($("tables"), () => {
    $("tables").replaceChildren();
    for (const [word, some] of groups) {
      if (some.length) $("tables").append(make("li", { class: "sec" }, words[word]));
      for (const board of some) $("tables").append(make("li", {}, tile(board)));
    }
  });
}

/** @param {Board} board */
function tile(board) {
  const thumb = board.picture ? make("img", { src: board.picture, alt: "", decoding: "async" }) : make("span", { class: "none", "aria-hidden": "true" }, board.title[0]);
  const text = make("div", {}, make("b", {}, board.title), make("span", {}, board.status), make("small", {}, board.with || board.table));
  const here = board.table === view ? "page" : null;
  return make("button", { type: "button", class: board.mine ? "t me" : "t", "aria-current": here, "data-key": board.table, click: () => look(board.table) }, thumb, text);
}

/** @param {Board | undefined} board */
function drawTitle(board) {
  const mine = board?.mine ? board : [...boards.values()].find((one) => one.mine);
  const turn = mine ? `▶ ${words["your-turn"]} · ${mine.title} · ` : board ? `${board.title} · ` : "";
  document.title = `${turn}Ludoteca`;
  badge([...boards.values()].filter((one) => one.mine).length);
  $("title").textContent = board ? board.title : "Ludoteca";
  $("with").textContent = board ? board.with : "";
  $("code").textContent = board ? `${words.table} ${board.table}` : "";
  $("code").hidden = !board;
}

/** @param {string} code */
function look(code) {
  const board = boards.get(code);
  if (!board) {
    wanted = code;
    return;
  }
  view = code;
  $("games")?.remove();
  draw(true);
  announce(board.headline);
}

// ---------------------------------------------------------------- the conversation

/** @template {HTMLElement} Part @param {Part} element */
function add(element) {
  const near = talk.scrollHeight - talk.scrollTop - talk.clientHeight < 60;
  flow.append(element);
  while (flow.childElementCount > 200) flow.firstElementChild?.remove();
  if (near) talk.scrollTop = talk.scrollHeight;
  return element;
}

/** @param {string} text */
function announce(text) {
  $("live").textContent = "";
  setTimeout(() => ($("live").textContent = text), 50);
}

let silence = 0;
/** A short word above the composer: a good one goes away, a bad one waits for the next.
 * @param {string} text */
function say(text, good = true) {
  clearTimeout(silence);
  $("status").textContent = text;
  $("status").classList.toggle("bad", !good);
  if (text && good) silence = setTimeout(say, 6000, "");
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
  if (frame?.kind === "name" && answer.good) $("asked")?.remove();
  if (answer.board) {
    if (answer.menu) menus.set(answer.board.table, answer.board);
    else boardCame(answer.board);
    draw();
  }
  if (answer.card) {
    const screen = answer.card;
    const card = answer.menu && from.card ? from.card : add(make("article", { class: "board card", tabindex: "-1" }));
    keepingFocus(card, () => fill(card, screen, null));
    if (card === from.card) card.scrollIntoView({ block: "nearest" });
    else talk.scrollTop = card.offsetTop - flow.offsetTop - 8;
    announce([screen.headline, ...screen.lines].join(". "));
  }
  if (answer.open) {
    // The sheet has become a table.
    from.card?.remove();
    look(answer.open);
  }
  if (!answer.said) return;
  const short = answer.said.length < 140 && !answer.said.includes("\n") && !answer.file && !answer.link;
  // What a move did is told by the board that follows it.
  if (short && answer.good && from.move) return;
  if (short && (frame?.kind !== "call" || from.quiet)) {
    say(answer.said, answer.good);
    return;
  }
  say("");
  const bubble = add(make("div", { class: answer.good ? "say" : "say bad" }, answer.said));
  if (answer.file) bubble.append(make("a", { class: "key", href: answer.file.href, download: answer.file.name }, `${words.download} ${answer.file.name}`));
  if (answer.link) bubble.append(link(answer.link));
  talk.scrollTop = talk.scrollHeight;
  announce(answer.said);
}

/** @param {string} address */
function link(address) {
  /** @type {HTMLInputElement} */
  const shown = make("input", { class: "link", readonly: true, "aria-label": words["link-here"], focus: () => shown.select() });
  shown.value = address;
  copy(address);
  return shown;
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
  add(make("article", { class: "board card", id: "asked" }, head));
  talk.scrollTop = talk.scrollHeight;
  field.focus();
}

function offerGames() {
  $("games")?.remove();
  const keys = games.map((game) => {
    const play = () => act({ kind: "call", line: game.line }, { quiet: true });
    return make("button", { type: "button", class: "key", "data-key": game.line, click: play }, make("span", {}, game.name), make("span", { class: "d" }, game.blurb));
  });
  const why = boards.size ? "" : make("p", {}, words["no-board"]);
  const head = make("div", { class: "head" }, make("h2", {}, words.what), why);
  const card = make("article", { class: "board card", id: "games", tabindex: "-1" }, head, make("div", { class: "acts games" }, ...keys));
  add(card);
  talk.scrollTop = card.offsetTop - flow.offsetTop - 8;
  return card;
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
    add(make("div", { class: "say mine" }, text));
    talk.scrollTop = talk.scrollHeight;
    say("");
    act({ kind: "call", line: text, table: view });
  },
});

$("new").addEventListener("click", () => offerGames().querySelector("button")?.focus({ preventScroll: true }));
$("rename").addEventListener("click", () => askName(""));
asking($("notify"));
$("code").addEventListener("click", () => {
  const board = boards.get(view);
  if (board?.open) act({ kind: "invite", table: view });
  else copy(view);
});

/* Where the last word was in view it stays in view, whatever the composer grows to. */
let low = true;
talk.addEventListener("scroll", () => (low = talk.scrollHeight - talk.scrollTop - talk.clientHeight < 8));
new ResizeObserver(() => low && (talk.scrollTop = talk.scrollHeight)).observe(talk);

dark.addEventListener("change", () => act({ kind: "theme", ...self_() }));
addEventListener("online", () => !ready && connect());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !ready && socket?.readyState === WebSocket.CLOSED) connect();
});
connect();
