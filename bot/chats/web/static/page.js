/* The page of the browser chat: its boards, the one in view, and what is pressed and typed there. */
import { addressOf, atTable, here, HOME, inTelegram, momentLink, narrowed, pathOf, placeAt, users } from "./address.js";
import { advising } from "./advice.js";
import { asking, call } from "./calls.js";
import { begin, correct, opened } from "./clock.js";
import { connection } from "./connection.js";
import { afresh, arrange, BESIDE, byId, inTurn, labelAll, make, remembered, uuid, write } from "./dom.js";
import { telling } from "./errors.js";
import { flowing } from "./flow.js";
import { outdated, rewound, takeState } from "./kept-state.js";
import { announce, say, tab, talk, tell, turnTo, unsay } from "./pane.js";
import { looks } from "./looks.js";
import { pacing } from "./pacing.js";
import { noting } from "./noting.js";
import { past } from "./past.js";
import { early } from "./pictures.js";
import { planning } from "./plans.js";
import { pointing } from "./pointing.js";
import { pageButtons, pastButtons, pressing, trying } from "./presses.js";
import { followFocus, screen } from "./screen.js";
import { replying } from "./replies.js";
import { rules } from "./rules.js";
import { unpack } from "./scenery.js";
import { TODAY, shelf } from "./shelf.js";
import { sizing } from "./size.js";
import { played, signal, whenSignalled } from "./signals.js";
import { drawTables, drawTitle, sort } from "./tables.js";
import { talking } from "./talk.js";
import { termsIn } from "./terms.js";
import { blend, theme, whenThemed } from "./theme.js";
import { turning } from "./turning.js";
import { typing } from "./typing.js";
/** @import { Answer, Board, Frame, From, Message, Place, Screen, Soon, State } from "../protocol" */

const main = byId("board"), input = /** @type {HTMLInputElement} */ (byId("input"));

let words = /** @type {State["words"]} */ ({});
let games = /** @type {State["games"]} */ ([]);
let texts = ""; // names the words and games that are here
let name = "";
let scripts = /** @type {string | undefined} */ (undefined); // the version of the server's
const LOOKS = new Set("coach lobby moves rules finished comments if position setup devices".split(" "));
// the screen in view; nothing but the player, their moves through history and their answers change it
let place = here();
let view = ""; // the code of the table in view, as soon as its board is here
let wanted = ""; // the table to open as soon as its board comes
let invited = ""; // who invites a player without a name
const boards = /** @type {Map<string, Board>} */ (new Map()); // the newest board of each table
const advice = advising((table) => boards.get(table));
const menus = /** @type {Map<string, Board>} */ (new Map()); // the choices so far, shown in place of boards

// ---------------------------------------------------------------- the connection

const about = () => ({
  theme: theme(),
  language: document.documentElement.dataset.locale ?? navigator.language,
  table: place.kind === "table" ? place.table : "",
  at: texts,
});
const pace = pacing({
  show: boardCame,
  newest: (table) => boards.get(table),
  hidden: () => document.hidden || plans.marks(view).length > 0,
});
const server = connection({
  about,
  heard: inTurn(receive, ahead),
  offline: () => void (words.offline && say(words.offline, false, true, "line")),
  beaten: ({ left }) => correct(boards, left).includes(view) && draw(),
});
const { send } = server;
/**
 * Send a request that is done once; its answer belongs to the screen in view.
 * @param {Frame} frame
 * @param {From} [from]
 */
const act = (frame, from) => server.act(frame, { at: room(), ...from });
/** The name of the screen in view, under which what is said there is kept. */
const room = () => (place.kind === "table" ? place.table : pathOf(place));
telling(send, server.ready);

/** Show the new picture before the rest of a message; answers whether there is one. @param {Message} message */
function ahead(message) {
  const board = message.kind === "answer" ? message.current : message;
  return board?.kind === "board" && !(board.table === view && pace.busy()) && pictured(board);
}

/** @param {Message} message */
function receive(message) {
  if (message.kind === "state") stateCame(message);
  else if (message.kind === "board") paced(message);
  else if (message.kind === "answer") answerCame(message);
  else if (message.kind === "soon") waits(message);
  else if (message.kind === "completions") completed(message);
  else if (message.kind === "house") flows.of("people").querySelector(".sheet")?.dispatchEvent(new Event("seen"));
  else if (message.kind === "unlisted") shop.gone(message.table);
  else if (message.kind === "talk") chat.came(message);
  else if (message.kind === "watching") chat.watched(message);
  else if (message.kind === "call") {
    if (message.news) say(message.said);
    call(message.said, message.table, () => look(message.table));
  }
}

