/* What this page is dressed in: as the system wishes, unless its reader or the app around it says otherwise. */
import { remembered } from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const CHANGED = "themed";
let around = ""; // what the app around us is dressed in

function wear() {
  const worn = remembered("theme") || around;
  if (worn) document.documentElement.dataset.theme = worn;
  else delete document.documentElement.dataset.theme;
}

/** What is worn: `light` or `dark`. */
export const theme = () => document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");

/** What was wished on this device: `light`, `dark`, or nothing. */
export const wished = () => remembered("theme");

/** Wear *wanted* on this device from now on; for nothing, what system or app around wish. @param {string} wanted */
export function wish(wanted) {
  remembered("theme", wanted);
  changed();
}

/** Be dressed as the app around us. @param {string} worn */
export function blend(worn) {
  around = worn;
  changed();
}

function changed() {
  wear();
  dispatchEvent(new Event(CHANGED));
}

/** Hear when something else is worn. @param {() => void} told */
export function whenThemed(told) {
  addEventListener(CHANGED, told);
  dark.addEventListener("change", told);
}

wear();
