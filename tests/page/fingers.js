/* Fingers on real boards, read from the standard input: what they mean, and what the page takes them to mean.

Input: [{ screen, base, width, height }]; output: for each how many taps of so many did what was meant, chose
something else, chose nothing, asked for confirmation of something else, or played something else. */
import process from "node:process";
import { aim, risky } from "../../bot/chats/web/static/aim.js";

const [, , taps, off] = process.argv.map(Number);
let seed = 20_261_126;
const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647;

/** A point at most so many pixels off, uniform over the disc. */
function slip() {
  const far = off * Math.sqrt(chance()), turn = 2 * Math.PI * chance();
  return [far * Math.cos(turn), far * Math.sin(turn)];
}

let told = "";
for await (const part of process.stdin.setEncoding("utf8")) told += part; // a pipe that is not ready yet cannot be read at once

const found = JSON.parse(told).map(({ screen, base, width, height }) => {
  const aimed = { screen, base: base ?? screen, width, height }, spots = screen.spots;
  if (!base) aimed.base = screen;
  const counted = { meant: 0, chose: 0, nothing: 0, asked: 0, played: 0 };
  for (let tap = 0; tap < taps; tap++) {
    const spot = spots[Math.floor(chance() * spots.length)], [x, y] = slip();
    const meant = aim(aimed, spot.x + spot.w / 2 + x / width, spot.y + spot.h / 2 + y / height, true);
    if (meant.spot?.step === spot.step) counted.meant++;
    else if (meant.kind === "point") counted.nothing++;
    else if (meant.kind === "end" || (meant.kind === "press" && meant.button.plays)) counted[risky(aimed, meant) ? "asked" : "played"]++;
    else counted.chose++;
  }
  return counted;
});
process.stdout.write(JSON.stringify(found));