/** Show a board at once, or after what came before it at the table in view. @param {Board} board */
function paced(board) {
  begin(board.countdown);
  if (board.table === view && boards.has(view) && !moves.moment() && !what?.at(view)) pace.take(board);
  else boardCame(board);
}

/** Say that a request takes longer, at the table that it is about. @param {Soon} soon */
function waits({ id, said }) {
  const frame = server.wish(id);
  if (frame && said && [view, ""].includes(frame.message || frame.table || "")) say(said, true, false, id);
}

/** Load the page anew where its scripts are old, unless what somebody has done still waits and would be lost. */
const renewed = () => !server.waits(({ kind }) => !LOOKS.has(kind)) && outdated(scripts);

/** @param {State} state @param {boolean} live whether it comes from the server now */
function stateCame(state, live = true) {
  scripts = state.scripts;
  if (renewed()) return;
  if (rewound(state.lineage)) return; // what waits was meant for a board that never was
  const fresh = !name, tongue = document.documentElement.lang;
  pace.skip();
  for (const { countdown } of state.boards) begin(countdown, live ? undefined : opened());
  // Who comes back has the texts.
  ({ words = words, games = games, texts, name } = state);
  document.documentElement.lang = state.language;
  labelAll(words);
  resize(0);
  book.forget();
  chat.draw();
  const connected = live && server.opened();
  if (connected) unsay("line");
  const codes = new Set(state.boards.map((board) => board.table));
  for (const code of boards.keys()) if (!codes.has(code)) boards.delete(code);
  for (const board of state.boards) boardCame(board, false);
  if (fresh) sort(boards);
  chat.anew();
  // Whoever was invited and has said their name sits at that table.
  const seated = fresh && name && invited ? [...boards.keys()][0] : "";
  ({ invited } = state);
  if (seated && place.kind === "home") turn(atTable(seated), "replaceState");
  // Beside an empty page the doors and tables come with the first state.
  if (fresh && name && !document.body.classList.contains("early")) afresh(main);
  document.body.classList.remove("early");
  document.body.classList.toggle("nameless", !name);
  write(byId("rename"), name);
  users(name);
  byId("doors").replaceChildren(...shop.doors());
  show();
  if (tongue !== state.language) flows.forget();
  shop.fill(place);
}

// ---------------------------------------------------------------- the table in view

/** Show the picture of a new *board*, if its table is in view; answers whether it is new. @param {Board} board */
function pictured(board) {
  unpack(board);
  const old = boards.get(board.table), seen = name && old && board.table === view && !moves.moment() && !what?.at(view);
  if (!seen || old.version > board.version) return false;
  return shown.hand.ahead(board, board.motions.filter((one) => one.number >= old.count));
}

/** @param {Board} board @param {boolean} bring whether the page may open it */
function boardCame(board, bring = true) {
  const old = boards.get(board.table);
  if (old && old.version > board.version) return;
  begin(board.countdown);
  pictured(board);
  const fresh = !old || old.version !== board.version;
  boards.set(board.table, board);
  if (board.over && !old?.over) {
    unsay(board.table);
  }
  if (fresh || old?.picture !== board.picture) choices.renewed(board);
  // The talk of onlookers is sent once the game is over.
  if (old && board.over && !old.over) chat.anew(board.table);
  moves.came(board, old);
  glances.came(board, old, board.table === view);
  if (board.table === view && old && board.count > old.count) played(board, old);
  // The new table is opened if it is awaited, or if no other game is being played.
  const free = view ? boards.get(view)?.over : place.kind === "home" && boards.size === 1;
  if (wanted === board.table || (bring && name && !old && free)) look(board.table);
  else if (bring && !old && place.kind === "table" && place.table === board.table) show();
  else if (board.table === view) {
    draw();
    visit();
    if (fresh) tell(board);
  } else if (fresh && old && board.mine && !old.mine) say(`▶ ${board.title}: ${board.status}`);
  setTimeout(drawHead, BESIDE);
  if (fresh) plans.turned(board);
}

const glances = looks(() => document.hidden);
document.addEventListener("visibilitychange", () => !document.hidden && draw());

