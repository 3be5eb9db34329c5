/* How the words of an answer reach the player: on the board, in passing, or in the talk. */
import { byId, make } from "./dom.js";
import { announce, say, turnTo, unsay } from "./pane.js";
/** @import { Answer, Frame, From, Spot } from "../protocol" */

const SHORT = 140; // letters above which words are not said in passing

/**
 * *advice* marks the board, *flows* are the conversations, *draw* draws the table in view, *lead* presses what an
 * answer leads to.
 * @param {{ view: () => string, advice: { give: (table: string, said: string, marks: Spot[]) => void },
 *   flows: { said: (answer: Answer, table: string) => void }, draw: () => void, lead: (code: string) => void }} parts
 */
export function replying({ view, advice, flows, draw, lead }) {
  /**
   * Tell what is said in *answer* to *frame* at the table *at*.
   * @param {Answer} answer
   * @param {Frame | null} frame
   * @param {From} from
   * @param {string} at
   */
  return function reply(answer, frame, from, at) {
    // A link to a waiting table stands beside its board.
    if (!answer.said || (from.quiet && answer.link)) return;
    if (answer.marks?.length && at === view()) {
      advice.give(at, answer.said, answer.marks);
      turnTo("acts");
      draw();
      announce(answer.said);
      return;
    }
    const short = answer.said.length < SHORT && !answer.said.includes("\n") && !answer.file && !answer.link;
    // The board itself says what a move did, and an opened table is seen.
    if (short && answer.good && (from.move || answer.open)) return;
    if (frame?.kind === "point" || (short && (frame?.kind !== "call" || from.quiet))) {
      say(answer.said, answer.good, false, at);
      const { leads } = answer;
      if (!leads) return;
      byId("status").append(" ", make("button", { class: "key", click: () => lead(leads.code) }, leads.label));
      return;
    }
    unsay(at);
    flows.said(answer, answer.open ? view() : at);
  };
}
