/* Web push: notifications for this device while the page is closed. */
/** @import { Answer, Hall } from "../protocol" */

/** Whether this browser supports web push. */
export const able = () => "serviceWorker" in navigator && "PushManager" in window;

/** Subscribe to messages signed by *key*, and send the subscription to the server.
 * @param {Hall["ask"]} ask @param {string} key @param {(answer: Answer) => void} told */
export async function subscribe(ask, key, told) {
  if (!key || !able() || (await Notification.requestPermission()) !== "granted") return;
  const scope = new URL(".", document.baseURI).pathname;
  await navigator.serviceWorker.register("/sw.js", { scope });
  const worker = await navigator.serviceWorker.ready;
  const heard = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  ask({ kind: "subscribe", subscription: JSON.stringify(heard) }, told);
}

/** Unsubscribe. @param {Hall["ask"]} ask @param {(answer: Answer) => void} told */
export async function unsubscribe(ask, told) {
  const worker = await navigator.serviceWorker.getRegistration(document.baseURI);
  const heard = await worker?.pushManager.getSubscription();
  await heard?.unsubscribe();
  ask({ kind: "subscribe" }, told);
}
