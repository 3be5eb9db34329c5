/* The state that was sent with the page itself, shown before the server answers. */
import { theme } from "./theme.js";
/** @import { State } from "../protocol" */

/**
 * Load the page anew where its scripts are older than the server's; answers whether it does. A page that is old all
 * the
 * same, as with a proxy that keeps what it should not, goes on. @param {string | undefined} scripts */
export function outdated(scripts) {
  const mine = /\/static\/([0-9a-f]{12})\//.exec(import.meta.url)?.[1];
  if (!scripts || !mine || scripts === mine) return false;
  try {
    if (sessionStorage.getItem("renewed") === scripts) return false;
    sessionStorage.setItem("renewed", scripts);
  } catch {
    return false;
  }
  location.reload();
  return true;
}

let known = "";

/**
 * Load the page anew where an older database has taken the place of the one it shows, as after a restore: versions
 * count
 * from there again. Answers whether it does. @param {string} lineage */
export function rewound(lineage) {
  const other = known && lineage !== known;
  known = lineage;
  if (other) location.reload();
  return Boolean(other);
}

/** Show the state that came with the page by *take*, unless the server was sooner.
 * @param {(state: State) => void} take @param {() => boolean} late */
export function takeState(take, late) {
  const told = document.getElementById("state");
  if (!told) return;
  const state = JSON.parse(told.textContent ?? "");
  told.remove();
  if (state.theme === theme() && !late()) take(state);
}
