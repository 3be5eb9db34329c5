/* The conversation at each table: typed lines, answers, and cards such as a page of the rules. */
import { byId, make, write } from "./dom.js";
import { announce, lend, say, tab, tell, turnTo } from "./pane.js";
import { keepingFocus, screen } from "./screen.js";
/** @import { Answer, Button, From, Screen, State } from "../protocol" */

const talk = byId("talk");

/**
 * *view* is the table in view, *press* presses a button of a card.
 * @param {{ words: () => State["words"], view: () => string, press: (button: Button, card: HTMLElement) => void }} parts
 */
export function flowing({ words, view, press }) {
  const flows = /** @type {Map<string, HTMLElement>} */ (new Map());
  const last = /** @type {WeakMap<HTMLElement, Screen>} */ (new WeakMap()); // what each card shows
  const cards = /** @type {WeakMap<HTMLElement, ReturnType<typeof screen>>} */ (new WeakMap());

  /** @param {string} code */
  function of(code) {
    const flow = flows.get(code) ?? make("div", { class: "flow" });
    flow.dataset.empty = words()["talk-empty"] ?? "";
    flows.set(code, flow);
    return flow;
  }

  /** @template {HTMLElement} Part @param {Part} element @param {string} table */
  function add(element, table) {
    const flow = of(table);
    if (!table && element.matches(".card:not(#games, #asked)")) aside(flow);
    flow.append(element);
    while (flow.childElementCount > 200) flow.firstElementChild?.remove();
    if (table === view()) turnToWord(element);
    return element;
  }

  /** Show the picture of the game that *card* is about above its words. @param {HTMLElement} card @param {string} address */
  function cover(card, address) {
    const old = card.querySelector(":scope > .banner");
    if (old?.getAttribute("src") === address) return;
    old?.remove();
    if (address) card.prepend(make("img", { class: "banner", src: address, alt: "", width: 320, height: 320 }));
  }

  /** Let a card that comes where games are chosen stand alone, with a way back to the games. @param {HTMLElement} flow */
  function aside(flow) {
    if (flow.querySelector(":scope > .back") || !flow.querySelector(":scope > #games")) return;
    flow.append(make("button", { class: "back", click: () => home(flow) }, words().back));
  }

  /** Show the games again. @param {HTMLElement} flow */
  function home(flow) {
    for (const one of flow.querySelectorAll(":scope > .back, :scope > .back ~ *")) one.remove();
    /** @type {HTMLElement | null} */ (flow.querySelector(":scope > #games"))?.focus({ preventScroll: true });
    talk.scrollTop = 0;
  }

  /** Scroll to *element*, which was added at the table in view. @param {HTMLElement} element */
  function turnToWord(element) {
    if (view() && tab() !== "talk") turnTo("talk");
    // A card that stands alone is seen with the way back above it.
    if (element.previousElementSibling?.matches(".back")) talk.scrollTop = 0;
    else talk.scrollTop = element.offsetHeight + 16 > talk.clientHeight ? element.offsetTop - talk.offsetTop - 8 : talk.scrollHeight;
  }

  /** A link to copy and to share. @param {string} address */
  function link(address) {
    /** @type {HTMLInputElement} */
    const field = make("input", { class: "link", readonly: true, "aria-label": words()["link-here"], focus: () => field.select() });
    field.value = address;
    const done = make("small", { class: "copied", role: "status" });
    const copied = () => write(done, words().copied);
    const byHand = () => {
      field.focus();
      // An old way that needs no permission, only the player's press.
      if (document.execCommand("copy")) copied();
      else write(done, words()["copy-by-hand"]);
    };
    const keys = make("div", { class: "more" }, make("button", { class: "key", click: () => copy(address, copied, byHand) }, words()["copy-key"]));
    if (navigator.share) {
      const share = () => void navigator.share({ title: "Ludoteca", url: address }).catch(() => {});
      keys.append(make("button", { class: "key good", click: share }, words().share));
    }
    copy(address, copied, () => {});
    return [field, keys, done];
  }

  /** @param {string} text @param {() => void} done @param {() => void} refused */
  function copy(text, done = () => say(words().copied), refused = () => say(text, true, true)) {
    if (navigator.clipboard) void navigator.clipboard.writeText(text).then(done, refused);
    else refused();
  }

  return {
    of,
    add,
    copy,
    /** Show an answer at *table*. @param {Answer} answer @param {string} table */
    said({ good, said, file, link: address, seen, note }, table) {
      const bubble = add(make("div", { class: good ? "say" : "say bad" }, said), table);
      if (address) bubble.append(...link(address));
      if (seen) bubble.append(make("img", { class: seen.kind, src: seen.picture, width: seen.width, height: seen.height, alt: seen.alt }));
      if (note) bubble.append(make("small", { class: "note" }, note));
      if (file) bubble.append(make("a", { class: "key", href: file.href, download: file.name }, `${words().download} ${file.name}`));
      if (seen?.kind === "film" && table && table === view()) lend();
      turnToWord(bubble);
      announce(note ? `${said} ${note}` : said);
    },
    /** Show on *card* once more what it showed: an option that is refused is not chosen. @param {HTMLElement} card */
    again(card) {
      const told = last.get(card);
      if (told) cards.get(card)?.show(told, null);
    },
    /** Show a screen that belongs to no table, such as a page of the rules.
     * @param {Screen} told @param {Answer} answer @param {From} from @param {string} at */
    card(told, answer, from, at) {
      const card = answer.menu && from.card ? from.card : make("article", { class: "card", tabindex: "-1" });
      let parts = cards.get(card);
      if (!parts) {
        const none = () => {};
        parts = screen({ words, press: (pressed) => press(pressed, card), end: none, cancel: none, point: none, swipe: none, lost: none });
        cards.set(card, parts);
        card.append(parts.head, parts.said, parts.pic, parts.form, parts.acts);
      }
      const { show: fill } = parts;
      // A poster tells the game already.
      cover(card, told.picture ? "" : told.cover ?? "");
      keepingFocus(card, () => fill(told, null));
      last.set(card, told);
      if (card === from.card) card.scrollIntoView({ block: "nearest" });
      else add(card, at);
      tell(told);
    },
  };
}
