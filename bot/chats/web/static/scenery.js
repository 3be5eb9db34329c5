/* The board drawn here: sprites at places, as the painter laid them, moved from one board to the next.

It knows no rules: what stays stays, what came is shown, what went fades, and what the server says has moved is
moved. */
import { within } from "./aim.js";
import { EASES, FALLS, own, still, timed } from "./motion.js";
/** @import { Motion, Scenery } from "../protocol" */

const SVG = "http://www.w3.org/2000/svg";
const FADES = 180; // milliseconds in which what was taken goes
const FEW = 9; // places at which pieces of one kind lie at most, where grounds lie at more
const FILLS = 0.95; // of the side of a place, from which something fills it
const SPRITES = 1500; // sprites: more than a game has
/** How often a picture that fails is requested again, ever more rarely. */
export const TRIES = 6;

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
    if (sprites.size > SPRITES) sprites.delete([...sprites.keys()][0]);
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
export const complete = (scene) =>
  Boolean(scene && partsOf(scene).every((part) => part.startsWith("#") || sprites.has(nameOf(part))));

/** The parts of a scene, each as it came. @param {Scenery} scene */
const partsOf = (scene) => scene.parts.split("|");

/** @param {string} part */
const nameOf = (part) => part.slice(0, part.indexOf(" "));

/** How large a sprite is in the picture. @param {string} name */
export const sizeOf = (name) => sprites.get(name);

