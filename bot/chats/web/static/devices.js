/* The player's devices: listed, and ended one by one. */
import { make, write } from "./dom.js";
import { able, subscribe, unsubscribe } from "./push.js";
/** @import { Answer, Device, Hall } from "../protocol" */

/** A card that lists the devices once the server has sent them. @param {Hall} hall */
export function devices(hall) {
  const { words, ask } = hall;
  const list = make("ul", { class: "devices" });
  const others = make("button", { class: "key house", click: () => ask({ kind: "end" }, told) }, words["end-others"]);
  const link = make("button", { class: "key house", click: () => ask({ kind: "back" }) }, words["my-link"]);
  const push = { key: "", on: false };
  const call = () =>
    void (push.on ? unsubscribe(ask, told) : subscribe(ask, push.key, told)).catch(() =>
      ask({ kind: "subscribe" }, told),
    );
  const calls = make("button", { class: "key house", hidden: true, click: call });
  const card = make(
    "article",
    { class: "card", id: "devices", tabindex: "-1" },
    make("div", { class: "head" }, make("h2", {}, words.devices)),
    list,
    make("div", { class: "more" }, calls, link, others),
  );

  /** @param {Answer} answer */
  function told(answer) {
    const known = answer.devices ?? [];
    list.replaceChildren(...known.map(line));
    others.hidden = known.length < 2;
    Object.assign(push, answer.push);
    calls.hidden = !push.key || !able();
    write(calls, words[push.on ? "call-me-not" : "call-me"]);
  }

  /** @param {Device} device */
  function line(device) {
    const seen = make("span", { class: "d" });
    write(seen, device.here ? words["this-device"] : `${words["last-seen"]} ${ago(device.seen)}`);
    const end = () => ask({ kind: "end", device: device.id }, told);
    const name = device.name || words["some-browser"];
    return make(
      "li",
      {},
      make("span", {}, name, seen),
      make(
        "button",
        { class: "key", "aria-label": `${words["end-device"]}: ${name}`, click: end },
        words["end-device"],
      ),
    );
  }

  ask({ kind: "devices" }, told);
  return card;
}

/** How long ago the hour *seen* was: in hours, from one day on in days. @param {string} seen */
function ago(seen) {
  if (!seen) return "—";
  const hours = Math.round((Date.parse(seen) - Date.now()) / 3600000);
  const tongue = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  return Math.abs(hours) < 24
    ? tongue.format(Math.min(0, hours), "hour")
    : tongue.format(Math.round(hours / 24), "day");
}
