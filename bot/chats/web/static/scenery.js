/* The board drawn here: sprites at places, as the painter laid them, moved from one board to the next.

It knows no rules: what stays stays, what came is shown, what went fades, and what the server says has moved is moved. */
import { curve, timed } from "./motion.js";
/** @import { Motion, Scenery } from "../protocol" */

const SVG = "http://www.w3.org/2000/svg";
const FADES = 180; // milliseconds in which what was taken goes
const FILLS = 0.95; // of the side of a place, from which something fills it
const KEPT = 1500; // sprites: more than a game has
const TRIES = 6; // how often a sprite that fails is fetched again

const still = matchMedia("(prefers-reduced-motion: reduce)");
const sprites = /** @type {Map<string, Sprite>} */ (new Map());

/** @typedef {{ width: number, height: number, href: string, image: HTMLImageElement }} Sprite */

/** Fetch the sprites that *board* is the first to show. @param {{ scene?: Scenery | null } | undefined} board */
export function unpack(board) {
  for (const [name, [width, height]] of Object.entries(board?.scene?.sprites ?? {})) {
    if (sprites.has(name)) continue;
    const href = `sprite/${name}.png`, image = new Image();
    image.onerror = () => again(name, image, href);
    image.src = href;
    sprites.set(name, { width, height, href, image });
    if (sprites.size > KEPT) sprites.delete([...sprites.keys()][0]);
  }
  if (board?.scene) delete board.scene.sprites;
}

const tries = /** @type {Map<string, number>} */ (new Map());

/** Fetch a sprite that failed once more, ever more rarely: the server may be over its limit, or restarting.
 * @param {string} name @param {HTMLImageElement} image @param {string} href */
function again(name, image, href) {
  const tried = tries.get(name) ?? 0;
  tries.set(name, tried + 1);
  if (tried > TRIES) return;
  image.onload = () => {
    for (const one of document.querySelectorAll(`.scenery [data-name="${name}"]`)) one.setAttribute("href", image.src);
  };
  setTimeout(() => (image.src = `${href}?${tried + 1}`), 700 * 2 ** tried);
}

/** Whether all that *scene* needs is here. @param {Scenery | null | undefined} scene */
export const complete = (scene) => Boolean(scene && partsOf(scene).every((part) => part.startsWith("#") || sprites.has(nameOf(part))));

/** The parts of a scene, each as it came. @param {Scenery} scene */
const partsOf = (scene) => scene.parts.split("|");

/** @param {string} part */
const nameOf = (part) => part.slice(0, part.indexOf(" "));

