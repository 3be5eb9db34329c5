/* Elements: made, kept and patched. No text is ever parsed as HTML here. */

/** Milliseconds by which the parts beside a new board are drawn later than it. */
export const BESIDE = 80;

/** Do *then* with the next animation frame, or soon where there is none. @param {() => void} then */
export function withFrame(then) {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    then();
  };
  setTimeout(once, BESIDE);
  requestAnimationFrame(once);
}

/**
 * Handles messages in order by *takes*. A message that *first* has shown in part is handled with the next frame, so
 * that the browser paints that part before; later messages wait behind it.
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

/** Lay *root* out as what was not there before: another screen is no layout that shifts. @param {HTMLElement} root */
export function afresh(root) {
  root.hidden = true;
  void root.offsetWidth;
  root.hidden = false;
}

/** The part of the page called *id*. @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * A new element; a function among its *attributes* listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} attributes
 * @param {(Node | string | null)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  // The default type would submit a form.
  if (tag === "button") element.setAttribute("type", "button");
  fit(element, attributes);
  element.append(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
  return element;
}

/** Give *element* its *attributes*, as `make` does.
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} attributes
 */
export function fit(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? "" : String(value));
  }
}

/** Place *element* on *box* of a picture, in parts of its width and height.
 * @param {HTMLElement} element @param {{ x: number, y: number, w: number, h: number }} box */
export function placeOn(element, box) {
  const sides = { left: box.x, top: box.y, width: box.w, height: box.h };
  for (const [side, part] of Object.entries(sides)) element.style.setProperty(side, `${part * 100}%`);
}

/** Make *wanted* the children of *parent*; those that stay are not moved, so that they keep press and focus.
 * @param {Element} parent @param {Element[]} wanted */
export function arrange(parent, wanted) {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  wanted.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
}

/** Elements by name; asking again gives the same element.
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

/** What the browser stores by *name*, if it stores anything; a *value* is stored first.
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

/** Emoji and other signs that begin a text, and what is drawn in place of each. */
const SIGNS = /** @type {Record<string, string>} */ ({
  "✅": "good",
  "✓": "good",
  "❌": "bad",
  "✗": "bad",
  "⏳": "time",
  "⌛": "time",
  "🏆": "cup",
  "🎲": "dice",
  "🏖": "away",
  "⏸": "stop",
  "🔒": "lock",
  "↩": "back",
  "🔥": "fire",
});
const SIGN = /^(\p{Extended_Pictographic}|[✓✗])\uFE0F? /u;

/** *text* without the sign that it begins with. @param {string} text */
export const unsigned = (text) => text.replace(SIGN, "");

/**
 * Let *element* draw the sign that *text* begins with, which some systems have no glyph for; answers the rest.
 * @param {Element} element
 * @param {string} text
 */
export function signed(element, text) {
  const sign = SIGNS[SIGN.exec(text)?.[1] ?? ""];
  element.className = sign ? `signed ${sign}-sign` : "";
  return sign ? unsigned(text) : text;
}

/** Give the parts of the page their *words*. @param {Record<string, string>} words */
export function labelAll(words) {
  const marked = (/** @type {string} */ what) =>
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-${what}]`));
  for (const one of marked("word")) write(one, words[one.dataset.word ?? ""]);
  for (const one of marked("label")) one.setAttribute("aria-label", words[one.dataset.label ?? ""]);
  for (const one of marked("title")) one.title = words[one.dataset.title ?? ""];
}

/** A random UUID (version 4), also on unencrypted pages, where browsers offer none. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  return Array.from(
    bytes,
    (byte, at) => ([4, 6, 8, 10].includes(at) ? "-" : "") + byte.toString(16).padStart(2, "0"),
  ).join("");
}
