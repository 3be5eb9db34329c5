/* Notices a dead line. A connection that a network has swallowed tells nobody: only a ping that stays unanswered
does. */

/**
 * Milliseconds of silence after which a waiting request, or else a page in view, pings; and how long an answer may
 * take.
 */
export const WAITS = 2500, IDLE = 15000, PATIENCE = 4000;

/**
 * *ping* asks the server for a sign of life, *waits* says whether a request is unanswered, *seen* whether the page is
 * in view; *dead* is called where a ping stays unanswered.
 * @param {{ ping: () => void, waits: () => boolean, seen: () => boolean, dead: () => void }} parts
 */
export function pulse({ ping, waits, seen, dead }) {
  let since = 0; // when the server was heard last, or a request sent after that
  let due = 0; // when an answer must have come; 0 while none is awaited
  let beats = false;
  let timer = 0;

  /** Look now what the silence means, and when to look again. */
  function look() {
    clearTimeout(timer);
    if (!beats) return;
    const now = performance.now();
    if (due && now >= due) {
      beats = false;
      dead();
      return;
    }
    const next = due || since + (waits() ? WAITS : seen() ? IDLE : Infinity);
    if (now >= next) ask();
    else if (next < Infinity) timer = setTimeout(look, next - now);
  }

  function ask(patience = PATIENCE) {
    if (!due) {
      due = performance.now() + patience;
      ping();
    }
    look();
  }

  return {
    look,
    /**
     * A connection has begun, and the server is to say something within so many milliseconds.
     * @param {number} patience
     */
    begin(patience) {
      beats = true;
      due = performance.now() + patience;
      look();
    },
    end() {
      beats = false;
      clearTimeout(timer);
    },
    /** Something came from the server. */
    heard() {
      since = performance.now();
      due = 0;
      look();
    },
    /** A request was sent. */
    sent() {
      if (!due) since = Math.max(since, performance.now());
      look();
    },
    /** The page wakes: whether the line lives is asked at once. */
    wake() {
      if (beats) ask();
    },
  };
}