export function scenery() {
  const root = document.createElementNS(SVG, "svg");
  root.setAttribute("class", "scenery");
  root.setAttribute("aria-hidden", "true");
  // A fraction of a pixel must not leave a seam at the edge.
  root.setAttribute("preserveAspectRatio", "none");
  let shown = /** @type {Map<string, SVGElement>} */ (new Map());
  let scene = /** @type {Scenery | null} */ (null);
  let target = ""; // the parts of what is shown, or will be
  let wanted = 0; // counts what is to be shown, since sprites are decoded meanwhile

  /** @param {string} part */
  function drawn(part) {
    const [name, x, y, width, height] = part.split(" ");
    const sprite = sprites.get(name);
    const element = /** @type {SVGElement} */ (document.createElementNS(SVG, sprite ? "image" : "rect"));
    const told = { x, y, width: sprite?.width ?? width, height: sprite?.height ?? height, ...(sprite ? { href: sprite.href } : { fill: name }) };
    for (const [at, value] of Object.entries(told)) element.setAttribute(at, String(value));
    element.dataset.name = name;
    return element;
  }

  /** The middle of an element in parts of the picture. @param {Element} element */
  function middle(element) {
    const at = (/** @type {string} */ name) => Number(element.getAttribute(name));
    const { width, height } = /** @type {Scenery} */ (scene);
    return { x: (at("x") + at("width") / 2) / width, y: (at("y") + at("height") / 2) / height, wide: at("width") / width };
  }

  /** Whether *element* lies in *box*, and is no ground under it. @param {Element} element @param {Motion["start"]} box */
  function lies(element, [left, top, width, height]) {
    const { x, y, wide } = middle(element);
    return wide < 2 * width && x > left && x < left + width && y > top && y < top + height;
  }

  /** Those of *elements* that are pieces: what fills its place is a mark or the field itself. All, where none is less.
   * @param {SVGElement[]} elements @param {Motion["start"]} box */
  function pieces(elements, [, , width, height]) {
    const whole = /** @type {Scenery} */ (scene), at = (/** @type {Element} */ one, /** @type {string} */ name) => Number(one.getAttribute(name));
    const less = elements.filter((one) => at(one, "width") < FILLS * width * whole.width || at(one, "height") < FILLS * height * whole.height);
    return less.length ? less : elements;
  }

  /** @param {SVGElement[]} came @param {SVGElement[]} gone @param {Motion[]} motions */
  function move(came, gone, motions) {
    const { width, height } = /** @type {Scenery} */ (scene);
    const moved = new Set();
    for (const { motion, begins, span } of timed(motions)) {
      const { start, end, spins } = motion;
      if (motion.face || (start.join() === end.join() && !spins)) continue;
      const x = (start[0] + start[2] / 2 - end[0] - end[2] / 2) * width, y = (start[1] + start[3] / 2 - end[1] - end[3] / 2) * height;
      const there = came.filter((element) => !moved.has(element) && lies(element, end));
      const same = there.filter((element) => gone.some((one) => one.dataset.name === element.dataset.name && lies(one, start)));
      // A piece that looks otherwise now lies above all marks of its place.
      for (const element of same.length ? same : pieces(there, end).slice(-1)) {
        moved.add(element);
        root.append(element);
        const from = spins ? "rotate(-1.5turn) scale(1.3)" : `translate(${x}px, ${y}px)`;
        element.animate([{ transform: from }, { transform: "none" }], { duration: span, delay: begins, easing: curve, fill: "backwards" }).onfinish = sort;
      }
      // What was taken goes as the piece arrives; what left is under way.
      for (const element of gone) if (lies(element, end)) fade(element, begins + span - FADES);
    }
    for (const element of gone) if (!fading.has(element)) element.remove();
  }

  const fading = new Set();

  /** @param {SVGElement} element @param {number} delay */
  function fade(element, delay) {
    fading.add(element);
    const run = element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADES, delay: Math.max(0, delay), fill: "both" });
    run.onfinish = run.oncancel = () => {
      fading.delete(element);
      element.remove();
    };
  }

  let order = /** @type {SVGElement[]} */ ([]);
  /** Put all in the painter's order again, after what moved was on top. */
  function sort() {
    order.forEach((element, at) => root.children[at] !== element && root.insertBefore(element, root.children[at] ?? null));
  }

  /** @param {Scenery} next @param {Motion[]} motions */
  function put(next, motions) {
    scene = next;
    root.setAttribute("viewBox", `0 0 ${next.width} ${next.height}`);
    for (const one of fading) one.remove();
    fading.clear();
    const now = /** @type {Map<string, SVGElement>} */ (new Map()), came = /** @type {SVGElement[]} */ ([]);
    order = partsOf(next).map((part) => {
      let name = part;
      while (now.has(name)) name += "'";
      const kept = shown.get(name), element = kept ?? drawn(part);
      if (!kept) came.push(element);
      now.set(name, element);
      return element;
    });
    const gone = [...shown].filter(([name]) => !now.has(name)).map(([, element]) => element);
    const first = !shown.size;
    shown = now;
    if (first || still.matches || !motions.length) for (const element of gone) element.remove();
    else move(came, gone, motions);
    const rest = [...root.children].filter((element) => !order.includes(/** @type {SVGElement} */ (element)));
    sort();
    root.append(...rest);
    if (!first && !still.matches && motions.length) for (const element of came) if (element.getAnimations().length) root.append(element);
  }

  let late = /** @type {Motion[]} */ ([]); // what is to be played once the scene is shown

  return {
    root,
    /** Play *motions* once more, or for the first time, on the scene that is shown or will be. @param {Motion[]} motions */
    replay(motions) {
      if (still.matches) return;
      if (scene?.parts === target) move([...order], [], motions);
      else late = motions;
    },
    /** Let all arrive that is under way. */
    finish() {
      for (const one of root.getAnimations({ subtree: true })) one.finish();
    },
    /** The scene that is shown. */
    now: () => scene,
    /** Show *next* with *motions* as soon as its sprites are decoded; then *done* is called.
     * @param {Scenery} next @param {Motion[]} motions @param {() => void} done */
    show(next, motions, done) {
      // It is shown, or will be as soon as its sprites are decoded.
      if (next.parts === target) return;
      target = next.parts;
      const mine = ++wanted;
      const fresh = partsOf(next).map((part) => sprites.get(nameOf(part))?.image).filter((image) => image && !image.complete);
      const then = () => {
        if (mine !== wanted) return;
        put(next, motions);
        if (late.length) move([...order], [], late);
        late = [];
        done();
      };
      if (fresh.length) void Promise.allSettled(fresh.map((image) => image?.decode())).then(then);
      else then();
    },
    /** Show nothing: the painted picture is seen. */
    hide() {
      wanted += 1;
      target = "";
      late = [];
      scene = null;
      shown = new Map();
      order = [];
      root.replaceChildren();
    },
    /** Copies of what lies on *box* and is no ground, to be dragged, with the box as their picture.
     * @param {Motion["start"]} box */
    lift(box) {
      if (!scene) return null;
      const lifted = pieces(order.filter((element) => lies(element, box)), box);
      if (!lifted.length) return null;
      const { width, height } = scene, copy = document.createElementNS(SVG, "svg");
      copy.setAttribute("viewBox", [box[0] * width, box[1] * height, box[2] * width, box[3] * height].join(" "));
      copy.append(...lifted.map((element) => element.cloneNode()));
      return copy;
    },
  };
}
