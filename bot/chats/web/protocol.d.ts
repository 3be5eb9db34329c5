/** What page and server say to each other over the WebSocket; writing.py and reading.py hold its other end. */

/** One button; *step* is the choice it stands for, *letter* how the picture marks it. */
export interface Button {
  label: string;
  code: string;
  style: string;
  letter: string;
  step: string;
  tap: string;
  plays: boolean;
}

/** A place on the picture that may be tapped: which step it means, and parts of width and height. */
export interface Spot {
  step: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A place on the picture where moves end that go on from what is chosen. */
export interface End {
  cell: string;
  x: number;
  y: number;
  w: number;
  h: number;
  moves: Button[];
}

/** Time that runs, until so many milliseconds since 1970. */
export interface Countdown {
  said: string;
  until: number;
  plain: string;
}

export interface Screen {
  table: string;
  version: number;
  title: string;
  headline: string;
  lines: string[];
  alt: string;
  countdown: Countdown | null;
  rows: Button[][];
  /** Whether it is a question that waits for yes or no. */
  asks: boolean;
  picture: string;
  /** The picture itself, in Base64, where it comes along. */
  drawn?: string;
  width: number;
  height: number;
  spots: Spot[];
  over?: boolean;
}

/** One move told in words and, as *note*, in notation; *number* counts the table's log. */
export interface Told {
  number: number;
  who: string;
  text: string;
  note: string;
}

/** How the entry *number* of the log looks on the picture: left, top, width and height in parts of it. */
export interface Motion {
  number: number;
  start: [number, number, number, number];
  end: [number, number, number, number];
  spins: boolean;
}

export interface Board extends Screen {
  mine: boolean;
  open: boolean;
  over: boolean;
  status: string;
  with: string;
  told: Told[];
  count: number;
  path: string[];
  ends: End[];
  motions: Motion[];
  watches: boolean;
}

export interface State {
  kind: "state";
  language: string;
  /** What the pictures are painted in. */
  theme: string;
  name: string;
  words: Record<string, string>;
  games: { key: string; line: string; try: string; first: string; sheet: string; name: string; facts: string; blurb: string }[];
  commands: string[];
  invited: string;
  boards: Board[];
}

/** A table that is open to all; *mine* says that one sits there. */
export interface Listed {
  table: string;
  title: string;
  who: string;
  open: boolean;
  mine: boolean;
}

/** What was chosen for later: a cell, its step, and the whole move once it is *typed*. */
export interface Plan {
  cell: Spot;
  step: string;
  typed: string;
}

/** The parts of a text, each behind how it is set: none, bold, italic or typed. */
export type Spans = [string, string][];

/** A paragraph, an item of a list, or a figure called so and what it shows in words. */
export interface Part {
  kind: "text" | "item" | "figure";
  spans: Spans;
  figure: string;
}

/** The rules of a game: its chapters, and what stands on its board, by pictures of it. */
export interface Book {
  game: string;
  title: string;
  chapters: { title: string; parts: Part[] }[];
  signs: { faces: string[]; spans: Spans }[];
}

export interface Answer {
  kind: "answer";
  id: string;
  good: boolean;
  said: string;
  menu?: boolean;
  board?: Board;
  card?: Screen;
  open?: string;
  file?: { href: string; name: string };
  link?: string;
  /** A picture that stands with what was said. */
  seen?: { picture: string; width: number; height: number; alt: string; kind: "qr" | "film" };
  moves?: Told[];
  forms?: string[];
  plan?: Plan | null;
  if?: Board;
  lobby?: Listed[];
  book?: Book;
  devices?: Device[];
  push?: { key: string; on: boolean };
}

/** A browser by which the player's page is opened, *seen* last in that hour. */
export interface Device {
  id: string;
  name: string;
  seen: string;
  here: boolean;
}

export interface Completion {
  label: string;
  line: string;
  note: string;
}

export interface Completions {
  kind: "completions";
  id: string;
  command: string;
  parameter: string;
  found: Completion[];
}

/** What was wished under *id* takes longer; its answer follows. */
export interface Soon {
  kind: "soon";
  id: string;
  said: string;
}

/** The player is called to *table*; *said* is why, in words: *news* that no board of it tells. */
export interface Call {
  kind: "call";
  table: string;
  said: string;
  news?: boolean;
}

/** One thing that *who* said; *watches* says that he looked on. */
export interface Said {
  number: number;
  who: string;
  text: string;
  mine: boolean;
  watches: boolean;
  muted: boolean;
  at: number;
}

/** What was said at *table*: the *whole* of it, or what is new; *readers* are how many others read it, *deaf* who does not. */
export interface Talk {
  kind: "talk";
  table: string;
  whole: boolean;
  lines: Said[];
  readers: number;
  deaf: string;
}

/** How many people look on at *table*, in words. */
export interface Watching {
  kind: "watching";
  table: string;
  said: string;
}

export type Message = State | ({ kind: "board" } & Board) | Answer | Completions | Call | Soon | Talk | Watching;

/** What the page sends; *id* is a UUID by which the same wish is done once. */
export interface Frame {
  kind: "hello" | "press" | "call" | "suggest" | "invite" | "name" | "theme" | "point" | "moves" | "back" | "look" | "say" | "mute" | "plan" | "lobby" | "list" | "away" | "if" | "rules" | "devices" | "end" | "subscribe";
  id?: string;
  code?: string;
  message?: string;
  line?: string;
  table?: string;
  name?: string;
  theme?: string;
  language?: string;
  path?: string;
  at?: string;
  moves?: string;
  device?: string;
  subscription?: string;
}

/** What the page lends to parts of it that are fetched only when they are wanted. */
export interface Hall {
  words: State["words"];
  ask: (frame: Frame, told?: (answer: Answer) => void) => void;
}

/** Where an answer belongs: the *card* it redraws, whether a *move* was made or words kept *quiet*. */
export interface From {
  card?: HTMLElement | null;
  move?: boolean;
  quiet?: boolean;
  told?: (answer: Answer) => void;
}