/** @param {Element} one @param {string} name */
const side = (one, name) => Number(one.getAttribute(name));

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
    const told = {
      x,
      y,
      width: width ?? sprite?.width,
      height: height ?? sprite?.height,
      ...(sprite ? { href: sprite.href } : { fill: name }),
    };
    for (const [at, value] of Object.entries(told)) element.setAttribute(at, String(value));
    element.dataset.name = name;
    return element;
  }

  /** The box of an element in parts of the picture. @param {Element} element */
  function boxOf(element) {
    const { width, height } = /** @type {Scenery} */ (scene);
    return {
      x: side(element, "x") / width,
      y: side(element, "y") / height,
      w: side(element, "width") / width,
      h: side(element, "height") / height,
    };
  }

  /**
   * Whether *element* lies in *box*, and is no ground under it.
   * @param {Element} element
   * @param {Motion["start"]} box
   */
  function lies(element, [left, top, width, height]) {
    const { x, y, w, h } = boxOf(element);
    return w < 2 * width && within({ x: left, y: top, w: width, h: height }, x + w / 2, y + h / 2);
  }

  /** Those of *elements* that are pieces: what fills its place is a mark or the field itself. All, where none is less.
   * @param {SVGElement[]} elements @param {Motion["start"]} box */
  function pieces(elements, [, , width, height]) {
    const less = elements.filter((one) => boxOf(one).w < FILLS * width || boxOf(one).h < FILLS * height);
    return less.length ? less : elements;
  }

  /**
   * The pieces on *box*: what does not fill it, or else the highest that lies at few places.
   * @param {Motion["start"]} box
   */
  function standing(box) {
    const there = order.filter((element) => lies(element, box)), found = pieces(there, box);
    if (found.length < there.length) return found;
    const many = (/** @type {SVGElement} */ one) =>
      order.filter(({ dataset }) => dataset.name === one.dataset.name).length;
    return there.filter((one) => many(one) <= FEW).slice(-1);
  }

  let ahead = /** @type {Animation[]} */ ([]); // the player's own move, before the server has taken it
  let laid = /** @type {SVGElement[]} */ ([]); // what it lays down

  /** Forget the own move: the scene itself shows it now. */
  function settle() {
    for (const one of ahead) one.cancel();
    for (const one of laid) one.remove();
    [ahead, laid] = [[], []];
  }

  /** @param {SVGElement[]} came @param {SVGElement[]} gone @param {Motion[]} motions */
  function move(came, gone, motions) {
    const { width, height } = /** @type {Scenery} */ (scene);
    const moved = new Set();
    for (const { motion, begins, span } of timed(motions)) {
      const { start, end, spins } = motion;
      if (motion.face || (start.join() === end.join() && !spins)) continue;
      const x = (start[0] + start[2] / 2 - end[0] - end[2] / 2) * width,
        y = (start[1] + start[3] / 2 - end[1] - end[3] / 2) * height;
      const there = came.filter((element) => !moved.has(element) && lies(element, end));
      const same = there.filter((element) =>
        gone.some((one) => one.dataset.name === element.dataset.name && lies(one, start)),
      );
      // A piece that looks otherwise now lies above all marks of its place.
      for (const element of same.length ? same : pieces(there, end).slice(-1)) {
        moved.add(element);
        root.append(element);
        const from = spins ? "rotate(-1.5turn) scale(1.3)" : `translate(${x}px, ${y}px)`;
        element.animate([{ transform: from }, { transform: "none" }], {
          duration: span,
          delay: begins,
          easing: EASES,
          fill: "backwards",
        }).onfinish = sort;
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
    const run = element.animate([{ opacity: 1 }, { opacity: 0 }], {
      duration: FADES,
      delay: Math.max(0, delay),
      fill: "both",
    });
    run.onfinish = run.oncancel = () => {
      fading.delete(element);
      element.remove();
    };
  }

  let order = /** @type {SVGElement[]} */ ([]);
  /** Put all in the painter's order again, after what moved was on top. */
  function sort() {
    order.forEach(
      (element, at) => root.children[at] !== element && root.insertBefore(element, root.children[at] ?? null),
    );
  }

  /** Let what *came* glide from where the same was before. @param {SVGElement[]} came @param {SVGElement[]} gone */
  function glide(came, gone) {
    const left = [...gone];
    for (const element of came) {
      const from = left.findIndex(({ dataset }) => dataset.name === element.dataset.name && dataset.name?.[0] !== "#");
      if (from < 0) continue;
      const [old] = left.splice(from, 1);
      const x = side(old, "x") - side(element, "x"), y = side(old, "y") - side(element, "y");
      const steps = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
      element.animate(steps, { duration: own.duration, easing: EASES });
    }
    for (const element of gone) element.remove();
  }

  /** @param {Scenery} next @param {Motion[]} motions @param {boolean} glides */
  function put(next, motions, glides) {
    scene = next;
    root.setAttribute("viewBox", `0 0 ${next.width} ${next.height}`);
    for (const one of fading) one.remove();
    fading.clear();
    settle();
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
    if (glides && !first && !still.matches && !motions.length) glide(came, gone);
    else if (first || still.matches || !motions.length) for (const element of gone) element.remove();
    else move(came, gone, motions);
    const rest = [...root.children].filter((element) => !order.includes(/** @type {SVGElement} */ (element)));
    sort();
    root.append(...rest);
    if (!first && !still.matches && motions.length)
      for (const element of came) if (element.getAnimations().length) root.append(element);
  }

  let late = /** @type {Motion[]} */ ([]); // what is to be played once the scene is shown

  return {
    root,
    /**
     * Play *motions* once more, or for the first time, on the scene that is shown or will be.
     * @param {Motion[]} motions
     */
    replay(motions) {
      if (still.matches) return;
      if (scene?.parts === target) move([...order], [], motions);
      else late = motions;
    },
    /** Let all arrive that is under way. */
    finish() {
      // A die that waits for its roll tumbles on.
      for (const one of root.getAnimations({ subtree: true }))
        if (one.effect?.getTiming().iterations === 1) one.finish();
    },
    /** The scene that is shown. */
    now: () => scene,
    /** Show *next* with *motions* as soon as its sprites are decoded; then *done* is called.
     * @param {Scenery} next @param {Motion[]} motions @param {() => void} done @param {boolean} [glides] */
    show(next, motions, done, glides = false) {
      // It is shown, or will be as soon as its sprites are decoded.
      if (next.parts === target) return;
      target = next.parts;
      const mine = ++wanted;
      const fresh = partsOf(next)
        .map((part) => sprites.get(nameOf(part))?.image)
        .filter((image) => image && !image.complete);
      const then = () => {
        if (mine !== wanted) return;
        put(next, motions, glides);
        if (late.length) move([...order], [], late);
        late = [];
        done();
      };
      const under = ahead
        .filter((one) => one.playState === "running" && one.effect?.getTiming().iterations === 1)
        .map((one) => one.finished);
      if (fresh.length + under.length)
        void Promise.allSettled([...under, ...fresh.map((image) => image?.decode())]).then(then);
      else then();
    },
    /** Show the player's own move before the server has taken it: what stands on *from* goes to *to*, what *step*
     * lays is laid there, or a die on *to* rolls that *spins*. Answers whether a piece goes its whole way.
     * @param {Motion["start"] | null} from
     * @param {Motion["start"]} to
     * @param {{ step: string, spins: boolean, carried: boolean, lays: boolean }} how *lays*: *to* is the key of a piece
     */
    foresee(from, to, { step, spins, carried, lays }) {
      settle();
      if (!scene) return false;
      const { width, height } = scene, moved = from && !lays ? standing(from) : [];
      const where = from && !moved.length ? from : to;
      const span = still.matches || carried ? 1 : own.duration;
      if (spins && !still.matches) {
        ahead = standing(to).map((one) =>
          one.animate([{ transform: "none" }, { transform: "rotate(1.5turn)" }], {
            duration: FALLS,
            iterations: Infinity,
          }),
        );
        return false;
      }
      if (moved.length && from) {
        const x = (to[0] + to[2] / 2 - from[0] - from[2] / 2) * width,
          y = (to[1] + to[3] / 2 - from[1] - from[3] / 2) * height;
        const taken = standing(to).map((one) =>
          one.animate([{ opacity: 1 }, { opacity: 0 }], { ...own, duration: span }),
        );
        ahead = [
          ...taken,
          ...moved.map((one) =>
            one.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }], {
              ...own,
              duration: span,
            }),
          ),
        ];
        root.append(...moved);
        return true;
      }
      laid = (scene.lays ?? "").split("|").map((one) => one.split(" ")).filter((one) => one[1] && one[0] === step)
        .map(([, name, x, y]) => drawn(`${name} ${where[0] * width + Number(x)} ${where[1] * height + Number(y)}`));
      root.append(...laid);
      // Where nothing is told of it, its place is moved.
      const stands = laid.length ? laid : pieces(order.filter((one) => lies(one, where)), where),
        steps = laid.length
          ? [
              { opacity: 0, transform: "scale(1.3)" },
              { opacity: 1, transform: "none" },
            ]
          : [{ transform: "none" }, { transform: "scale(1.12)" }];
      ahead = stands.map((one) => one.animate(steps, { ...own, duration: span }));
      return Boolean(laid.length);
    },
    /** Take the own move back, which was refused; answers whether there was one. */
    back() {
      const going = ahead;
      for (const one of going) {
        if (one.effect?.getTiming().iterations !== 1) one.cancel();
        else one.reverse();
      }
      void Promise.allSettled(going.map((one) => one.finished)).then(() => {
        if (ahead !== going) return;
        settle();
        sort();
      });
      return going.length > 0;
    },
    /** Show nothing: the painted picture is seen. */
    hide() {
      wanted += 1;
      settle();
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
