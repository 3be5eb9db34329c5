/* Our messages to the Discord client, held against the unmodified Embedded App SDK: both are loaded into the same fake
frame, do the same, and must send the same and take the same answers. Skipped where npm has not installed the SDK. */
import assert from "node:assert/strict";
import { test } from "node:test";

const CLIENT = "5150", HOST = "https://discord.com";
const QUERIES = {
  desktop: "?instance_id=i-1&frame_id=f-1&platform=desktop&channel_id=3&guild_id=2",
  "a phone": "?instance_id=i-1&frame_id=f-1&platform=mobile&mobile_app_version=300.0&channel_id=3",
  "an old phone": "?instance_id=i-1&frame_id=f-1&platform=mobile&mobile_app_version=249.9&channel_id=3",
};
/** A frame within a client that keeps what it is sent. */
class Frame {
  constructor(query, referrer = `${HOST}/`) {
    this.sent = [];
    this.events = new EventTarget();
    this.host = { postMessage: (message, origin) => this.sent.push({ message: JSON.parse(JSON.stringify(message)), origin }) };
    const at = new URL(`https://${CLIENT}.discordsays.com/${query}`);
    const hall = { parent: this.host, location: at, addEventListener: this.events.addEventListener.bind(this.events), removeEventListener() {} };
    for (const [name, value] of Object.entries({ window: hall, parent: this.host, location: at, document: { referrer }, addEventListener: hall.addEventListener, dispatchEvent: () => true })) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  /** What the client says. */
  say(data, origin = HOST, source = this.host) {
    this.events.dispatchEvent(Object.assign(new Event("message"), { data, origin, source }));
  }

  ready() {
    this.say([1, { cmd: "DISPATCH", evt: "READY", data: { v: 1, config: { cdn_host: "c", api_endpoint: "a", environment: "production" } }, nonce: null }]);
  }

  /** Answer the latest request. */
  answer(data, evt = null) {
    const [, frame] = this.sent.at(-1).message;
    this.say([1, { cmd: frame.cmd, data, evt, nonce: frame.nonce }]);
  }

  /** What was sent, with one name for all nonces. */
  plain() {
    return this.sent.map(({ message: [kind, frame] }) => [kind, { ...frame, ...(frame.nonce ? { nonce: "n" } : {}) }]);
  }
}

// The SDK looks at the window as it is loaded.
void new Frame(QUERIES.desktop);
const sdks = await import("@discord/embedded-app-sdk").catch(() => null);
const skip = sdks ? false : "npm install brings the SDK";

/** The SDK in *frame*. */
async function theirs(frame) {
  const sdk = new sdks.DiscordSDK(CLIENT, { disableConsoleLogOverride: true });
  const ask = { AUTHORIZE: "authorize", AUTHENTICATE: "authenticate", OPEN_EXTERNAL_LINK: "openExternalLink", OPEN_INVITE_DIALOG: "openInviteDialog", SHARE_LINK: "shareLink", USER_SETTINGS_GET_LOCALE: "userSettingsGetLocale", GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: "getInstanceConnectedParticipants", SET_ORIENTATION_LOCK_STATE: "setOrientationLockState", SET_ACTIVITY: "setActivity" };
  return { frame, ready: sdk.ready(), ask: (cmd, args) => sdk.commands[ask[cmd]](args), on: (evt, take) => sdk.subscribe(evt, take) };
}

/** Ours in *frame*. */
async function ours(frame) {
  const { client } = await import("../../bot/chats/web/static/discord.js");
  return { frame, ...client(CLIENT, new URLSearchParams(location.search)) };
}

const made = [ours, theirs];

/** What each of both sends and gets where *act* is done with it. */
async function both(query, act) {
  const found = [];
  for (const make of made) {
    const frame = new Frame(query);
    const rpc = await make(frame);
    found.push({ got: await act(rpc, frame), sent: frame.plain(), origins: frame.sent.map(({ origin }) => new URL(origin).origin) });
  }
  return found;
}

for (const [name, query] of Object.entries(QUERIES)) {
  test(`the handshake is the SDK's on ${name}`, { skip }, async () => {
    const [mine, its] = await both(query, async (rpc, frame) => {
      frame.ready();
      await rpc.ready;
    });
    assert.deepEqual(mine, its);
    assert.equal(mine.sent[0][0], 0);
  });
}

const COMMANDS = [
  ["AUTHORIZE", { client_id: CLIENT, response_type: "code", state: "", prompt: "none", scope: ["identify"] }, { code: "c" }],
  ["AUTHENTICATE", { access_token: "t" }, { access_token: "t", user: { id: "1", username: "a", discriminator: "0", public_flags: 0 }, scopes: ["identify"], expires: "2026-12-01T00:00:00Z", application: { id: CLIENT, name: "l", description: "" } }],
  ["USER_SETTINGS_GET_LOCALE", undefined, { locale: "es-ES" }],
  ["GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS", undefined, { participants: [] }],
  ["OPEN_EXTERNAL_LINK", { url: "https://example.org" }, { opened: true }],
  ["OPEN_INVITE_DIALOG", undefined, null],
  ["SHARE_LINK", { message: "Niya", custom_id: "ABCDEF" }, { success: true, didCopyLink: false, didSendMessage: true }],
  ["SET_ORIENTATION_LOCK_STATE", { lock_state: 1 }, null],
  ["SET_ACTIVITY", { activity: { type: 0, details: "Niya", timestamps: { start: 1 } } }, { type: 0, name: "Ludoteca", details: "Niya" }],
  ["SET_ACTIVITY", { activity: null }, { type: 0, name: "Ludoteca" }],
];

for (const [cmd, args, data] of COMMANDS) {
  test(`${cmd} is asked and answered as by the SDK`, { skip }, async () => {
    const [mine, its] = await both(QUERIES["a phone"], async (rpc, frame) => {
      frame.ready();
      await rpc.ready;
      const asked = rpc.ask(cmd, args);
      frame.answer(data);
      await asked;
    });
    // The SDK names what it leaves to the client's defaults.
    assert.deepEqual(mine.sent[1][1].cmd, its.sent[1][1].cmd);
    for (const [key, value] of Object.entries(mine.sent[1][1].args ?? {})) assert.deepEqual(its.sent[1][1].args[key], value);
    assert.deepEqual(mine.origins, its.origins);
  });
}

test("a refusal comes as the SDK tells it", { skip }, async () => {
  const [mine, its] = await both(QUERIES.desktop, async (rpc, frame) => {
    frame.ready();
    await rpc.ready;
    const asked = rpc.ask("OPEN_INVITE_DIALOG");
    frame.answer({ code: 4002, message: "Invalid command" }, "ERROR");
    return asked.catch(({ code, message }) => ({ code, message }));
  });
  assert.deepEqual(mine.got, { code: 4002, message: "Invalid command" });
  assert.deepEqual(mine.got, its.got);
});

test("an event is subscribed to and heard as by the SDK", { skip }, async () => {
  const [mine, its] = await both(QUERIES.desktop, async (rpc, frame) => {
    frame.ready();
    await rpc.ready;
    const heard = [], asked = rpc.on("ACTIVITY_LAYOUT_MODE_UPDATE", (told) => heard.push(told));
    frame.answer({ evt: "ACTIVITY_LAYOUT_MODE_UPDATE" });
    await asked;
    frame.say([1, { cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", data: { layout_mode: 1 }, nonce: null }]);
    return heard;
  });
  assert.deepEqual(mine, its);
  assert.deepEqual(mine.got, [{ layout_mode: 1 }]);
});

test("what does not come from the client is not heard", async () => {
  const frame = new Frame(QUERIES.desktop), rpc = await ours(frame);
  let open = false;
  void rpc.ready.then(() => (open = true));
  const ready = [1, { cmd: "DISPATCH", evt: "READY", data: {}, nonce: null }];
  frame.say(ready, "https://evil.example");
  frame.say(ready, `https://${CLIENT}.discordsays.com`);
  frame.say(ready, HOST, {});
  frame.say("no tuple");
  frame.say([1, null]);
  await Promise.resolve();
  assert.equal(open, false);
  frame.ready();
  await rpc.ready;
});

test("what the browser does not tell of the client is learned from its first word", async () => {
  const frame = new Frame(QUERIES.desktop, ""), rpc = await ours(frame);
  assert.equal(frame.sent[0].origin, "*");
  frame.ready();
  await rpc.ready;
  void rpc.ask("AUTHENTICATE", { access_token: "t" });
  assert.equal(frame.sent[1].origin, HOST);
});

test("a foreign page around the frame is told nothing", async () => {
  const frame = new Frame(QUERIES.desktop, "https://evil.example/"), rpc = await ours(frame);
  void rpc.ready;
  assert.deepEqual(Object.keys(frame.sent[0].message[1]).sort(), ["client_id", "encoding", "frame_id", "sdk_version", "v"]);
  frame.say([1, { cmd: "DISPATCH", evt: "READY", data: {}, nonce: null }], "https://evil.example");
  assert.equal(frame.sent.length, 1);
});

test("what an older client lacks is a missing feature and no error", async () => {
  const frame = new Frame(QUERIES.desktop), rpc = await ours(frame);
  frame.ready();
  await rpc.ready;
  const asked = rpc.tryTo("SHARE_LINK", { message: "x" });
  frame.answer({ code: 4002, message: "Invalid command: SHARE_LINK" }, "ERROR");
  assert.equal(await asked, null);
});
