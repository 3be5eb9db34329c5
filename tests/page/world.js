/* A browser of a few lines, in which time passes when a test says so. */

/** An element that shows nothing. */
const element = () => Object.assign(new EventTarget(), {
  dataset: {},
  classList: { add() {}, remove() {}, toggle: () => false, contains: () => false },
  setAttribute() {},
  querySelectorAll: () => [],
});

/** What the scripts find in the global object, with `pass` to let time go by. */
export class World {
  constructor() {
    this.now = 0;
    this.day = 1_800_000_000_000; // what the clock of the day showed when time began
    this.timers = new Map();
    this.next = 1;
    this.sockets = [];
    this.kept = new Map(); // what the browser stores
    this.listeners = new EventTarget();
    this.document = new EventTarget();
    Object.assign(this.document, { hidden: false, baseURI: "http://ludoteca.test/p/1/", documentElement: { lang: "en" }, querySelectorAll: () => [], querySelector: () => null, getElementById: () => element() });
    const world = this;
    const globals = {
      performance: { now: () => world.now, getEntriesByType: () => [] },
      setTimeout: (then, wait = 0, ...told) => world.plan(then, wait, told, 0),
      setInterval: (then, wait = 0, ...told) => world.plan(then, wait, told, wait),
      clearTimeout: (id) => void world.timers.delete(id),
      clearInterval: (id) => void world.timers.delete(id),
      Date: class extends Date {
        static now = () => world.day + world.now;
      },
      WebSocket: class {
        static CLOSED = 3;
        constructor(address) {
          this.address = String(address);
          this.sent = [];
          this.closed = false;
          world.sockets.push(this);
        }
        send(text) {
          this.sent.push(JSON.parse(text));
        }
        close() {
          this.closed = true;
        }
      },
      document: this.document,
      location: new URL("http://ludoteca.test/p/1/"),
      matchMedia: () => ({ matches: false, addEventListener() {} }),
      localStorage: { getItem: (name) => world.kept.get(name) ?? null, setItem: (name, value) => void world.kept.set(name, value) },
      addEventListener: (...told) => world.listeners.addEventListener(...told),
      fetch: () => new Promise(() => {}),
    };
    for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }

  plan(then, wait, told, again) {
    this.timers.set(this.next, { at: this.now + wait, then, told, again });
    return this.next++;
  }

  /** Let so many milliseconds pass, and do what falls due. */
  pass(span) {
    const end = this.now + span;
    for (;;) {
      const due = [...this.timers].filter(([, one]) => one.at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [id, one] = due;
      this.now = Math.max(this.now, one.at);
      if (one.again) one.at += one.again;
      else this.timers.delete(id);
      one.then(...one.told);
    }
    this.now = end;
  }

  /** The connection that was begun last. */
  get socket() {
    return this.sockets.at(-1);
  }

  /** Let the server say something. */
  say(message, socket = this.socket) {
    socket.onmessage?.({ data: JSON.stringify(message) });
  }
}
