/* What is said on each screen: the conversation at a table, and elsewhere the cards of that screen. */
import { make, signed } from "./dom.js";
import { announce, lend, say, tab, talk, tell, turnTo } from "./pane.js";
import { screen } from "./screen.js";
/** @import { Answer, Button, From, Screen, State } from "../protocol" */


const FILES = /** @type {Record<string, string>} */ ({ png: "image/png", gif: "image/gif", webp: "image/webp" });

/** The code that ends a headline, such as that of a puzzle. */
const CODES = /( ·)? [0-9A-Z]{6}$/;

/** Whether the screen *at* is a table. @param {string} at */
const isTable = (at) => /^[0-9A-Z]/.test(at);

/**
 * *room* names the screen in view, *press* presses a button of a card.
 * @param {{ words: () => State["words"], room: () => string,
 *   game: (key: string) => State["games"][number] | undefined, press: (button: Button, card: HTMLElement) => boolean |
 *   void, replay: (film: string) => void }} parts *replay* plays the game of a film on its board
 */
export function flowing({ words, room, game, press, replay }) {
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

  /** @template {HTMLElement} Part @param {Part} element @param {string} at the screen */
  function add(element, at) {
    const flow = of(at);
    const below = flow.querySelector(":scope > .sheet");
    if (below) below.before(element);
    else if (at || element.matches("#games, #asked")) flow.append(element);
    else alone(flow, element);
    while (flow.childElementCount > 200) flow.firstElementChild?.remove();
    if (at === room()) turnToWord(element);
    return element;
  }

  /**
   * Let an answer stand above the games, in place of an older one.
   * @param {HTMLElement} flow
   * @param {HTMLElement} element
   */
  function alone(flow, element) {
    for (const old of flow.querySelectorAll(":scope > :not(#games, #asked)")) old.remove();
    flow.prepend(element);
  }

  /**
   * Show the picture of the game that *card* is about above its words.
   * @param {HTMLElement} card
   * @param {string} address
   */
  function cover(card, address) {
    const old = card.querySelector(":scope > .banner");
    if (old?.getAttribute("src") === address) return;
    old?.remove();
    if (address) card.prepend(make("img", { class: "banner", src: address, alt: "", width: 320, height: 320 }));
  }

  /** Scroll to *element*, which was added on the screen in view. @param {HTMLElement} element */
  function turnToWord(element) {
    if (isTable(room()) && tab() !== "talk") turnTo("talk");
    const top = element.offsetTop - talk.offsetTop - 8;
    if (!isTable(room())) talk.scrollTop = element.previousElementSibling?.matches(":not(.back)") ? top : 0;
    else talk.scrollTop = element.offsetHeight + 16 > talk.clientHeight ? top : talk.scrollHeight;
  }

  /** A link with its QR code, to copy and to share. @param {Answer} answer */
  function linked({ link: address = "", seen = { picture: "", alt: "" }, note = "" }) {
    /** @type {HTMLInputElement} */
    const field = make("input", {
      class: "link",
      readonly: true,
      "aria-label": words()["link-here"],
      focus: () => field.select(),
    });
    field.value = address;
    // Where the device does not let us, the player copies what is selected.
    const click = () => copy(address, undefined, () => field.focus());
    const keys = make("div", { class: "more" }, make("button", { class: "key", click }, words()["copy-key"]));
    if (navigator.share) {
      const share = () => void navigator.share({ title: "Ludoteca", url: address }).catch(() => {});
      keys.append(make("button", { class: "key good", click: share }, words().share));
    }
    return [
      make("img", { class: "qr", src: seen.picture, alt: seen.alt }),
      field,
      keys,
      make("small", { class: "note" }, note),
    ];
  }

  /** @param {string} text @param {() => void} done @param {() => void} refused */
  function copy(text, done = () => say(words().copied), refused = () => say(text, true, true)) {
    if (navigator.clipboard) void navigator.clipboard.writeText(text).then(done, refused);
    else refused();
  }

  /** What saves *file*, or hands it to another app where the device can.
   * @param {{ href: string, name: string }} file */
  function downloading({ href, name }) {
    const type = FILES[name.split(".").at(-1) ?? ""] ?? "text/plain";
    const save = make("a", { class: "key", href, download: name }, `${words().download} ${name}`);
    if (!navigator.canShare?.({ files: [new File([""], name, { type })] })) return [save];
    const share = async () => {
      const data = await (await fetch(href)).blob();
      await navigator.share({ files: [new File([data], name, { type })] }).catch(() => {});
    };
    return [save, " ", make("button", { class: "key", click: () => void share() }, words().share)];
  }

  return {
    of,
    add,
    copy,
    linked,
    /** Forget all screens but the tables, since the page's language has changed. */
    forget() {
      for (const [at, flow] of flows) if (!isTable(at)) flow.replaceChildren();
    },
    /** Show an answer at *table*, or as a card on another screen. @param {Answer} answer @param {string} table */
    said(answer, table) {
      const { good, said, file, link, note } = answer;
      const text = make("span");
      text.textContent = signed(text, said);
      const element = isTable(table) ? make("div", { class: good ? "say" : "say bad" }, text)
        : make("article", { class: "card", tabindex: "-1" }, make("p", { class: "told" }, text));
      const bubble = add(element, table);
      if (link) bubble.append(...linked(answer));
      if (link && table === room()) lend();
      if (file) bubble.append(...downloading(file));
      if (file?.name.endsWith(".png")) {
        const load = () => table === room() && turnToWord(bubble);
        bubble.append(make("img", { class: "film", src: file.href, alt: said, load }));
      }
      if (file && isTable(table) && table === room()) {
        if (file.name.endsWith(".gif")) replay(file.name);
        else lend();
      }
      if (table === room()) turnToWord(bubble);
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
      const card =
        (answer.menu || from.again) && from.card ? from.card : make("article", { class: "card", tabindex: "-1" });
      let parts = cards.get(card);
      if (!parts) {
        const none = () => {};
        parts = screen({
          words,
          game,
          press: (pressed) => void (press(pressed, card) && pressed.plays && hand.foresee(pressed)),
          end: none,
          cancel: none,
          point: none,
          swipe: none,
          lost: none,
        });
        const { hand } = parts;
        cards.set(card, parts);
        card.append(parts.head, parts.said, parts.pic, parts.form, parts.acts);
      }
      const { show: fill } = parts;
      // Half a page may be in another language, which another device of the player has chosen since.
      if (told.language) card.lang = told.language;
      // A poster tells the game already.
      cover(card, told.picture ? "" : told.cover ?? "");
      // An exercise whose board stays as it was says that the move was not the right one.
      if (from.move && told.scene) parts.hand.judge(told.scene.parts !== last.get(card)?.scene?.parts);
      // Its code stands in the address, or is sent.
      fill({ ...told, headline: told.headline.replace(CODES, "") }, null);
      card.querySelector(":scope > .copies")?.remove();
      const { pasted } = told, copies = () => copy(pasted ?? "");
      if (pasted) card.append(make("button", { class: "key copies", click: copies }, words()["copy-key"]));
      last.set(card, told);
      // What is chosen in a form stays below the finger.
      if (card === from.card && card.isConnected) {
        if (!told.choices?.length) card.scrollIntoView({ block: "nearest" });
      } else {
        if (!isTable(at))
          for (const old of of(at).querySelectorAll(":scope > :not(#games, #asked, .back, .sheet)")) old.remove();
        add(card, at);
      }
      if (at === room()) tell(told);
    },
  };
}