const plans = planning({
  ask: (table, path, at) => act({ kind: "plan", table, path, at }),
  play: (table, typed) => {
    say("");
    act({ kind: "call", line: typed, table }, { quiet: true, move: true });
  },
  told: (typed) => say(`${words.planned} ${typed}`),
  drawn: () => drawMarks(),
});

const moves = past({
  panel: byId("moves"),
  words: () => words,
  ask: (table) => act({ kind: "moves", table }),
  turned: () => {
    what?.end();
    // Each moment has its address, and no entry of the history.
    turn(atTable(view, moves.moment() ? moves.number() : null), "replaceState");
    draw();
  },
});

const shown = screen({
  words: () => words,
  terms: () => termsIn(games.find((one) => one.name === boards.get(view)?.title)?.terms ?? ""),
  press(pressed, risky) {
    if (pace.skip()) return;
    if (pressed.code.startsWith("if:")) what?.choose(pressed);
    else if (choices.press(pressed, view, null, risky) && pressed.plays) shown.hand.foresee(pressed);
  },
  end: (end) => void (choices.follow(end) && shown.hand.foresee(end.moves[0])),
  cancel: () => finger.cancel(),
  point: (x, y) => void (pace.skip() || finger.point(x, y)),
  swipe: (ways) => moves.by(ways),
  lost: () => server.ready() && server.hello(),
}, early());
// The picture that was sent with the page stays in place, or it would be loaded anew before it is seen.
if (!shown.pic.isConnected) byId("top").after(shown.head, shown.pic);
byId("acts").append(shown.said, shown.acts);

const waiting = make("div", { class: "waiting" }); // the link to an open table, and its code
let heard = ""; // the board at which something was asked last

/** Ask the coach, or for the link of an open table, once at each board where one is due. @param {Board} board */
function inquire({ coached, open, table, version }) {
  const due = `${table} ${version} ${coached}`;
  if (heard === due) return;
  heard = due;
  waiting.replaceChildren();
  if (!open && !coached) return;
  act({ kind: open ? "invite" : "coach", table }, {
    quiet: true,
    told(answer) {
      // Whoever has asked for much is refused for a while.
      if (!answer.good) setTimeout(() => ((heard = ""), draw()), 5000);
      else if (answer.link && heard === due) waiting.append(make("p", {}, answer.said), ...flows.linked(answer));
    },
  });
}

/** Draw the table in view where it has changed. */
function draw() {
  const board = boards.get(view);
  if (!board || !name) return;
  main.classList.toggle("over", board.over);
  main.dataset.result = board.over ? board.result || "over" : "";
  document.body.style.setProperty("--w", String(board.width || 1));
  const [above, low] = board.crop ?? [0, 1], ratio = (board.height || 1) / (board.width || 1);
  document.body.style.setProperty("--h", String((board.height || 1) * (low - above)));
  document.body.style.setProperty("--above", String(above * ratio));
  document.body.style.setProperty("--under", String((1 - low) * ratio));
  document.body.classList.toggle("plain", !board.picture);
  moves.show(board);
  const then = moves.moment();
  /** @type {Partial<Board>} */
  const looked = then
    ? {
        ...(then.scene ? { scene: then.scene, picture: then.picture } : {}),
        glides: true,
        alt: then.said,
        lines: [then.said],
        rows: pastButtons(board, words),
        spots: [],
        ends: [],
      }
    : {};
  const tried = what?.at(view);
  if (tried) shown.show({ ...tried.shown, rows: [...tried.shown.rows, trying(tried.tried, words)] }, tried.base);
  else if (then) shown.show({ ...board, ...looked }, null);
  else {
    // With nothing chosen both are the same object, by which the hands know that a piece may be taken.
    inquire(board);
    const base = guided(board), chosen = menus.get(view);
    const { picture, scene, width, height, alt, bars, crop, clocks, left, runs } = board;
    const whole = { picture, scene, width, height, alt, bars, crop, clocks, left, runs };
    const beside = chosen && curved(chosen, board) ? whole : {};
    shown.show(
      chosen ? { ...guided(chosen), ...beside } : base,
      base,
      pageButtons(board, shop.has(board.table), !!following(), words),
    );
  }
  drawCurve(board);
  main.classList.toggle("past", Boolean(then));
  notes.show(board.over ? { table: view, number: tried?.number ?? moves.number(), moves: tried?.moves ?? "" } : null);
  const missed = then || tried ? [] : glances.seen(board);
  if (missed.length) shown.hand.replay(missed);
  drawMarks();
}

