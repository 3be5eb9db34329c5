/* Notifies a player who does not look at the page: by the icon, a sound, a notification. */
import { signal } from "./signals.js";
/** @import { Hall } from "../protocol" */

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
let shownCount = 0; // how many waiting tables the icon shows

/** Mark the icon of the page while *count* tables wait for the player.
 * @param {number} count */
export function badge(count) {
  if (count === shownCount) return;
  shownCount = count;
  icon.href = new URL(count ? "icon-turn.svg" : "icon.svg", import.meta.url).href;
  if (count) void navigator.setAppBadge?.(count).catch(() => {});
  else void navigator.clearAppBadge?.().catch(() => {});
}

/** Notify the player of *table* in *words*, unless they look at the page; a click opens the table.
 * @param {string} words @param {string} table @param {() => void} come */
export function call(words, table, come) {
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  const silent = table.includes("/"); // a reminder of the move of the day, by its path
  if (!silent) signal("turn");
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const sign = new URL("icon.svg", import.meta.url).href;
  const shown = new Notification("Ludoteca", { body: words, icon: sign, tag: table, silent });
  shown.onclick = () => {
    shown.close();
    window.focus();
    come();
  };
}

/** Let *button* ask for permission to notify, also while the page is closed where the browser can; it
 * is shown while that is undecided. @param {HTMLElement} button @param {Hall["ask"]} ask */
export function asking(button, ask) {
  const open = () => "Notification" in window && Notification.permission === "default";
  button.hidden = !open();
  button.addEventListener("click", () => void Notification.requestPermission().then((answer) => {
    button.hidden = !open();
    if (answer === "granted") ask({ kind: "devices" }, (known) => void callHere(ask, known.push?.key ?? ""));
  }));
}

/** @param {Hall["ask"]} ask @param {string} key */
async function callHere(ask, key) {
  const { subscribe } = await import("./push.js");
  await subscribe(ask, key, () => {});
}
