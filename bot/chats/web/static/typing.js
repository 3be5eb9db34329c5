/* What is typed on the line: talk, a move, or a command. */
import { byId, uuid } from "./dom.js";
/** @import { Completions, Frame } from "../protocol" */

/**
 * *view* is the table in view, *chat* says whether the line is for talk, *typed* takes a line that is no talk before it
 * is sent. *ready*, *send* and *act* are the connection's. Answers the way of what the server completes.
 * @param {{ view: () => string, chat: { speaks: () => boolean }, ready: () => boolean, send: (frame: Frame) => void,
 *   act: (frame: Frame) => void, typed: (text: string) => void }} parts
 */
export function typing({ view, chat, ready, send, act, typed }) {
  const form = byId("write"), input = /** @type {HTMLInputElement} */ (byId("input"));
  let row = /** @type {Promise<{ completed: (message: Completions) => void } | null> | null} */ (null);

  const completing = () => import("./line.js").then(({ composer }) => composer({
    form,
    row: byId("sugg"),
    sign: byId("sig"),
    list: byId("options"),
    suggest(text) {
      const id = uuid();
      const order = !chat.speaks() || text.startsWith("/");
      if (ready() && order) send({ kind: "suggest", id, line: text, table: view() });
      return id;
    },
  }), () => (row = null));
  // Completions are fetched for whoever is about to type.
  input.addEventListener("focus", () => (row ??= completing()));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const line = input.value.trim();
    if (!line) return input.focus();
    input.value = "";
    if (chat.speaks() && !line.startsWith("/")) return act({ kind: "say", table: view(), line });
    typed(line);
    act({ kind: "call", line, table: view() });
  });

  return (/** @type {Completions} */ message) => void row?.then((one) => one?.completed(message));
}
