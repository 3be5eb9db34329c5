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
  picture: string;
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
}

export interface State {
  kind: "state";
  language: string;
  name: string;
  words: Record<string, string>;
  games: { key: string; line: string; name: string; facts: string; blurb: string }[];
  commands: string[];
  invited: string;
  boards: Board[];
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
  moves?: Told[];
  forms?: string[];
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

/** The player is called to *table*; *said* is why, in words. */
export interface Call {
  kind: "call";
  table: string;
  said: string;
}

export type Message = State | ({ kind: "board" } & Board) | Answer | Completions | Call | Soon;

/** What the page sends; *id* is a UUID by which the same wish is done once. */
export interface Frame {
  kind: "hello" | "press" | "call" | "suggest" | "invite" | "name" | "theme" | "point" | "moves" | "back";
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
}

/** Where an answer belongs: the *card* it redraws, whether a *move* was made or words kept *quiet*. */
export interface From {
  card?: HTMLElement | null;
  move?: boolean;
  quiet?: boolean;
}
