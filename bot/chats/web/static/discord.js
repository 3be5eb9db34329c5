/* The messages between the page and the Discord client around it, as Discord's Embedded App SDK 2.5 sends them.

The SDK itself would need a bundler, and most of it is checks of what it receives; these few messages are all we use.
Source: https://github.com/discord/embedded-app-sdk (Discord.ts). */

const HANDSHAKE = 0, FRAME = 1, CLOSE = 2;
const VERSION = "2.5.0"; // the SDK whose messages these are; phones before 250 do not know the field
const KNOWS_VERSION = 250;
const HOSTS = [
  "https://discord.com",
  "https://discordapp.com",
  "https://ptb.discord.com",
  "https://ptb.discordapp.com",
  "https://canary.discord.com",
  "https://canary.discordapp.com",
  "https://staging.discord.co",
  "https://pax.discord.com",
  "http://localhost:3333",
];

/**
 * What Discord refuses: with 4002 an older client does not know the command.
 * @typedef {{ code: number, message: string }} Refusal
 */

/** A UUID for a request. */
const nonce = () => crypto.randomUUID();

/** The client's origin, where the browser tells it; else any, until the client has spoken. */
function told() {
  try {
    const { origin } = new URL(document.referrer);
    return HOSTS.includes(origin) ? origin : "*";
  } catch {
    return "*";
  }
}

/** A connection with the client: *id* is our application, *asked* the page's address.
 * @param {string} id @param {URLSearchParams} asked */
export function client(id, asked) {
  const host = /** @type {Window} */ (parent.opener ?? parent); // a popped out frame has the client behind its opener
  let origin = told();
  const waiting = /** @type {Map<string, { done: (data: any) => void, failed: (why: Refusal) => void }>} */ (new Map());
  const heard = /** @type {Map<string, (data: any) => void>} */ (new Map());
  let opened = /** @type {() => void} */ (() => {});
  const ready = /** @type {Promise<void>} */ (new Promise((done) => (opened = done)));

  /** @param {object} frame */
  function send(frame) {
    const wish = nonce();
    const answered = new Promise((done, failed) => waiting.set(wish, { done, failed }));
    host.postMessage([FRAME, { ...frame, nonce: wish }], origin);
    return answered;
  }

  addEventListener("message", (event) => {
    if (event.source !== host || !HOSTS.includes(event.origin) || !Array.isArray(event.data)) return;
    if (origin === "*") origin = event.origin; // what follows is for the client alone
    const [kind, frame] = event.data;
    if (kind === CLOSE) dispatchEvent(new Event("discord-closed"));
    if (kind !== FRAME || !frame) return;
    if (frame.cmd === "DISPATCH") {
      if (frame.evt === "READY") opened();
      else heard.get(frame.evt)?.(frame.data);
      return;
    }
    const wish = waiting.get(frame.nonce);
    waiting.delete(frame.nonce);
    if (frame.evt === "ERROR") wish?.failed(frame.data);
    else wish?.done(frame.data);
  });

  const phone = Number.parseInt(asked.get("mobile_app_version") ?? "");
  const known = asked.get("platform") === "desktop" || phone >= KNOWS_VERSION;
  const hello = {
    v: 1,
    encoding: "json",
    client_id: id,
    frame_id: asked.get("frame_id"),
    ...(known ? { sdk_version: VERSION } : {}),
  };
  host.postMessage([HANDSHAKE, hello], origin);

  return {
    ready,
    /**
     * Ask for *cmd*; fails as Discord refuses it.
     * @param {string} cmd
     * @param {object} [args]
     * @returns {Promise<any>}
     */
    ask: (cmd, args) => send({ cmd, args }),
    /**
     * The same for what an older client may lack: null then.
     * @param {string} cmd
     * @param {object} [args]
     * @returns {Promise<any>}
     */
    tryTo: (cmd, args) => send({ cmd, args }).catch(() => null),
    /** Hear *evt* by *take*, where the client knows it. @param {string} evt @param {(data: any) => void} take */
    on(evt, take) {
      heard.set(evt, take);
      return send({ cmd: "SUBSCRIBE", args: undefined, evt }).catch(() => null);
    },
  };
}
