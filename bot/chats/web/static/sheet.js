/* What the server has written of people or a tournament, as a part of a screen; what goes on there is followed. This
alone is taken as HTML: the server escapes all names in it, and nothing in it is run. */
import { make } from "./dom.js";

const AGAIN = 5000; // milliseconds until it asks again after a failure

let styled = /** @type {Promise<unknown> | null} */ (null);

/** Fetch the style of sheets, once. */
const dress = () =>
  (styled ??= new Promise((done) => {
    const href = new URL("people.css", import.meta.url).href;
    document.head.append(make("link", { rel: "stylesheet", href, load: done }));
  }));

/**
 * The sheet at *path*. *told* is called with its title, *news* when a tournament has gone on, *offline* says why there
 * is none.
 * *press* presses a key, *speak* says something to the house.
 * @param {string} path @param {{ told: (title: string) => void, news: () => void, offline: () => string,
 *   press: (code: string) => void, speak: (line: string) => void }} parts */
export function sheet(path, { told, news, offline, press, speak }) {
  const shown = { class: "sheet", tabindex: -1, "data-path": path };
  const root = make("section", { ...shown, seen: () => void fill(), click: (event) => {
    const key = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-code]"));
    if (key) press(key.dataset.code ?? "");
  }, submit: (event) => {
    event.preventDefault();
    const field = written();
    if (!field) return;
    speak(field.value);
    field.value = "";
  } });
  const written = () => root.querySelector("input");
  const wide = () => [...root.querySelectorAll(".wide")];
  let follows = 0; // the number of the newest wait for news

  async function fill() {
    const mine = ++follows;
    const came = await fetch(`sheets/${path}`, { cache: "no-store" }).catch(() => null);
    if (mine !== follows) return;
    if (!came || ![200, 404].includes(came.status)) {
      root.replaceChildren(make("p", { class: "line", role: "status" }, offline()));
      return void later(fill, mine);
    }
    const { body } = new DOMParser().parseFromString(await came.text(), "text/html");
    await dress();
    const lefts = wide().map((one) => one.scrollLeft);
    for (const link of body.querySelectorAll("a")) link.dataset.place = link.getAttribute("href") ?? "";
    const half = written();
    root.replaceChildren(...body.childNodes);
    const field = written();
    if (half && field) field.value = half.value;
    wide().forEach((one, number) => (one.scrollLeft = lefts[number] ?? 0));
    if (root.querySelector("time")) void import("./door.js");
    told(root.querySelector("h2")?.textContent?.replace(/ · [0-9A-Z]{6}$/, "") ?? "");
    void follow(mine);
  }

  /** Do *then* a while later, unless something newer is done. @param {() => Promise<void>} then @param {number} mine */
  async function later(then, mine) {
    await new Promise((done) => setTimeout(done, AGAIN));
    if (root.isConnected && mine === follows) await then();
  }

  /**
   * Wait for news for as long as the sheet is in view and this wait is the newest (*mine*).
   * @param {number} mine
   * @returns {Promise<void>}
   */
  async function follow(mine) {
    const version = root.querySelector("[data-version]")?.getAttribute("data-version");
    if (!version || !root.isConnected || mine !== follows) return;
    const came = await fetch(`sheets/${path}/news?after=${version}`, { cache: "no-store" }).catch(() => null);
    if (mine !== follows) return;
    if (came?.status === 200) {
      news();
      return fill();
    }
    return came?.status === 204 ? follow(mine) : later(() => follow(mine), mine);
  }

  void fill();
  return root;
}
