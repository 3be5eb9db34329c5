/* What is typed on the line: talk, a move, or a command. */
import { byId as $, uuid } from "./dom.js";
import { composer } from "./line.js";
/** @import { Frame } from "../protocol" */

/**
 * *view* is the table in view, *chat* says whether the line is for talk, *typed* takes a line that is no talk before it
 * is sent. *ready*, *send* and *act* are the connection's.
 * @param {{ view: () => string, chat: { speaks: () => boolean }, ready: () => boolean, send: (frame: Frame) => void,
 *   act: (frame: Frame) => void, typed: (text: string) => void }} parts
 */
export function typing({ view, chat, ready, send, act, typed }) {
  return composer({
    form: $("write"),
    row: $("sugg"),
    sign: $("sig"),
    list: $("options"),
    suggest(text) {
      const id = uuid();
      const order = !chat.speaks() || text.startsWith("/");
      if (ready() && order) send({ kind: "suggest", id, line: text, table: view() });
      return id;
    },
    submit(text) {
      if (chat.speaks() && !text.startsWith("/")) {
        act({ kind: "say", table: view(), line: text });
        return;
      }
      typed(text);
      act({ kind: "call", line: text, table: view() });
    },
  });
}
