/* Messages that come packed, each by itself, and in their turn among the plain ones. */

/** What takes the data of a line's messages, and has them *heard* as texts.
 * @param {(text: string) => void} heard */
export function unpacking(heard) {
  let turn = Promise.resolve();
  let waits = 0; // how many messages do
  let prime = /** @type {Uint8Array | null} */ (null); // what came packed first, and the others go on from

  async function unpacked(/** @type {ArrayBuffer} */ data) {
    const { body } = new Response(new Uint8Array([...(prime ?? []), ...new Uint8Array(data)]));
    const text = await new Response(body?.pipeThrough(new DecompressionStream("deflate-raw"))).text();
    return text.slice(text.indexOf("\n") + 1);
  }

  return (/** @type {string | ArrayBuffer} */ data) => {
    if (typeof data === "string") {
      if (!waits) return heard(data);
    } else if (!prime) return void (prime = new Uint8Array(data));
    waits += 1;
    turn = turn.then(async () => {
      const text = typeof data === "string" ? data : await unpacked(data);
      // What goes wrong with one message is told, and ends no other.
      queueMicrotask(() => heard(text));
    }).catch(() => {}).then(() => void (waits -= 1));
  };
}
