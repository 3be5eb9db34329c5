/* Calls a player who is not looking at the page: a mark on its icon, a sound, a notification. */

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
/** @type {AudioContext | null} */
let audio = null;

// A page may sound only once somebody has touched it.
for (const touched of ["pointerdown", "keydown"]) {
  addEventListener(touched, () => void (audio ??= new AudioContext()).resume(), { passive: true });
}

/** Mark the icon of the page while *count* tables wait for the player.
 * @param {number} count */
export function badge(count) {
  const wanted = count ? "/static/icon-turn.svg" : "/static/icon.svg";
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
  if (count) void navigator.setAppBadge?.(count).catch(() => {});
  else void navigator.clearAppBadge?.().catch(() => {});
}

/** Call the player to *table* in *words*, if he does not look at the page; a click brings him there.
 * @param {string} words @param {string} table @param {() => void} come */
export function call(words, table, come) {
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  sound();
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification("Ludoteca", { body: words, icon: "/static/icon.svg", tag: table });
  shown.onclick = () => {
    shown.close();
    window.focus();
    come();
  };
}

/** Two short notes. */
function sound() {
  if (audio?.state !== "running") return;
  for (const [pitch, begin] of [[660, 0], [880, 0.14]]) {
    const note = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + begin;
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.12, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
    note.connect(loud).connect(audio.destination);
    note.start(at);
    note.stop(at + 0.18);
  }
}

/** Let *button* ask whether the page may notify; it is there while that is not decided.
 * @param {HTMLElement} button */
export function asking(button) {
  const open = () => "Notification" in window && Notification.permission === "default";
  button.hidden = !open();
  button.addEventListener("click", () => void Notification.requestPermission().then(() => (button.hidden = !open())));
}
