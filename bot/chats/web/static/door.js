/* Instants as times of the reader, with what is left until them: at the front door, and in lists. */
const doorHours = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "short", hour: "numeric",
  minute: "2-digit" });

function countDown() {
  for (const one of document.querySelectorAll("time")) {
    const until = Date.parse(one.dateTime), left = Math.max(0, Math.round((until - Date.now()) / 1000));
    if (Number.isNaN(until)) continue;
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    one.textContent = `${doorHours.format(until)} (${parts.map((part) => String(part).padStart(2, "0")).join(":")})`;
  }
}

countDown();
setInterval(countDown, 1000);
export {};
