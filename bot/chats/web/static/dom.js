/* Elements: made, kept and patched. Nothing is ever put into the page as HTML. */

/** So many milliseconds what stands beside a new board waits for it to be drawn. */
export const BESIDE = 80;

/** Do *then* when the next frame is made, and soon in any case. @param {() => void} then */
function withFrame(then) {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    then();
  };
  setTimeout(once, BESIDE);
  requestAnimationFrame(once);
}

/** Do *then* once the page has been shown as it is now, and soon in any case: as soon as the browser tells that *image*
 * is seen, where it tells that. @param {() => void} then @param {Element | null} [image] */
export function shownOnce(then, image) {
  let done = false;
  const once = () => {
    if (!done) then();
    done = true;
  };
  withFrame(() => setTimeout(once));
  if (!image) return;
  const watching = new PerformanceObserver((told) => {
    if (!told.getEntries().some((one) => /** @type {any} */ (one).element === image)) return;
    watching.disconnect();
    once();
  });
  watching.observe({ type: "largest-contentful-paint", buffered: true });
}

/**
 * Takes messages one after the other. One of which *first* answers that something is on its way to the eye is taken
 * with the next frame, and those that come meanwhile after it.
 * @template Message @param {(message: Message) => void} takes @param {(message: Message) => boolean} first
 */
export function inTurn(takes, first) {
  const line = /** @type {Message[]} */ ([]);
  return (/** @type {Message} */ message) => {
    if (!line.length && (document.hidden || !first(message))) {
      takes(message);
      return;
    }
    line.push(message);
    withFrame(() => takes(/** @type {Message} */ (line.shift())));
  };
}

/** The part of the page called *id*. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * An element; what is a function among its *attributes* listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} attributes
 * @param {(Node | string | null)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  // In a form another kind would send it off.
  if (tag === "button") element.setAttribute("type", "button");
  fit(element, attributes);
  element.append(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
  return element;
}

/** Give *element* its *attributes*, as `make` does.
 * @param {Element} element @param {Record<string, string | number | boolean | null | ((event: any) => void)>} attributes */
export function fit(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** Let *element* stand on *box* of a picture, of which it tells parts of width and height.
 * @param {HTMLElement} element @param {{ x: number, y: number, w: number, h: number }} box */
export function place(element, box) {
  const sides = { left: box.x, top: box.y, width: box.w, height: box.h };
  for (const [side, part] of Object.entries(sides)) element.style.setProperty(side, `${part * 100}%`);
}

/** Let *parent* hold exactly *wanted*; what stays is not moved, so that it keeps press and focus.
 * @param {Element} parent @param {Element[]} wanted */
export function arrange(parent, wanted) {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  wanted.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}

/** Elements by name: those that are asked for again are the same ones.
 * @param {() => HTMLElement} fresh */
export function keeper(fresh) {
  let kept = /** @type {Map<string, HTMLElement>} */ (new Map());
  let next = /** @type {Map<string, HTMLElement>} */ (new Map());
  return {
    /** @param {string} name */
    of(name) {
      let free = name;
      while (next.has(free)) free += "'";
      const element = kept.get(free) ?? fresh();
      next.set(free, element);
      return element;
    },
    done() {
      kept = next;
      next = new Map();
    },
  };
}

/** What this browser keeps by *name*, where it keeps anything; with a *value* it is kept from now on.
 * @param {string} name @param {string} [value] */
export function remembered(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name) ?? "";
  } catch {
    return value ?? "";
  }
}

/** @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Give the parts of the page their *words*. @param {Record<string, string>} words */
export function labelAll(words) {
  const marked = (/** @type {string} */ what) => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-${what}]`));
  for (const one of marked("word")) write(one, words[one.dataset.word ?? ""]);
  for (const one of marked("label")) one.setAttribute("aria-label", words[one.dataset.label ?? ""]);
  for (const one of marked("title")) one.title = words[one.dataset.title ?? ""];
}

/** A name that nobody else makes up: a UUID of the fourth kind, also where nothing is encrypted. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return Array.from(bytes, (byte, at) => ([4, 6, 8, 10].includes(at) ? "-" : "") + byte.toString(16).padStart(2, "0")).join("");
}