/** Whether *chosen* has the curve of the game in place of its board. @param {Board} chosen @param {Board} board */
const curved = (chosen, board) =>
  Boolean(board.over && board.scene && !chosen.scene && chosen.picture && chosen.picture !== board.picture);

const slider = make("input", {
  type: "range",
  class: "curve",
  min: 0,
  hidden: true,
  input: () => moves.go(Number(slider.value)),
});
byId("acts").prepend(waiting, slider);

/** Show the curve of a review, along which one goes through the game. @param {Board} board */
function drawCurve(board) {
  const chosen = menus.get(view), drawn = chosen && curved(chosen, board) ? chosen : null;
  slider.hidden = !drawn;
  if (!drawn) return;
  const { at, of } = moves.place();
  Object.assign(slider, { max: String(of), value: String(at) });
  slider.setAttribute("aria-label", drawn.alt);
  slider.style.backgroundImage = `url("${drawn.picture}")`;
  slider.style.aspectRatio = `${drawn.width} / ${drawn.height}`;
}

/** Mark on the board what is planned, and what advice is about. */
function drawMarks() {
  shown.hand.plan(moves.moment() || what?.at(view) ? [] : [...plans.marks(view), ...advice.marks(view)]);
}

/** A board with the first advice above its lines. @param {Board} board */
const guided = (board) => ({ ...board, lines: [advice.words(view), ...board.lines].filter(Boolean) });

/** Another table at which the player is to move. */
const following = () => [...boards.values()].find((one) => one.mine && one.table !== view)?.table ?? "";
const turnOn = () => look(following());

const choices = pressing({
  boards,
  menus,
  words: () => words,
  view: () => view,
  own: {
    "": () => finger.cancel(),
    list: (table) => act({ kind: "list", table, code: "on" }),
    unlist: (table) => act({ kind: "list", table, code: "" }),
    away: (table) => act({ kind: "away", table }),
    next: turnOn,
    now: () => moves.go(Infinity),
    if: (table) => void suppose(table, moves.number()),
    moment: (table) => flows.copy(momentLink(table, moves.number())),
    game: () => what?.end(),
    undo: () => what?.back(),
  },
  act,
  asked: server.asked,
  waits: server.waits,
  waiting: () => shown.hand.wait(true),
  newer: (board) => boardCame(board),
  drawn: () => draw(),
});

let what = /** @type {ReturnType<typeof import("./what-if.js").supposing> | null} */ (null);
/** Try moves from a moment of a game; what does so is fetched for the first.
 * @param {[string, number, string?]} moment */
async function suppose(...moment) {
  const { supposing } = await import("./what-if.js");
  what ??= supposing({ ask: (frame, told) => act(frame, { told, quiet: true }), drawn: () => draw() });
  what.begin(...moment);
}

const notes = noting({
  panel: byId("moves"),
  words: () => words,
  ask: (frame, told) => act(frame, { told, quiet: true }),
  said: moves.said,
  look({ table, number, moves: branch }) {
    moves.goTo(table, number);
    if (branch) void suppose(table, number, branch);
  },
});

const finger = pointing({ boards, menus, view: () => view, moves, what: () => what, choices, plans, act });

/** Let the address be that of *next*. @param {Place} next @param {"pushState" | "replaceState"} [how] */
function turn(next, how = "pushState") {
  const other = pathOf(next) !== pathOf(place);
  place = next;
  if (other) history[how](null, "", addressOf(place));
}

/** Show the screen that the address names. */
function show() {
  const left = view;
  view = place.kind === "table" && name && boards.has(place.table) ? place.table : "";
  if (left && left !== view) pace.skip();
  if (view && place.kind === "table" && place.at !== null) moves.goTo(view, place.at);
  if (view) for (const one of flows.of(view).querySelectorAll(":scope > .back, :scope > .line")) one.remove();
  const turned = document.body.classList.contains("home") === Boolean(view);
  document.body.classList.toggle("home", !view);
  if (turned) afresh(main);
  talk.setAttribute("role", view ? "tabpanel" : "region");
  talk.setAttribute("aria-labelledby", view ? "to-talk" : "title");
  const skips = view ? "to-board" : "to-content";
  byId("skip").dataset.word = skips;
  write(byId("skip"), words[skips] ?? "");
  arrange(talk, [flows.of(room())]);
  talk.scrollTop = view && tab() === "talk" ? talk.scrollHeight : 0;
  drawHead();
  draw();
  visit();
}

