/* The connection to the server, and the requests over it.

Each request of the player gets a UUID and is kept until it is answered. After a lost connection it is
sent again under the same UUID, so that it is done once. */
import { uuid } from "./dom.js";
/** @import { Frame, From, Message } from "../protocol" */

const PAUSE = 250; // milliseconds until the first try after a lost connection

/** @typedef {{ frame: Frame, from: From, number: number }} Wish */

/**
 * *about* is what the page says of itself when it connects, *heard* takes the server's messages, *offline* is called
 * while there is no connection.
 * @param {{ about: () => Partial<Frame>, heard: (message: Message) => void, offline: () => void }} parts
 */
export function connection({ about, heard, offline }) {
  const waiting = /** @type {Map<string, Wish>} */ (new Map()); // unanswered requests by UUID
  let asked = 0; // how many requests there were
  let socket = /** @type {WebSocket | null} */ (null);
  let ready = false;
  let pause = PAUSE;
  let retry = 0;

  function connect() {
    clearTimeout(retry);
    // A connection that is still opening is given up, or both would answer.
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    socket?.close();
    const address = new URL("socket", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    socket = new WebSocket(address);
    socket.onopen = hello;
    socket.onmessage = (event) => heard(JSON.parse(event.data));
    socket.onclose = (event) => {
      // Who was forgotten reads here that it is done, and nothing more.
      if (event.code === 4410) return void (ready = false);
      // This device was ended.
      if (event.code === 4401) location.reload();
      offline();
      // A page that is refused reloads, and the server's page says what to do.
      if (!ready) void fetch(".", { method: "HEAD" }).then((answer) => answer.status === 401 && location.reload(), () => {});
      ready = false;
      retry = setTimeout(connect, pause * (0.75 + Math.random() / 2));
      pause = Math.min(pause * 1.7, 10000);
    };
  }

  const send = (/** @type {Frame} */ frame) => socket?.send(JSON.stringify(frame));
  const hello = () => send({ kind: "hello", id: uuid(), ...about() });

  addEventListener("online", () => !ready && connect());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !ready && socket?.readyState === WebSocket.CLOSED) connect();
  });

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
      return true;
    },
    /** Send a request that is done once; *from* is where the answer belongs.
     * @param {Frame} frame @param {From} from */
    act(frame, from = {}) {
      const wish = { ...frame, id: uuid() };
      asked += 1;
      waiting.set(wish.id, { frame: wish, from, number: asked });
      if (ready) send(wish);
      else if (pause > PAUSE) offline(); // before that the connection is only about to be made
    },
    /** The number of the last request. */
    asked: () => asked,
    /** Whether an unanswered request passes *test*. @param {(frame: Frame) => boolean} test */
    waits: (test) => [...waiting.values()].some((wish) => test(wish.frame)),
    /** Whether the request *id* is unanswered. @param {string} id */
    has: (id) => waiting.has(id),
    /** Take the request *id*, which is answered now. @param {string} id */
    answered(id) {
      const wish = waiting.get(id);
      waiting.delete(id);
      return wish;
    },
  };
}
