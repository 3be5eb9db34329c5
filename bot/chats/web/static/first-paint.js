/* The board that came with the page itself is painted before the rest of the script begins. */
import { withFrame } from "./dom.js";
import { wear } from "./theme.js";

wear(); // in its colours

/** Wait until the board that the page was sent with is painted, or soon in any case. */
async function waitForBoard() {
  if (!document.body.classList.contains("early") || document.hidden) return;
  await new Promise((done) => {
    withFrame(() => setTimeout(done));
    const image = document.querySelector(".board > .pic img");
    const watching = new PerformanceObserver((told) => {
      if (!told.getEntries().some((one) => /** @type {any} */ (one).element === image)) return;
      watching.disconnect();
      done(null);
    });
    watching.observe({ type: "largest-contentful-paint", buffered: true });
  });
}

await waitForBoard();
