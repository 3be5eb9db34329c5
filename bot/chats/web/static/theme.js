/* The theme of the page: the system's, unless the player or the app around the page chooses another. */
import { inTelegram } from "./address.js";
import { remembered } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const CHANGED = "themed";
let around = atLaunch(); // the theme of the app around the page

/** The theme that the app around the page had at its launch. */
function atLaunch() {
  try {
    return inTelegram() ? sessionStorage.getItem("around") ?? "" : "";
  } catch {
    return "";
  }
}

/** Put the present theme on. */
export function wear() {
  const worn = remembered("theme") || around;
  if (worn) document.documentElement.dataset.theme = worn;
  else delete document.documentElement.dataset.theme;
}

/** The present theme: `light` or `dark`. */
export const theme = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");

/** The theme chosen on this device: `light`, `dark`, or empty. */
export const wished = () => remembered("theme");

/** Choose *wanted* on this device; empty for the theme of the system or the app. @param {string} wanted */
export function wish(wanted) {
  remembered("theme", wanted);
  changed();
}

/** Follow the theme of the app around the page. @param {string} worn */
export function blend(worn) {
  around = worn;
  changed();
}

function changed() {
  wear();
  dispatchEvent(new Event(CHANGED));
}

/** Call *told* when the theme changes. @param {() => void} told */
export function whenThemed(told) {
  addEventListener(CHANGED, told);
  dark.addEventListener("change", told);
}
