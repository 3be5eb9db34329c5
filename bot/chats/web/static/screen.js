/* A screen on the page: words, picture and buttons, patched in place so that no press is lost. */

import { counting } from "./clock.js";
import { arrange, keeper, make, signed, unsigned, write } from "./dom.js";
import { form } from "./form.js";
import { hands } from "./hands.js";
import { tab } from "./pane.js";
import { meaningOf, writeTerms } from "./terms.js";
/** @import { Board, Button, Countdown, Screen, State } from "../protocol" */
/** @import { Hooks } from "./hands.js" */
/** @import { Term } from "./terms.js" */

const FOLDED = 8; // with more choices, all on the picture, the buttons are folded at first

/** Whether the player has unfolded the buttons of a picture that can be tapped. */
const wanting = { open: false };

/** A button of the page itself. @param {string} label @param {string} style @param {string} step @returns {Button} */
export function pageButton(label, style, step) {
  return { label, style, step, code: "", letter: "", tap: "", plays: false };
}

/** Let the keyboard go on in *root* where what it was on has gone: from the same thing in a new form, else from the
 * first choice, else from what both stood in, where it waits for the first choice to come.
 * @param {HTMLElement} root */
export function followFocus(root) {
  let had = /** @type {HTMLElement[]} */ ([]);
  const seen = (/** @type {Element} */ one) => one.getClientRects().length;
  root.addEventListener("focusin", (event) => {
    had = /** @type {HTMLElement[]} */ (event.composedPath());
  });
  new MutationObserver(() => {
    const [gone] = had, at = document.activeElement;
    // Whoever has let go of what is still there wants it nowhere.
    if (!gone || !at?.matches("body, main, .card") || (at === document.body && seen(gone))) return;
    const near = /** @type {HTMLElement} */ (had.find((one) => one.matches("[tabindex]") && seen(one)));
    const same = [...near.querySelectorAll(gone.tagName)].filter((one) => one.isEqualNode(gone));
    const choices = near.querySelectorAll(".spot:not([aria-hidden]), .acts > .keys .key");
    const next = /** @type {HTMLElement[]} */ ([...same, ...choices, near]).find(seen);
    next?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true });
}

/**
 * The elements of a screen for the caller to place; `show` fills them.
 * @param {Hooks & { words: () => Record<string, string>, terms?: () => Term[],
 *   game?: (key: string) => State["games"][number] | undefined }} hooks
 * @param {HTMLElement | null} [there] the picture
 * that the page was sent with, below its headline
 */
