/* Messages that come packed, each by what those before it have told, and in their turn among the plain ones. */

/** What takes the data of a line's messages, and has them *heard* as texts. @param {(text: string) => void} heard */
export function unpacking(heard) {
  const line = /** @type {(string | null)[]} */ ([]); // what waits, null where it is still packed
  let packer = /** @type {WritableStreamDefaultWriter | null} */ (null);
  let text = "";

  function told() {
    while (line.length && line[0] !== null) heard(/** @type {string} */ (line.shift()));
  }

  function begin() {
    const { readable, writable } = new DecompressionStream("deflate-raw");
    const write = (/** @type {string} */ part) => {
      const whole = (text + part).split("\n");
      text = /** @type {string} */ (whole.pop());
      for (const one of whole) {
        line[line.indexOf(null)] = one;
        // What goes wrong with one message is told, and ends no other.
        queueMicrotask(told);
      }
    };
    // A line that ends leaves it behind.
    readable.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write })).catch(() => {});
    return writable.getWriter();
  }

  return (/** @type {string | BufferSource} */ data) => {
    const plain = typeof data === "string";
    line.push(plain ? data : null);
    if (plain) return told();
    packer ??= begin();
    packer.write(data).catch(() => {});
  };
}
