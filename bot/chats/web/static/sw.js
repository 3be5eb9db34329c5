/* The service worker: shows notifications while no page is open, and opens their tables. */
const hall = /** @type {any} */ (self);

hall.addEventListener("install", () => hall.skipWaiting());

hall.addEventListener("push", (/** @type {any} */ event) => {
  const { said, table } = event.data.json();
  event.waitUntil(
    hall.registration.showNotification("Ludoteca", {
      body: said,
      tag: table,
      silent: table.includes("/"), // a reminder of the move of the day, by its path
      icon: "/static/icon-192.png",
      data: { table },
    }),
  );
});

hall.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(bring(event.notification.data.table));
});

// A browser may change its push address at any time; the server is told as a page would tell it.
hall.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(moved(event)));

/** @param {any} event */
async function moved({ oldSubscription, newSubscription }) {
  const wishes = { userVisibleOnly: true, applicationServerKey: oldSubscription?.options.applicationServerKey };
  const heard = newSubscription ?? (oldSubscription && (await hall.registration.pushManager.subscribe(wishes)));
  if (heard) await told({ kind: "subscribe", subscription: JSON.stringify(heard) });
}

/** Send *frame* to the server for the page of this worker; resolves with the answer. @param {object} frame */
function told(frame) {
  const address = new URL("socket", hall.registration.scope);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address), id = crypto.randomUUID();
  return new Promise((done, failed) => {
    socket.onopen = () => socket.send(JSON.stringify({ ...frame, id }));
    socket.onmessage = (event) => JSON.parse(event.data).id === id && done(socket.close());
    socket.onclose = failed;
  });
}

/** Open a table, or the screen of a path, on an open page, else on a new one. @param {string} table */
async function bring(table) {
  const home = hall.registration.scope;
  for (const page of await hall.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    if (!page.url.startsWith(home)) continue;
    page.postMessage({ table });
    return page.focus();
  }
  return hall.clients.openWindow(`${home}${table.includes("/") ? "" : "t/"}${table}`);
}