export function screen(hooks, there) {
  const fresh = () => make("div", { class: "head" }, make("h2", { hidden: true }), make("div", { class: "clocks" }));
  const head = /** @type {HTMLElement} */ (there?.previousElementSibling ?? fresh());
  const [title, clock] = /** @type {HTMLCollectionOf<HTMLElement>} */ (head.children);
  const said = make("div", { class: "said" });
  const acts = make("div", { class: "acts" });
  const hand = hands(hooks, there);
  const asked = form((pressed) => hooks.press(pressed));
  const lines = keeper(() => make("p"));
  const rows = keeper(() => make("div"));
  const keys = keeper(() => make("button"));
  const meant = /** @type {Map<Element, Button>} */ (new Map());
  const summary = make("summary", { class: "key" });
  const folded = make("details", { class: "folded", toggle: () => void (wanting.open = folded.open) }, summary);
  let running = "";
  let primary = false; // whether a key stands out already: one does at most
  /** @type {{ on: Element, button: Button | undefined } | null} */
  let down = null;

  const keyAt = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest(".key[data-key]");
  acts.addEventListener("pointerdown", (event) => {
    const on = keyAt(event);
    down = on && { on, button: meant.get(on) };
  });
  acts.addEventListener("click", (event) => {
    const on = keyAt(event);
    if (!on) return;
    // The press is for the button that was there when the finger came down.
    const button = event.detail && down?.on === on ? down.button : meant.get(on);
    down = null;
    if (button) hooks.press(button);
  });

  /** @param {Countdown | null} countdown @param {number[]} [left] of the clocks that stand in seats */
  function run(countdown, left = /** @type {number[]} */ ([])) {
    // A clock stands in its seat.
    const told = left.some((one) => one >= 0) ? null : countdown, wanted = JSON.stringify(told);
    if (wanted === running) return;
    running = wanted;
    clock.replaceChildren(...(told ? [counting(told)] : []));
  }

  /** @param {Screen} shown @param {Button[]} more buttons of the page itself, below the others */
  function draw(shown, more) {
    const groups = /** @type {{ moves: boolean, buttons: Button[] }[]} */ ([]);
    // What the page itself offers first, such as an invitation, stands above what cancels the table.
    const offered = more.some((one) => one.style === "good")
      ? [more, ...shown.rows]
      : [...shown.rows, ...(more.length ? [more] : [])];
    for (const row of offered) {
      const moves = row.every((button) => button.style === "move"), last = groups.at(-1);
      if (moves && last?.moves) last.buttons.push(...row);
      else groups.push({ moves, buttons: [...row] });
    }
    meant.clear();
    primary = false;
    const wanted = groups.map(({ moves, buttons }, at) => {
      const group = rows.of(`${moves} ${at}`);
      group.className = moves ? "keys" : "more";
      arrange(group, buttons.map(key));
      if (moves) {
        setSize(group, buttons);
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", hooks.words().choices);
      }
      return group;
    });
    const tapped = new Set(shown.spots.map((spot) => spot.step));
    const first = groups[0];
    const many = first?.moves && first.buttons.length > FOLDED && first.buttons.every((one) => tapped.has(one.step));
    rows.done();
    keys.done();
    if (many) {
      write(summary, `${hooks.words().buttons} · ${first.buttons.length}`);
      if (folded.open !== wanting.open) folded.open = wanting.open;
      arrange(folded, [summary, wanted[0]]);
      wanted[0] = folded;
    }
    arrange(acts, wanted);
    return many;
  }

  /** @param {Button} button @param {number} [_] @param {Button[]} [row] */
  function key(button, _, row) {
    const made = keys.of(button.step || button.label);
    // The only move there is, such as a roll, is what comes next.
    const sole = button.style === "move" && row?.length === 1 ? "good" : "";
    const leads = !button.quiet && (Boolean(sole) || button.style === "good" || button.style === "final");
    const style = button.quiet ? "pass" : button.style === "move" ? sole : button.style;
    const kind = ["key", style, leads && primary ? "second" : ""].filter(Boolean).join(" ");
    primary ||= leads;
    if (made.className !== kind) made.className = kind;
    made.dataset.key = button.step || button.label;
    meant.set(made, button);
    const text = `${button.letter}|${button.label}`, { part } = button, game = part && hooks.game?.(part[0]);
    made.classList.toggle("part", Boolean(game));
    if (made.dataset.text === text) return made;
    made.dataset.text = text;
    if (game) {
      const [name, ...told] = button.label.split(" · ");
      made.replaceChildren(make("img", { src: game.cover, alt: "" }), make("span", {},
        make("b", {}, name), make("span", { class: "d" }, unsigned(told.join(" · "))),
        make("progress", { value: part?.[1], max: part?.[2], "aria-hidden": "true" }),
        make("span", { class: "d" }, game.blurb)));
      return made;
    }
    // The choice, and below it its outcome.
    // Signs that some systems cannot draw repeat what the words say.
    const label = unsigned(button.label);
    const [main, ...rest] = button.style === "move" ? label.split(/ · |, /) : [label];
    // Terms of moves stand in the lines above.
    const gloss = rest.length || button.style === "move" ? "" : meaningOf(main, hooks.terms?.() ?? []);
    if (gloss) rest.push(gloss);
    const letter = button.letter ? make("span", { class: "l" }, button.letter) : "";
    made.replaceChildren(
      letter,
      make("span", {}, main, rest.length ? make("span", { class: "d" }, rest.join(", ")) : ""),
    );
    return made;
  }

  return {
    head,
    said,
    pic: hand.root,
    form: asked.root,
    acts,
    hand,
    /** @param {Screen} shown @param {Screen | null} base the screen with nothing chosen
     * @param {Button[]} more */
    show(shown, base, more = []) {
      const turn = shown.headline.startsWith("▶ ");
      // The signs for the player's turn and victory are drawn, so that they look the same in all fonts.
      const won = /** @type {Partial<Board>} */ (shown).result === "won";
      write(title, turn ? shown.headline.slice(2) : won ? shown.headline.replace(/^★ /u, "") : shown.headline);
      title.className = turn ? "turn" : "";
      title.hidden = !shown.headline;
      arrange(said, shown.lines.map((line, at) => {
        const one = lines.of(String(at));
        writeTerms(one, signed(one, line), hooks.terms?.() ?? []);
        return one;
      }));
      lines.done();
      asked.show(shown.choices ?? []);
      run(shown.countdown, /** @type {Partial<Board>} */ (shown).left);
      if (shown.spots.length) hand.root.setAttribute("aria-label", hooks.words().board);
      // The keyboard skips buttons in a closed pane.
      hand.show(shown, base, !draw(shown, more) && tab() === "acts");
    },
  };
}

/**
 * Set the number of buttons in a row by the length of their labels.
 * @param {HTMLElement} group
 * @param {Button[]} buttons
 */
function setSize(group, buttons) {
  const long = buttons.map((button) => {
    const [main, ...rest] = button.label.split(/ · |, /);
    return Math.max(main.length, rest.join(", ").length * 0.85);
  });
  const letters = buttons.some((button) => button.letter) ? 40 : 0;
  group.style.setProperty("--room", `calc(${Math.min(Math.max(...long), 22)} * .62em + ${30 + letters}px)`);
}