/** Tell the server the table in view. */
function visit() {
  if (server.ready() && name) chat.at(view);
}

const flows = flowing({
  words: () => words,
  game: (key) => games.find((one) => one.key === key),
  room,
  press: (pressed, card) => choices.press(pressed, "", card),
  replay: (film) => film.includes(view) && moves.replay(),
});

const reply = replying({ view: () => view, advice, flows, draw: () => draw(), lead(code) {
  go({ kind: "learn", game: boards.get(view)?.game ?? "" });
  act({ kind: "press", code });
} });

const shop = shelf({
  state: () => ({ words, games, name, invited }),
  room,
  none: () => !boards.size,
  flows,
  act,
  boards,
  go,
  drawn: () => draw(),
  named: () => drawHead(),
});

const book = rules({ words: () => words, theme, view: () => view, ask: act, add: flows.add });

const chat = talking({
  input,
  words: () => words,
  flowOf: flows.of,
  emote: (table, preset) => act({ kind: "say", table, code: preset }),
  mute: (table, number) => act({ kind: "mute", table, at: String(number) }),
  look: (table) => send({ kind: "look", id: uuid(), table }),
  title: (table) => (table === view ? "" : `${boards.get(table)?.title} · `),
  thumbs: matchMedia("(pointer: coarse)").matches,
});

/** Bring the screen *next* into view. @param {Place} next @param {"pushState" | "replaceState"} [how] */
function go(next, how) {
  const other = pathOf(next) !== pathOf(place);
  if (other) unsay(view);
  wanted = "";
  turn(next, how);
  arrived(other);
}

/** Show the screen in view, which is *another* than before. @param {boolean} another */
function arrived(another) {
  if (place.kind === "home") sort(boards);
  if (another) turnTo("acts");
  show();
  const board = boards.get(view);
  // The keyboard goes on from what is looked at, but for who is typing.
  if (!document.activeElement?.matches("input")) main.focus({ preventScroll: true });
  if (another && !view) announce(document.title);
  if (board) tell(board);
  else shop.fill(place);
}

/** Bring a table into view as soon as its board is here, or where games are chosen. @param {string} code */
function look(code) {
  if (!code) go(HOME);
  else if (code === TODAY) go({ kind: "puzzle", game: "today" });
  else if (boards.has(code)) go(place.kind === "table" && place.table === code ? place : atTable(code));
  else wanted = code;
}

for (const moved of ["popstate", "hashchange"]) {
  addEventListener(moved, () => {
    const next = here(), other = pathOf(next) !== pathOf(place);
    if (!other) return;
    const stays = next.kind === "table" && next.table === view;
    place = next;
    if (stays && next.at === null) moves.go(Infinity);
    arrived(!stays);
  });
}

function drawHead() {
  drawTables(boards, view, look);
  drawTitle(boards, view, words);
  const { kind } = place,
    game = "game" in place ? place.game : "";
  const named = [words[kind === "games" ? "finished" : kind], games.find(({ key }) => key === game)?.name].filter(
    Boolean,
  );
  const title = flows.of(room()).dataset.title ?? named.join(" · ");
  if (!view && kind !== "home" && title) {
    document.title = document.title.replace(/Ludoteca$/, `${title} · Ludoteca`); // behind whose turn it is
    write(byId("title"), title);
  }
  for (const door of byId("doors").children) {
    if ((door.getAttribute("data-place") || "home") === kind) {
      // Scrolled by hand: the keyboard would go on from what is scrolled into view.
      const strip = byId("doors"), middle = /** @type {HTMLElement} */ (door).offsetLeft - strip.clientWidth / 2;
      if (door.getAttribute("aria-current") !== "page") strip.scrollLeft = middle;
      door.setAttribute("aria-current", "page");
    }
    else door.removeAttribute("aria-current");
  }
  if (!view) shop.drawGoing();
  dispatchEvent(new Event("viewed"));
}

