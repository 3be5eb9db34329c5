/* The page within Discord: its reader signs in by the client, and the page begins once the server knows them. Then
this follows the client: its layout, who is here, and its language. The token stays in memory, as the base of all
addresses of the page; it stands neither in a cookie nor in the address. */
import { client } from "./discord.js";
import { lookOn } from "./onlooking.js";
/** @import { Answer, Board, Frame, From } from "../protocol" */

const LAYOUTS = ["focused", "pip", "grid"];
const LONGEST = 1500; // milliseconds that the client's language may take
const UNLOCKED = 1;
const PLAYING = 0, LONGEST_DETAIL = 128; // the kind of a presence, and the characters of its line
const root = document.documentElement, asked = new URLSearchParams(location.search);
const SHOW = "show"; // stands in the address after "Show what I play": a connection is authorized but once
const PRESENCE = "rpc.activities.write";
const rpc = client(root.dataset.client ?? "", asked);
// This may begin before the body is there, in which a board may be seen already.
const parsed = new Promise((done) =>
  document.readyState === "loading" ? addEventListener("DOMContentLoaded", done, { once: true }) : done(null),
);
let me = ""; // the reader's id
let shows = false; // whether the reader lets Discord show what they play

/** @param {ArrayBuffer | Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

/** What proves later that the code was asked for by this page (RFC 7636). */
async function proof() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const challenge = base64url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  return { verifier, challenge };
}

/** @typedef {"refused" | "away"} Reason */

/** Say why nobody comes in, with a key to try again; answers where. @param {Reason} reason @param {string} [why] */
async function refuse(reason, why) {
  await parsed;
  const card = /** @type {HTMLElement} */ (document.getElementById("entering"));
  document.body.className = "nameless home";
  const again = document.createElement("button");
  Object.assign(again, { className: "key good", textContent: card.dataset.again, onclick: () => location.reload() });
  /** @type {HTMLElement} */ (card.firstElementChild).textContent = why ?? card.dataset[reason] ?? "";
  card.querySelector("button")?.remove();
  card.append(again);
  return card;
}

async function enter() {
  const { verifier, challenge } = await proof();
  await rpc.ready;
  const instance = asked.get("instance_id") ?? "", named = asked.get("custom_id") ?? "";
  const table = /^[0-9A-Za-z]{4,8}$/.test(named) ? named : "";
  const wish = {
    client_id: root.dataset.client,
    response_type: "code",
    state: "",
    prompt: "none",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  const consent = (/** @type {string[]} */ scope) => rpc.ask("AUTHORIZE", { ...wish, scope }).catch(() => null);
  const given = (asked.has(SHOW) ? await consent(["identify", PRESENCE]) : null) ?? await consent(["identify"]);
  if (!given) {
    return lookOn(await refuse("refused"), instance, table);
  }
  const body = { code: given.code, verifier, instance, table };
  const answer = await fetch("enter", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).then(
    (came) => came.json(),
    () => ({}),
  );
  if (!answer.path) return void refuse("away", answer.said);
  await parsed;
  const [base, at] = answer.path.split("#"), place = document.createElement("base");
  place.href = new URL(base, location.href).href;
  document.head.prepend(place);
  if (at) history.replaceState(null, "", `${location.pathname}${location.search}#${at}`);
  root.dataset.locale = answer.locale;
  await Promise.race([known(answer.access_token), new Promise((done) => setTimeout(done, LONGEST))]);
  await import("./page.js");
  document.getElementById("entering")?.remove();
}

/** Tell the client whom the server knows, and ask it for the reader's language. @param {string} token */
async function known(token) {
  const told = await rpc.tryTo("AUTHENTICATE", { access_token: token });
  me = told?.user?.id ?? "";
  shows = told?.scopes?.includes(PRESENCE) ?? false;
  const spoken = await rpc.tryTo("USER_SETTINGS_GET_LOCALE");
  if (spoken?.locale) root.dataset.locale = spoken.locale;
}

/** @typedef {{ id: string, bot?: boolean, nickname?: string, global_name?: string | null, username: string }} Person */

/** Follow the client: *board* is the one in view, *act* sends a request that is done once, *say* shows a sentence.
 * @param {{ board: () => Board | undefined, act: (frame: Frame, from: From) => void, words: () => Record<string,
 *   string>,
 *   say: (said: string, good?: boolean) => void }} page */
export function within({ board, act, words, say }) {
  const strip = document.createElement("aside");
  strip.className = "around";
  document.body.append(strip);
  let people = /** @type {Person[]} */ ([]);
  let shownNow = ""; // the title that Discord shows

  /** @param {string} label @param {() => void} onclick */
  const key = (label, onclick) =>
    Object.assign(document.createElement("button"), { type: "button", className: "key", textContent: label, onclick });
  const name = (/** @type {Person} */ one) => one.nickname || one.global_name || one.username;

  /** @param {Person} one @param {string} table */
  function invite(one, table) {
    act(
      { kind: "invite", table, code: one.id },
      { told: (/** @type {Answer} */ { said, good }) => say(said, good), quiet: true },
    );
  }

  function draw() {
    if (!words().here) return; // the board may be seen before its words are known
    const others = people.filter((one) => !one.bot && one.id !== me), shown = board();
    const open = shown?.open ? shown : null;
    const who = document.createElement("p");
    who.textContent = `${words().here}: ${others.map(name).join(", ") || "—"}`;
    strip.replaceChildren(
      who,
      ...(open
        ? others.map((one) => key(`${words()["here-invite"]} ${name(one)}`, () => invite(one, open.table)))
        : []),
      key(
        words()["here-more"],
        () => void rpc.tryTo("OPEN_INVITE_DIALOG").then((told) => told === null && share(shown)),
      ),
      key(words()[shows ? "here-hide" : "here-show"], () =>
        shows ? hide() : void location.replace(`${location.pathname}${location.search}&${SHOW}=1${location.hash}`),
      ),
    );
    if (shows && shown?.title && shown.title !== shownNow) show(shown.title);
  }

  /** Let Discord show the game in view. @param {string} title */
  function show(title) {
    shownNow = title;
    void rpc.tryTo("SET_ACTIVITY", {
      activity: { type: PLAYING, details: title.slice(0, LONGEST_DETAIL), timestamps: { start: Date.now() } },
    });
  }

  function hide() {
    shows = false;
    void rpc.tryTo("SET_ACTIVITY", { activity: null });
    draw();
  }

  /**
   * Where there is no such dialog: a link into this Activity, at the board in view.
   * @param {Board | undefined} shown
   */
  const share = (shown) =>
    rpc.tryTo("SHARE_LINK", { message: shown?.title ?? "Ludoteca", ...(shown ? { custom_id: shown.table } : {}) });

  /** @param {{ participants: Person[] } | null} told */
  function here(told) {
    people = told?.participants ?? people;
    draw();
  }

  void rpc.on("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", here);
  void rpc.tryTo("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS").then(here);
  void rpc.on(
    "ACTIVITY_LAYOUT_MODE_UPDATE",
    ({ layout_mode: mode }) => (root.dataset.layout = LAYOUTS[mode] ?? LAYOUTS[0]),
  );
  if (asked.get("platform") === "mobile") void rpc.tryTo("SET_ORIENTATION_LOCK_STATE", { lock_state: UNLOCKED });
  addEventListener("viewed", draw);
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
    if (!link || link.origin === location.origin || !/^https?:$/.test(link.protocol)) return;
    event.preventDefault();
    void rpc.tryTo("OPEN_EXTERNAL_LINK", { url: link.href });
  }, true);
  draw();
}

void enter();
