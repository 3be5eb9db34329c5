/* A page of a tournament follows it: it waits for news, and loads itself anew where there are some. */

const AGAIN = 5000; // milliseconds until it asks again after a failure
const PLACES = "follow.places"; // how far what is wider than the page was moved

/** How far everything wide is moved to the side. */
const wide = () => [...document.querySelectorAll(".wide")];

/** The version of the tournament that is shown. */
const version = document.querySelector("[data-version]")?.getAttribute("data-version") ?? "";

const sideways = sessionStorage.getItem(PLACES);
sessionStorage.removeItem(PLACES);
for (const [n, left] of /** @type {number[]} */ (JSON.parse(sideways ?? "[]")).entries()) {
  const element = wide()[n];
  if (element) element.scrollLeft = left;
}

/** Wait for news, for ever. */
async function follow() {
  for (;;) {
    try {
      const told = await fetch(`${location.pathname}/news?after=${version}`, { cache: "no-store" });
      if (told.status === 200) {
        sessionStorage.setItem(PLACES, JSON.stringify(wide().map((element) => element.scrollLeft)));
        location.reload();
        return;
      }
      if (told.status === 204) continue;
    } catch {
      // Offline: it asks again.
    }
    await new Promise((then) => setTimeout(then, AGAIN));
  }
}

if (version) void follow();
