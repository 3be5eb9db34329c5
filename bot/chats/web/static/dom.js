/* Elements: made, kept and patched. Nothing is ever put into the page as HTML. */

/**
 * An element; what is a function among its *attributes* listens to the event of that name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} attributes
 * @param {(Node | string | null)[]} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
  return element;
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

/** @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