/** @param {Answer} answer */
function answerCame(answer) {
  const { frame, from, number } = server.answered(answer.id) ?? {
    frame: null,
    from: /** @type {From} */ ({}),
    number: server.asked(),
  };
  const at = frame?.message || frame?.table || (from.at ?? room());
  if (frame?.kind === "press" && frame.message === view) shown.hand.wait(false);
  unsay(answer.id);
  if (!answer.good && (from.move || frame?.kind === "point")) signal("refused");
  if (from.move && !answer.current && at === view) shown.hand.refuse();
  // A refusal goes with the next move that is taken.
  if (answer.good && (from.move || frame?.kind === "call")) unsay(at);
  if (answer.lobby) shop.came(frame, answer);
  if (frame?.kind === "plan") plans.came(frame, answer.plan ?? null);
  if (frame?.kind === "moves") moves.listed(frame.table ?? "", answer);
  if (answer.book) void book.came(answer.book, at);
  if (frame?.kind === "name" && answer.good) shop.named();
  if (answer.current) paced(answer.current);
  if (answer.board) {
    pace.skip();
    unpack(answer.board);
    begin(answer.board.countdown);
    if (answer.menu) choices.came(answer.board, number);
    else if (boards.has(answer.board.table)) choices.beside(answer.board, number);
    else boardCame(answer.board);
  }
  for (const one of [answer.if, answer.card]) {
    unpack(one);
    begin(one?.countdown);
  }
  from.told?.(answer);
  if (answer.card) carded(answer.card, answer, from, at);
  else if (from.card && !answer.good) flows.again(from.card);
  if (answer.open) {
    // The settings sheet has become a table.
    from.card?.remove();
    look(answer.open);
  }
  reply(answer, frame, from, at);
  renewed();
}

/** Show *card* on the screen *at* which it was asked, or on its own where that has an address.
 * @param {Screen} card @param {Answer} answer @param {From} from @param {string} at */
function carded(card, answer, from, at) {
  const next = at === room() ? narrowed(place, card) : place;
  if (pathOf(next) === pathOf(place)) return flows.card(card, answer, from, at);
  // What stood there is asked for anew when somebody comes back.
  flows.of(at).replaceChildren();
  turn(next);
  flows.of(room()).replaceChildren();
  show();
  if ("part" in next) return shop.fill(next);
  shop.wayBack(next);
  flows.card(card, answer, { ...from, card: null }, room());
}

const completed = typing({
  view: () => view,
  chat,
  ready: server.ready,
  send,
  act,
  typed: (text) => {
    if (view) flows.add(make("div", { class: "say mine" }, text), view);
    unsay(view);
    choices.passed(view);
  },
});

// Links between our own screens need no new page.
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("[data-place]"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(placeAt(link.dataset.place ?? ""));
});
byId("rename").addEventListener("click", () => shop.askName(""));
asking(byId("notify"), (frame, told) => act(frame, { told }));
if (inTelegram()) void import("./miniapp.js").then(({ within }) => within(blend, () => look(""), whenSignalled));
if (document.documentElement.dataset.around === "discord")
  void import("./activity.js").then(({ within }) =>
    within({ board: () => boards.get(view), act, words: () => words, say }),
  );
// Sounds need a touch, and are fetched with the first.
for (const touched of ["pointerdown", "keydown"])
  addEventListener(touched, () => void import("./sound.js").catch(() => {}), { once: true });
navigator.serviceWorker?.addEventListener("message", (event) => look(event.data.table));
byId("code").addEventListener("click", () => flows.copy(view));

byId("pane").addEventListener("turn", draw);
byId("skip").addEventListener("click", () => main.focus());
followFocus(main);
// A key that is being pressed stays where it is until the finger is up.
input.addEventListener("blur", () => setTimeout(() => !input.value && document.body.classList.remove("typing"), 300));
turning({ pic: shown.pic, view: () => view, moves, cancel: () => finger.cancel(), words: () => words, letters: {
  h: () => act({ kind: "call", line: "/hint", table: view }),
  u: () => (what?.at(view) ? what?.back() : act({ kind: "call", line: "/undo", table: view })),
  m: () => turnTo("moves"),
  t: () => turnTo("talk"),
  n: turnOn,
  "+": () => resize(1),
  "-": () => resize(-1),
  s: () => say(words[remembered("silent", remembered("silent") ? "" : "1") ? "sounds-off" : "sounds"]),
}, write: () => {
  document.body.classList.add("typing");
  if (!input.getClientRects().length) turnTo("talk");
  input.focus();
} });
const resize = sizing(shown.pic, () => words.size ?? "");
whenThemed(() => act({ kind: "theme", ...about() }));
takeState((state) => stateCame(state, false), server.ready);
server.connect();
