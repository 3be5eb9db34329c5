/* Sounds, made here: no file is fetched for them. */
import { remembered } from "./dom.js";
import { whenSignalled } from "./signals.js";
/** @import { Signal } from "./signals.js" */

/**
 * A note: pitch in hertz, and when it begins and how long it sounds, in seconds.
 * @typedef {[number, number, number]} Note
 */

const NOTES = /** @type {Record<Signal, Note[]>} */ ({
  select: [[620, 0, 0.04]],
  move: [[360, 0, 0.07]],
  capture: [[300, 0, 0.06], [210, 0.05, 0.1]],
  check: [[740, 0.08, 0.08], [740, 0.2, 0.12]],
  roll: [[900, 0, 0.03], [760, 0.09, 0.03], [840, 0.17, 0.03], [640, 0.28, 0.05]],
  turn: [[660, 0.12, 0.1], [880, 0.22, 0.12]],
  refused: [[170, 0, 0.12]],
  low: [[990, 0, 0.07], [990, 0.14, 0.07], [990, 0.28, 0.07]],
  won: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.28]],
  over: [[523, 0, 0.16], [392, 0.15, 0.28]],
});

/** The sets of sounds: the form of the wave, how many octaves higher, and how fast a note dies away. */
const SETS = /** @type {Record<string, { wave: OscillatorType, octaves: number, dies: number }>} */ ({
  "": { wave: "triangle", octaves: 0, dies: 1 },
  wood: { wave: "square", octaves: -1, dies: 0.5 },
  glass: { wave: "sine", octaves: 1, dies: 1.8 },
});

/** How loud they are, of 1. */
const LOUD = /** @type {Record<string, number>} */ ({ low: 0.04, "": 0.12, high: 0.3 });

/** @type {AudioContext | null} */
let audio = null;
let quiet = 0; // the timer that suspends it

// Browsers allow sound only after a touch; the audio runs only while a sound plays.
for (const touched of ["pointerup", "keydown"]) {
  addEventListener(touched, () => {
    if (audio || !window.AudioContext) return;
    audio = new AudioContext();
    void audio.resume().then(() => audio?.suspend());
  }, { passive: true });
}

/** Play the sound for what happened. @param {Signal} one */
export async function play(one) {
  if (!audio || remembered("silent")) return;
  clearTimeout(quiet);
  await audio.resume();
  const { wave, octaves, dies } = SETS[remembered("sound-set")] ?? SETS[""],
    most = LOUD[remembered("volume")] ?? LOUD[""];
  for (const [pitch, begin, length] of NOTES[one]) {
    const note = audio.createOscillator(),
      loud = audio.createGain(),
      at = audio.currentTime + begin,
      end = at + length * dies + 0.03;
    note.type = wave;
    note.frequency.value = pitch * 2 ** octaves;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(wave === "square" ? most / 2 : most, at + 0.008);
    loud.gain.exponentialRampToValueAtTime(0.0001, end);
    note.connect(loud).connect(audio.destination);
    note.start(at);
    note.stop(end + 0.02);
  }
  quiet = setTimeout(() => void audio?.suspend(), 1200);
}

whenSignalled((one) => void play(one));
