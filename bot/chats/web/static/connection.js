/* The connection to the server, and the requests over it.

Each request of the player gets a UUID and is kept until it is answered. After a lost connection it is
sent again under the same UUID, so that it is done once. */
import { differing } from "./differences.js";
import { uuid } from "./dom.js";
import { pulse } from "./pulse.js";
import { unpacking } from "./unpacking.js";
/** @import { Frame, From, Message, Pong } from "../protocol" */

const PAUSE = 250; // milliseconds until the first try after a lost connection
const OPENS = 2500; // milliseconds after which a connection that does not open gets a second one beside it
const ABREAST = 4; // how many may be opening at once
const BEGINS = 8000; // milliseconds within which an open connection brings the state
const JUMP = 2000; // milliseconds by which the clock of the day runs ahead of ours after a sleep

/** What this browser takes: boards as differences that come packed, or whole ones. */
const PACKED = typeof DecompressionStream === "undefined" ? "" : "primed";

/** @typedef {{ frame: Frame, from: From, number: number }} Wish */

/**
 * *about* is what the page says of itself when it connects, *heard* takes the server's messages, *offline* is called
 * while there is no connection, *beaten* takes the answers to pings.
 * @param {{ about: () => Partial<Frame>, heard: (message: Message) => void, offline: () => void,
 *   beaten: (pong: Pong) => void }} parts
 */
export function connection({ about, heard, offline, beaten }) {
  const waiting = /** @type {Map<string, Wish>} */ (new Map()); // unanswered requests by the beginning of their UUID
  let asked = 0; // how many requests there were
  let socket = /** @type {WebSocket | null} */ (null); // the one that is open
  let opening = /** @type {WebSocket[]} */ ([]);
  let ready = false;
  let pause = PAUSE;
  let retry = 0, beside = 0;
  let tried = 0; // when the last connection began to open

  const send = (/** @type {Frame} */ frame) => socket?.send(JSON.stringify(frame));
  const hello = () => send({ kind: "hello", id: uuid(), code: PACKED, ...about() });
  const boards = differing();
  const line = pulse({
    ping: () => void send({ kind: "ping", id: uuid() }),
    waits: () => waiting.size > 0,
    seen: () => !document.hidden,
    dead: () => {
      ready = false;
      offline();
      connect();
    },
  });

  /** *message* with whole boards. @param {Message} message */
  function whole(message) {
    if (message.kind === "board") return { ...boards.whole(message), kind: message.kind };
    if (message.kind === "state") message.boards = (message.boards ?? []).map((one) => boards.whole(one));
    if (message.kind !== "answer") return message;
    if (message.board) message.board = boards.whole(message.board, false);
    if (message.current) message.current = { ...boards.whole(message.current), kind: "board" };
    return message;
  }

  /** Give up a connection, or both it and its successor would answer. @param {WebSocket} old */
  function drop(old) {
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  function connect() {
    clearTimeout(retry);
    for (const old of [...opening, ...(socket ? [socket] : [])]) drop(old);
    opening = [];
    socket = null;
    attempt();
  }

  /** Open a connection. One that a network swallows never fails, so another is tried beside it. */
  function attempt() {
    clearTimeout(beside);
    tried = performance.now();
    const address = new URL("socket", document.baseURI);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const one = new WebSocket(address);
    opening.push(one);
    if (opening.length > ABREAST) drop(/** @type {WebSocket} */ (opening.shift()));
    one.onopen = () => opened(one);
    one.onclose = (event) => closed(one, event.code);
    beside = setTimeout(() => {
      offline();
      attempt();
    }, OPENS);
  }

  /** @param {WebSocket} one */
  function opened(one) {
    clearTimeout(beside);
    for (const other of opening) if (other !== one) drop(other);
    opening = [];
    socket = one;
    boards.forget();
    const take = unpacking((text) => {
      const message = JSON.parse(text);
      // An older line may have left something packed.
      if (socket !== one) return;
      if (message.kind === "pong") beaten(message);
      else heard(whole(message));
    });
    one.binaryType = "arraybuffer";
    one.onmessage = ({ data }) => {
      line.heard();
      take(data);
    };
    hello();
    line.begin(BEGINS);
  }

  /** @param {WebSocket} one @param {number} code */
  function closed(one, code) {
    opening = opening.filter((other) => other !== one);
    line.end();
    // Who was forgotten reads here that it is done, and nothing more.
    if (code === 4410) return void (ready = false);
    // This device was ended.
    if (code === 4401) location.reload();
    if (opening.length) return;
    clearTimeout(beside);
    socket = null;
    offline();
    // A page that is refused reloads, and the server's page says what to do.
    if (!ready)
      void fetch(".", { method: "HEAD" }).then(
        (answer) => answer.status === 401 && location.reload(),
        () => {},
      );
    ready = false;
    retry = setTimeout(connect, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 1.7, 10000);
  }

  /** The page wakes, or the network is back. */
  function wake() {
    if (document.hidden) return;
    if (socket) line.wake();
    else if (!opening.length) connect();
    else if (performance.now() - tried > PAUSE) attempt();
  }

  const ahead = () => Date.now() - performance.now();
  let usual = ahead();
  // Our clock stands still while a machine sleeps, and no event tells of it.
  setInterval(() => {
    if (Math.abs(ahead() - usual) > JUMP) wake();
    usual = ahead();
  }, 1000);
  for (const woken of ["online", "pageshow"]) addEventListener(woken, wake);
  for (const woken of ["visibilitychange", "resume"]) document.addEventListener(woken, wake);

  return {
    connect,
    send,
    hello,
    ready: () => ready,
    /** Send what waits, once the server has sent its state; answers whether that was the first state. */
    opened() {
      if (ready) return false;
      ready = true;
      pause = PAUSE;
      for (const { frame } of waiting.values()) send(frame);
      line.sent();
      return true;
    },
    /** Send a request that is done once; *from* is where the answer belongs.
     * @param {Frame} frame @param {From} from */
    act(frame, from = {}) {
      const wish = { ...frame, id: uuid() };
      asked += 1;
      waiting.set(wish.id.slice(0, 8), { frame: wish, from, number: asked });
      if (ready) {
        send(wish);
        line.sent();
      } else if (pause > PAUSE) offline(); // before that the connection is only about to be made
    },
    /** The number of the last request. */
    asked: () => asked,
    /** Whether an unanswered request passes *test*. @param {(frame: Frame) => boolean} test */
    waits: (test) => [...waiting.values()].some((wish) => test(wish.frame)),
    /** The unanswered request *id*, if it is one. @param {string} id */
    wish: (id) => waiting.get(id.slice(0, 8))?.frame,
    /** Take the request *id*, which is answered now. @param {string} id */
    answered(id) {
      const short = id.slice(0, 8), wish = waiting.get(short);
      waiting.delete(short);
      return wish;
    },
  };
}
