/* The page within Telegram: it sends the server what Telegram signed, then follows the app's theme, and the
app's back button leads to where games are chosen.

Telegram's own script is not loaded, since these few messages are all we need of its protocol
(core.telegram.org/api/web-events). */
const HOSTS = ["https://web.telegram.org", "https://webk.telegram.org", "https://weba.telegram.org"];
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
  else if (parent !== window) for (const host of HOSTS) parent.postMessage(JSON.stringify({ eventType, eventData }), host);
}

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

async function enter() {
  const launch = new URLSearchParams(location.hash.slice(1)), asked = new URLSearchParams(location.search);
  const signed = launch.get("tgWebAppData") ?? "";
  tell("iframe_ready", { reload_supported: true });
  tell("web_app_ready");
  tell("web_app_expand");
  const answer = await fetch("/m/enter", { method: "POST", headers: { Authorization: `tma ${signed}`, "X-Table": asked.get("table") ?? "" } });
  const { path, said } = await answer.json();
  if (path) location.replace(path);
  else /** @type {HTMLElement} */ (document.getElementById("said")).textContent = said;
}

/** Whether the colour `#RRGGBB` is dark, by the perceived brightness of its parts. @param {string} colour */
function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return Math.sqrt(0.299 * red ** 2 + 0.587 * green ** 2 + 0.114 * blue ** 2) < 120;
}

/** Follow the Telegram app: *blend* takes its theme, *back* handles its back button.
 * @param {(theme: string) => void} blend @param {() => void} back */
export function within(blend, back) {
  heard.theme_changed = ({ theme_params: worn }) => /^#[\da-f]{6}$/i.test(worn?.bg_color) && blend(isDark(worn.bg_color) ? "dark" : "light");
  heard.back_button_pressed = back;
  tell("web_app_request_theme");
  const { classList } = document.body, shown = () => tell("web_app_setup_back_button", { is_visible: !classList.contains("home") });
  new MutationObserver(shown).observe(document.body, { attributeFilter: ["class"] });
  shown();
}

if (location.pathname === "/m/") void enter();
