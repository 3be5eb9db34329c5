/* The hand on the board: tapping, dragging and pointing at the picture.

A tap that selects never plays; the second tap, on the destination, does. A gesture is for what was under
the finger when it came down, whatever is drawn before it is lifted. */

import { aim, bySteps, chosenOn, meantBy, risky, within } from "./aim.js";
import { arrange, fit, keeper, make, placeOn } from "./dom.js";
import { clear, moveParts } from "./motion.js";
import { source } from "./pictures.js";
import { complete, scenery, sizeOf, TRIES } from "./scenery.js";
import { movedToSeats, seated, seating } from "./seats.js";
import { signal } from "./signals.js";
/** @import { Board, Button, End, Motion, Scenery, Screen } from "../protocol" */
/** @import { Aimed, Meant } from "./aim.js" */

/**
 * What the board does with gestures. `press` presses a button, *unsure* where a finger may have missed, `end` shows
 * the moves that end on one place,
 * `cancel` clears the choice, `point` asks why nothing can be played there, `swipe` turns to another moment
 * of the game, `lost` is called when the picture cannot be loaded.
 * @typedef {{ press: (button: Button, unsure?: boolean) => boolean | void, end: (end: End) => boolean | void,
 *   cancel: () => void, point: (x: number, y: number) => void, swipe: (ways: number) => void, lost: () => void }} Hooks
 */

const FAR = 10; // pixels from which a tap is a drag

