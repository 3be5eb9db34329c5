/* The page within Telegram: it sends the server what Telegram signed, then follows the app's theme, and the
app's back button leads to where games are chosen.

Telegram's own script is not loaded, since these few messages are all we need of its protocol
(core.telegram.org/api/web-events). */
/** @import { Signal } from "./signals.js" */
const HOSTS = ["https://web.telegram.org", "https://webk.telegram.org", "https://weba.telegram.org"];
const COLOUR = /^#[\da-f]{6}$/i;
const hall = /** @type {any} */ (window), proxy = hall.TelegramWebviewProxy;
const heard = /** @type {Record<string, (told: any) => void>} */ ({
  reload_iframe() {
    tell("iframe_will_reload");
    location.reload();
  },
});

/** Send an event to the Telegram app. @param {string} eventType @param {object} eventData */
function tell(eventType, eventData = {}) {
  if (proxy) proxy.postEvent(eventType, JSON.stringify(eventData));
  else if (parent !== window)
    for (const host of HOSTS) parent.postMessage(JSON.stringify({ eventType, eventData }), host);
}

/** Ask the Telegram app for something that takes no data. @param {string} eventType */
export const ask = (eventType) => tell(eventType);

/** Handle an event of the Telegram app. @param {string} eventType @param {unknown} told */
const hear = (eventType, told) => Object.hasOwn(heard, eventType) && heard[eventType](told ?? {});

addEventListener("message", (event) => {
  if (event.source !== parent || !HOSTS.includes(event.origin)) return;
  let told;
  try {
    told = JSON.parse(event.data);
  } catch {
    return; // Not a message of Telegram.
  }
  hear(told?.eventType, told?.eventData);
});
// Telegram's apps call this function by its name.
hall.Telegram = { WebView: { receiveEvent: hear } };
hall.TelegramGameProxy = { receiveEvent: hear };
hall.TelegramGameProxy_receiveEvent = hear;

/** Keep the theme of the launch for the page, which would be light at first. @param {string} params */
function remember(params) {
  try {
    const { bg_color: ground } = JSON.parse(params);
    if (COLOUR.test(ground)) sessionStorage.setItem("around", isDark(ground) ? "dark" : "light");
  } catch {
    // The launch tells no theme, or nothing can be kept here: the app tells it once more.
  }
}

async function enter() {
  const launch = new URLSearchParams(location.hash.slice(1)), asked = new URLSearchParams(location.search);
  const signed = launch.get("tgWebAppData") ?? "";
  tell("iframe_ready", { reload_supported: true });
  tell("web_app_ready");
  tell("web_app_expand");
  const answer = await fetch("/m/enter", {
    method: "POST",
    headers: { Authorization: `tma ${signed}`, "X-Table": asked.get("table") ?? "" },
  });
  const { path, said, close } = await answer.json();
  if (path) {
    remember(launch.get("tgWebAppThemeParams") ?? "");
    location.replace(path);
    return;
  }
  const shown = /** @type {HTMLElement} */ (document.getElementById("said")), key = document.createElement("button");
  shown.textContent = said;
  Object.assign(key, { className: "key", textContent: close, onclick: () => tell("web_app_close") });
  shown.after(key);
}

/** Whether the colour `#RRGGBB` is dark, by the perceived brightness of its parts. @param {string} colour */
function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return Math.sqrt(0.299 * red ** 2 + 0.587 * green ** 2 + 0.114 * blue ** 2) < 120;
}

/** What a device lets the player feel of what happens. @type {Record<Signal, object>} */
const FELT = {
  select: { type: "selection_change" },
  move: { type: "impact", impact_style: "light" },
  capture: { type: "impact", impact_style: "heavy" },
  check: { type: "notification", notification_type: "warning" },
  roll: { type: "impact", impact_style: "medium" },
  turn: { type: "notification", notification_type: "success" },
  refused: { type: "notification", notification_type: "error" },
  low: { type: "notification", notification_type: "warning" },
  won: { type: "notification", notification_type: "success" },
  over: { type: "impact", impact_style: "soft" },
};

/** Take the theme that Telegram tells: the page's, and of the app's own bars the same colours.
 * @param {{ bg_color?: unknown } | undefined} worn @param {(theme: string) => void} blend */
function wear(worn, blend) {
  if (typeof worn?.bg_color !== "string" || !COLOUR.test(worn.bg_color)) return;
  blend(isDark(worn.bg_color) ? "dark" : "light");
  const paper = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
  const color = `#${paper.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  tell("web_app_set_header_color", { color });
  tell("web_app_set_background_color", { color });
}

/**
 * Follow the Telegram app: *blend* takes its theme, *back* handles its back button, *whenSignalled* tells what
 * happens.
 * @param {(theme: string) => void} blend @param {() => void} back
 * @param {(take: (one: Signal) => void) => void} whenSignalled */
export function within(blend, back, whenSignalled) {
  heard.theme_changed = ({ theme_params: worn }) => wear(worn, blend);
  heard.back_button_pressed = back;
  tell("web_app_request_theme");
  // A piece that is dragged down must not fold the app up.
  tell("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
  whenSignalled((one) => tell("web_app_trigger_haptic_feedback", FELT[one]));
  const { classList } = document.body, board = document.getElementById("board");
  const shown = () => tell("web_app_setup_back_button", { is_visible: !classList.contains("home") });
  new MutationObserver(shown).observe(document.body, { attributeFilter: ["class"] });
  shown();
  let asks = false;
  // A slip of the thumb does not close a game that is played.
  const closing = () => {
    const now = !classList.contains("home") && !board?.classList.contains("over");
    if (now !== asks) tell("web_app_setup_closing_behavior", { need_confirmation: now });
    asks = now;
  };
  const watching = new MutationObserver(closing);
  for (const one of [document.body, board]) if (one) watching.observe(one, { attributeFilter: ["class"] });
  closing();
}

if (location.pathname === "/m/") void enter();