/** @param {Hooks} hooks @param {HTMLElement | null} [stands] the picture that the page was sent with */
export function hands(hooks, stands) {
  const root = stands ?? make("div", { class: "pic" }, make("img")),
    image = /** @type {HTMLImageElement} */ (root.firstElementChild);
  fit(root, { role: "group" });
  fit(image, { alt: image.alt, draggable: "false", error: () => again() });
  // What is seen is noted for whoever looks from outside.
  const seen = (/** @type {string} */ what) => {
    root.dataset.picture = what;
    root.dispatchEvent(new Event("seen"));
  };
  image.addEventListener("load", () => seen(picture));
  if (stands) seen(image.dataset.picture ?? "");
  const scene = scenery();
  root.append(scene.root);
  const chairs = seating(root);
  // What draws arrows is fetched for the first of them: those of a board, or one's own, for which a mouse comes.
  let ways = /** @type {Promise<ReturnType<typeof import("./arrows.js").signs> | null> | null} */ (null);
  const places = () => [...boxes.values()].map(([x, y, w, h]) => ({ x, y, w, h }));
  const lost = () => (ways = null); // a lost line; it is fetched again for the next
  const drawing = () => (ways ??= import("./arrows.js").then(({ signs }) => signs(root, places), lost));
  root.addEventListener("pointerover", ({ pointerType }) => void (pointerType === "mouse" && drawing()));
  root.addEventListener("contextmenu", (event) => event.preventDefault());
  let fits = /** @type {WeakMap<Screen, Screen>} */ (new WeakMap()); // screens as they are shown at this width
  let last = /** @type {[Screen, Screen | null, boolean] | null} */ (null);
  let wide = 0;

  /** *one* with what its seats hold in its place. @template {Screen} Any @param {Any} one @returns {Any} */
  function fitted(one) {
    if (!fits.has(one)) fits.set(one, seated(one, root.clientWidth, sizeOf));
    return /** @type {any} */ (fits.get(one));
  }

  new ResizeObserver(() => {
    if (!last || wide === root.clientWidth) return;
    fits = new WeakMap();
    show(...last);
  }).observe(root);
  const taps = keeper(() => make("button", { class: "spot" }));
  let screen = /** @type {Screen | null} */ (null);
  let base = /** @type {Screen | null} */ (null);
  let buttons = /** @type {Map<string, Button>} */ (new Map());
  /** @type {{ id: number, left: number, top: number, x: number, y: number, touch: boolean, meant: Meant } | null} */
  let down = null;
  /**
   * @type {{ ghost: HTMLElement, from: string, ready: boolean, version: number, dropped: { x: number, y: number,
   *   touch: boolean } | null } | null}
   */
  let drag = null;
  let handled = 0;
  let starts = () => {}; // begins the motions once the rest of the board is shown
  let planned = /** @type {HTMLElement[]} */ ([]);
  let picture = ""; // the address of the present picture
  let tries = 0; // how often it was requested again
  let carried = false; // whether the piece was dragged there already
  let boxes = /** @type {Map<string, Motion["start"]>} */ (new Map()); // where the places of this board are
  let rolled = /** @type {string[]} */ ([]); // where dice have fallen
  // where the player's own move goes, until the server has taken it
  let foreseen = /** @type {Motion["start"] | null} */ (null);
  // where a finger selected what it had missed
  let slipped = /** @type {{ left: number, top: number } | null} */ (null);

  /** @returns {Aimed} */
  const aimed = () => ({ screen, base, width: root.clientWidth, height: root.clientHeight });

  /** @param {Meant} meant @param {number} x @param {number} y */
  function go(meant, x, y, touch = false) {
    const there = slipped && Math.hypot(slipped.left - x * root.clientWidth, slipped.top - y * root.clientHeight) < FAR;
    slipped = null;
    // What a finger has selected by missing it, the same finger at the same place does not play.
    if (there && meant.kind === "press" && meant.button.plays) return hooks.cancel();
    if (meant.kind === "end") hooks.end(meant.end);
    else if (meant.kind === "cancel") hooks.cancel();
    else if (meant.kind === "point") hooks.point(x, y);
    else {
      if (meant.kind === "select") signal("select");
      if (meant.beside) slipped = { left: x * root.clientWidth, top: y * root.clientHeight };
      hooks.press(meant.button, touch && risky(aimed(), meant));
    }
  }

  /** @param {PointerEvent} event */
  function where(event) {
    const box = image.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  }

  /** @param {Meant} meant */
  function mark(meant) {
    for (const one of root.querySelectorAll(".pressed")) one.classList.remove("pressed");
    if (meant.kind !== "press" && meant.kind !== "select") return;
    const spots = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".spot"));
    const drawn = [...spots].find((one) => one.dataset.spot === meant.spot.step && screen?.spots.includes(meant.spot));
    if (drawn) drawn.classList.add("pressed");
    else placeOn(pressed, meant.spot);
    pressed.hidden = Boolean(drawn);
  }

  const pressed = make("span", { class: "spot pressed", hidden: true, "aria-hidden": "true" });
  root.append(pressed);

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || down || drag) return;
    scene.finish();
    const { x, y } = where(event),
      touch = event.pointerType !== "mouse";
    down = {
      id: event.pointerId,
      left: event.clientX,
      top: event.clientY,
      x,
      y,
      touch,
      meant: aim(aimed(), x, y, touch),
    };
    root.setPointerCapture(event.pointerId);
    mark(down.meant);
  });

  root.addEventListener("pointermove", (event) => {
    if (down?.id !== event.pointerId) return;
    const moved = Math.hypot(event.clientX - down.left, event.clientY - down.top) > FAR;
    if (moved && !drag) lift(down.meant);
    if (!drag) return;
    const [right, below] = [event.clientX - down.left, event.clientY - down.top];
    drag.ghost.style.transform = `translate(${right}px, ${below}px) scale(1.15)`;
  });

  root.addEventListener("pointerup", (event) => {
    if (down?.id !== event.pointerId) return;
    const { meant, x, y, touch } = down, there = where(event);
    const across = event.clientX - down.left, moved = Math.hypot(across, event.clientY - down.top) > FAR * 2;
    down = null;
    handled = event.timeStamp;
    if (drag) {
      drag.ghost.remove();
      drag.dropped = { ...there, touch };
      if (drag.ready) drop();
      else setTimeout(forget, 5000, drag);
    } else if (meant.kind === "point" && Math.abs(across) > 4 * FAR) hooks.swipe(across < 0 ? 1 : -1);
    else if (!moved || within({ x: 0, y: 0, w: 1, h: 1 }, there.x, there.y)) go(meant, x, y, touch);
  });

  root.addEventListener("pointercancel", () => {
    down = null;
    drag?.ghost.remove();
    drag = null;
    pressed.hidden = true;
  });

  /** @param {typeof drag} old */
  function forget(old) {
    if (drag === old) drag = null;
  }

  /** Begin to drag the piece that *meant* selects. @param {Meant} meant */
  function lift(meant) {
    const ready = meant.kind === "cancel";
    if (!ready && meant.kind !== "select") return;
    const ghost = make("span", { class: "ghost", "aria-hidden": "true" }), { spot } = meant;
    placeOn(ghost, spot);
    const room = (/** @type {number} */ at, /** @type {number} */ size) => `${size < 1 ? (at / (1 - size)) * 100 : 0}%`;
    const piece = scene.lift([spot.x, spot.y, spot.w, spot.h]);
    if (piece) ghost.append(piece);
    else {
      ghost.style.backgroundImage = `url("${image.src}")`;
      ghost.style.backgroundSize = `${100 / spot.w}% ${100 / spot.h}%`;
      ghost.style.backgroundPosition = `${room(spot.x, spot.w)} ${room(spot.y, spot.h)}`;
    }
    ghost.classList.toggle("cut", !piece);
    root.append(ghost);
    drag = { ghost, from: spot.step, ready, version: screen?.version ?? 0, dropped: null };
    if (meant.kind === "select") hooks.press(meant.button);
  }

  /** Choose the piece in the hand again, whose choice a board has cleared that came meanwhile. */
  function retake() {
    if (!drag || !screen) return;
    const { from, dropped } = drag, spot = screen.spots.find((one) => one.step === from), button = buttons.get(from);
    drag.ready = false;
    drag.version = screen.version;
    if (spot && button && !button.plays) hooks.press(meantBy(aimed(), spot, buttons).button);
    else if (dropped) drag = null;
  }

  /** Drop the piece; on its own place it stays chosen. */
  function drop() {
    const dropped = drag?.dropped;
    drag = null;
    if (!dropped) return;
    const { x, y, touch } = dropped, meant = aim(aimed(), x, y, touch);
    carried = meant.kind === "press" || meant.kind === "end";
    if (carried || meant.kind === "point") go(meant, x, y, touch);
  }

  root.addEventListener("click", (event) => {
    // Pointers are handled above; a click without one comes from a keyboard or a screen reader. On a busy page that
    // of a pointer comes late, and is as old as the pointer all the same.
    if (event.detail && event.timeStamp - handled < 700) return;
    const tap = /** @type {HTMLElement} */ (event.target).closest(".spot");
    const spot = screen?.spots.find((one) => one.step === /** @type {HTMLElement | null} */ (tap)?.dataset.spot);
    if (spot) go(meantBy(aimed(), spot, buttons), 0, 0);
  });

  root.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const here = /** @type {HTMLElement} */ (event.target);
    if (!way || !here.dataset.spot) return;
    event.preventDefault();
    const from = middle(here);
    const others = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".spot[data-spot]")]).filter(
      (one) => one !== here,
    );
    const cost = (/** @type {HTMLElement} */ one) => {
      const to = middle(one), along = (to.x - from.x) * way[0] + (to.y - from.y) * way[1];
      return along > 4 ? along + 3 * Math.abs((to.x - from.x) * way[1] + (to.y - from.y) * way[0]) : Infinity;
    };
    const best = others.sort((a, b) => cost(a) - cost(b))[0];
    if (best && cost(best) < Infinity) {
      for (const one of others) one.tabIndex = -1;
      here.tabIndex = -1;
      best.tabIndex = 0;
      best.focus();
    }
  });

  /** Request a failed picture again: the server may have forgotten it, or be over its limit. */
  function again() {
    const wanted = picture;
    if (tries === 0) hooks.lost();
    if (tries < TRIES) setTimeout(() => picture === wanted && (image.src = wanted), 700 * 2 ** tries);
    tries += 1;
  }

  /** Replace the picture by *wanted*, with *motions*.
   * @param {string} wanted @param {Motion[]} motions */
  function turn(wanted, motions) {
    const old = image.src, now = source(wanted), going = motions.slice(carried ? 1 : 0);
    const start = () => void (picture === wanted && moveParts(root, image, going, old, now));
    if (motions.length) carried = false;
    tries = 0;
    picture = wanted;
    clear(root);
    if (old !== now) image.src = now;
    if (!old || !going.length) return;
    if (now === wanted) image.addEventListener("load", start, { once: true });
    else starts = start;
  }

  /** Let the page draw *drawn* itself, as the picture *named* shows it, with *motions*; answers whether it can.
   * @param {Scenery | null | undefined} drawn @param {string} named @param {Motion[]} motions
   * @param {boolean} [glides] @param {Motion[]} [dice] those of what chance brought */
  function draw(drawn, named, motions, glides = false, dice = motions.filter((one) => one.face)) {
    if (!drawn || !complete(drawn)) {
      scene.hide();
      if (picture && image.complete) seen(picture);
      return false;
    }
    const going = motions.slice(carried ? 1 : 0);
    if (motions.length) carried = false;
    scene.show(drawn, going, () => {
      seen(named);
      if (motions.length) clear(root);
      if (dice.length) moveParts(root, scene.root, dice, image.src, image.src);
    }, glides);
    return true;
  }

  /** Show for a moment what has become of a move to *box*. @param {string} what @param {Motion["start"]} box */
  function tell(what, [x, y, w, h]) {
    const sign = make("span", { class: `verdict ${what}`, "aria-hidden": "true", animationend: () => sign.remove() });
    placeOn(sign, { x, y, w, h });
    root.append(sign);
  }

  /** Take back what was shown of a move that is refused. */
  function refuse() {
    const box = foreseen;
    [foreseen, carried] = [null, false];
    if (scene.back() && box) tell("refused", box);
  }

  /** Show the move of *button* at once, as far as the screen tells where it goes. @param {Button} button */
  function foresee(button) {
    const end = (/** @type {Partial<Board>} */ (screen ?? {}).ends ?? []).find(({ moves }) => moves.includes(button));
    const path = /** @type {Partial<Board>} */ (screen ?? {}).path ?? [];
    const at = (/** @type {string} */ step) => boxes.get(step) ?? null;
    const to = end
      ? /** @type {Motion["start"]} */ ([end.x, end.y, end.w, end.h])
      : (at(button.step) ?? at(path[1] ?? ""));
    foreseen = to;
    if (!to || !screen) return;
    const from = path[0] === button.step ? null : at(path[0] ?? "");
    // Below the board stands what is laid on it.
    const lays = to[1] > (/** @type {Partial<Board>} */ (screen).crop?.[1] ?? 1) - 0.02;
    const step = from ? button.step : "";
    carried = scene.foresee(from, to, { step, spins: rolled.includes(to.join()), carried, lays });
  }

  /** @param {Screen} whole @param {Screen | null} before the screen with nothing chosen
   * @param {boolean} keyed whether buttons beside the picture offer the same */
  function show(whole, before, keyed) {
    last = [whole, before, keyed];
    wide = root.clientWidth;
    const shown = fitted(whole), nothing = before && fitted(before);
    chairs.show(whole, wide, sizeOf);
    if (base?.version !== nothing?.version || base?.table !== nothing?.table) boxes = new Map();
    screen = shown;
    base = nothing;
    for (const { step, x, y, w, h } of [...shown.spots, ...(nothing?.spots ?? [])]) boxes.set(step, [x, y, w, h]);
    const dice = (/** @type {Partial<Board>} */ (shown).motions ?? []).filter((one) => one.spins);
    rolled = [...rolled, ...dice.flatMap(({ start, end }) => [start.join(), end.join()])].slice(-8);
    buttons = bySteps(shown);
    root.hidden = !shown.picture;
    root.classList.toggle("drawn", Boolean(shown.scene));
    if (!shown.picture) return;
    const glides = Boolean(/** @type {Partial<Board>} */ (shown).glides);
    if (!draw(shown.scene, shown.picture, [], glides) && picture !== shown.picture) turn(shown.picture, []);
    starts();
    starts = () => {};
    if (image.alt !== shown.alt) image.alt = shown.alt;
    root.style.setProperty("--w", String(shown.width));
    root.style.setProperty("--h", String(shown.height));
    const arrows = /** @type {Partial<Board>} */ (shown).arrows ?? [];
    if (arrows.length) void drawing();
    const signs = arrows.map((way, at) => ({ kind: at ? "better" : "worse", way }));
    void ways?.then((one) => one?.show(signs, `${shown.table} ${shown.version} ${shown.picture}`));
    const tapped = shown.spots.filter((spot) => buttons.has(spot.step)).map((spot, at) => {
      const tap = taps.of(spot.step), button = /** @type {Button} */ (buttons.get(spot.step));
      tap.dataset.spot = spot.step;
      tap.title = button.label;
      tap.setAttribute("aria-label", button.label);
      tap.classList.remove("pressed");
      // A screen reader has the buttons beside it; one stop for each choice is enough.
      if (keyed) tap.setAttribute("aria-hidden", "true");
      else tap.removeAttribute("aria-hidden");
      if (tap !== document.activeElement) tap.tabIndex = keyed || at ? -1 : 0;
      placeOn(tap, spot);
      return tap;
    });
    taps.done();
    for (const end of /** @type {Partial<Board>} */ (shown).ends ?? []) {
      const open = make("span", { class: "end", "aria-hidden": "true" });
      placeOn(open, end);
      tapped.push(/** @type {any} */ (open));
    }
    pressed.hidden = true;
    const going = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".going, .before")]);
    arrange(root, [
      image,
      scene.root,
      ...going,
      ...planned,
      ...tapped,
      pressed,
      ...(drag ? [drag.ghost] : []),
      ...root.querySelectorAll(":scope > :is(.signs, .grip, .verdict, .seat)"),
    ]);
    if (!drag) return;
    if (chosenOn(shown) === drag.from) {
      drag.ready = true;
      if (drag.dropped) drop();
    } else if (shown === nothing && (drag.ready || shown.version !== drag.version)) retake();
    else if (drag.dropped && shown !== nothing) drag = null;
  }

  return {
    root,
    foresee,
    refuse,
    /** Mark on the board whether the move that was shown is the *right* one. @param {boolean} right */
    judge(right) {
      if (!right) refuse();
      else if (foreseen) tell("right", foreseen);
    },
    /** Show the marks of planned moves. @param {HTMLElement[]} marks */
    plan(marks) {
      for (const one of planned) one.remove();
      planned = marks;
      root.append(...marks);
    },
    /** Show the picture of the *next* screen before the rest of it, with *motions*: it takes longest to paint.
     * Answers whether the picture is a new one. @param {Screen} next @param {Motion[]} motions */
    ahead(next, motions) {
      const moved = movedToSeats(motions, next, root.clientWidth, sizeOf);
      if (next.picture && draw(fitted(next).scene, next.picture, moved)) return true;
      const other = Boolean(next.picture && picture) && picture !== next.picture;
      if (other) turn(next.picture, motions);
      return other;
    },
    /** Play what the player has missed. @param {Motion[]} motions */
    replay: (motions) => scene.replay(last ? movedToSeats(motions, last[0], root.clientWidth, sizeOf) : motions),
    show,
    /** @param {boolean} busy */
    wait(busy) {
      root.classList.toggle("busy", busy);
      if (!busy) pressed.hidden = true;
      if (!busy) for (const one of root.querySelectorAll(".spot.pressed")) one.classList.remove("pressed");
    },
  };
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
