/** The messages between page and server over the WebSocket; message_formatting.py and reading.py hold the other end. */

/**
 * A button; *step* is its choice, *letter* its mark on the picture, *tap* the code for a tap on it, if that is
 * another.
 */
export interface Button {
  label: string;
  code: string;
  style: string;
  letter?: string;
  step: string;
  tap?: string;
  plays?: boolean;
  /** A game, how much of it is done, and of how much. */
  part?: [string, number, number];
  /** Whether it is hardly ever wanted. */
  quiet?: boolean;
}

/** A place on the picture that may be tapped: its step, and parts of width and height. */
export interface Spot {
  step: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A place on the picture where moves from the present choice end. */
export interface End {
  cell: string;
  x: number;
  y: number;
  w: number;
  h: number;
  moves: Button[];
}

/**
 * A countdown, of which so many milliseconds were *left* when it was sent; *until* is its end by the page's own clock.
 */
export interface Countdown {
  said: string;
  left: number;
  until?: number;
  plain: string;
}

/** The seat of *who*; *side* names the side, *typed* says that a person has chosen the name. */
export interface ClockFace {
  who: string;
  mine: boolean;
  typed: boolean;
  side: string;
}

/** The picture as *parts* from the lowest to the highest, with bars between: the name of a sprite and its corner, or a
 * colour (`#rrggbb`) and the corner and size of a rectangle, with blanks between. *sprites* are those that the page
 * lacks, with their width and height; each is fetched by its name, which is that of its content. *lays* is what choices
 * lay on their place, with bars between: the step, nothing for the place itself, a sprite, and its corner there.
 */
export interface Scenery {
  width: number;
  height: number;
  parts: string;
  lays?: string;
  sprites?: Record<string, [number, number]>;
}

/** A question of a form: the number of the option that is *chosen*, or -1. */
export interface Choice {
  name: string;
  chosen: number;
  options: Option[];
}

/**
 * An option of a question; its *code* is pressed. A side has its *colour*, what boards look like the address of a
 * *cover*.
 */
export interface Option {
  label: string;
  code: string;
  colour: string;
  cover: string;
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
  /** The questions of a form above the buttons. */
  choices?: Choice[];
  /** The language of a card. */
  language?: string;
  /** The game that a card is about, and the address of its picture. */
  game?: string;
  cover?: string;
  /** Whether it is a yes-or-no question. */
  asks: boolean;
  /** Lines of it that may be copied. */
  pasted?: string;
  picture: string;
  /** The bar of each seat on the picture, and top and bottom of the board between them. */
  bars?: { x: number, y: number, w: number, h: number }[];
  crop?: [number, number];
  /** Whether what differs from what was shown before glides to its place. */
  glides?: boolean;
  /** The ways of the move that was played and of a better one. */
  arrows?: { x: number, y: number, w: number, h: number }[][];
  /** The same to be drawn by the page itself, for the table in view. */
  scene?: Scenery | null;
  width: number;
  height: number;
  spots: Spot[];
  over?: boolean;
}

/**
 * A move in words and in notation (*note*); *number* is its entry in the table's log, *weight* 2 for what weighs much,
 * such as
 * a capture. */
export interface Told {
  number: number;
  who: string;
  text: string;
  note: string;
  weight: number;
}

/** The motion of the log's entry *number* on the picture: left, top, width and height in parts of it; *face* is what
 * chance brought, where the picture shows it no more. */
export interface Motion {
  number: number;
  start: [number, number, number, number];
  end: [number, number, number, number];
  spins?: boolean;
  face?: string;
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
  clocks: ClockFace[];
  /** Of each seat the milliseconds left of its clock, or -1 without, and whether it is its turn: then the countdown
   * says how much is left. */
  left: number[];
  runs: boolean[];
  watches: boolean;
  /** How a finished game went for the player. */
  result: "" | "won" | "lost" | "drawn";
  /** Whether there is something that everybody should notice, such as check. */
  warned: boolean;
  /** Whether the coach has something to say. */
  coached: boolean;
}

/**
 * A board as what differs from the last one of its *table*: new values by name (*told*), and lists by *edits*, each
 * the start
 * and the length of a part of the known one, or a list with new items. */
export interface Difference {
  table: string;
  mine: boolean;
  told: Record<string, unknown>;
  edits: Record<string, [number | unknown[], number?][]>;
}

export interface State {
    kind: "state";
    language: string;
    /** The theme of the pictures. */
    theme: string;
    name: string;
    /** Names words and games, which are left out for whoever has them already. */
    texts: string;
    words: Record<string, string>;
    /** The games; *cover* is the address of a picture, which may bear the name (*named*). */
    games: {
        key: string;
        try: string;
        sheet: string;
        terms: string;
        name: string;
        facts: string;
        blurb: string;
        cover: string;
        named: boolean;
    }[];
    invited: string;
    /** Names the database: another one may be older than what the page shows. */
    lineage: string;
    /** The version of the server's scripts, once the page is open. */
    scripts?: string;
    boards: Board[];
}

/** A table of the *game* that is open to all or may be watched; *mine* says that the player sits there. */
export interface Listed {
  table: string;
  game: string;
  title: string;
  who: string;
  open: boolean;
  mine: boolean;
  /** Its clock, and whether it counts. */
  terms: string;
  clock: string;
  rated: boolean;
  /** Whether it stands in the channel of the reader's Activity, and is not open to all. */
  here: boolean;
}

/** A tempo to play at once: its clock and who waits (*said*). */
export interface Tempo {
  key: string;
  label: string;
  said: string;
}

/** A finished game of the player: *who* else played, and the *day* it ended. */
export interface Finished {
  table: string;
  title: string;
  who: string;
  day: string;
}

/**
 * What the player has written on a moment of a finished game, after *number* entries of its log; *moves* is a branch
 * from there.
 */
export interface Comment {
  number: number;
  text: string;
  moves: string;
}

/** A planned move: a cell, its step, and the whole move as it is *typed* once it is complete. */
export interface Plan {
  cell: Spot;
  step: string;
  typed: string;
}

/** The parts of a text, each after its style: none, bold, italic or typed. */
export type Spans = [string, string][];

/** A paragraph, a list item, or a figure by its name with a description. */
export interface Part {
  kind: "text" | "item" | "figure";
  spans: Spans;
  figure: string;
}

/** The rules of a game: its chapters, and its pieces with their pictures. */
export interface Book {
  game: string;
  title: string;
  chapters: { title: string; parts: Part[] }[];
  signs: { faces: string[]; spans: Spans }[];
}

/**
 * What is set up by hand: its *text*, why that is no position (*wrong*), the pieces that can be put, and the places
 * beside
 * the board with their names. */
export interface Editor {
  text: string;
  wrong: string;
  pieces: { key: string; label: string; side: string; face: string }[];
  beside: [string, string][];
}

export interface Answer {
  kind: "answer";
  id: string;
  good: boolean;
  said: string;
  menu?: boolean;
  /** What the player alone is shown or asked. */
  board?: Board;
  /** The table's board after the request. */
  current?: { kind: "board" } & Board;
  card?: Screen;
  open?: string;
  file?: { href: string; name: string };
  link?: string;
  /** What to know of the link, below it. */
  note?: string;
  /** A picture beside the words. */
  seen?: { picture: string; alt: string };
  moves?: Told[];
  forms?: string[];
  /** The places on the board that the words are about. */
  marks?: Spot[];
  /** The key that leads on from what is said. */
  leads?: Button;
  plan?: Plan | null;
  if?: Board;
  editor?: Editor;
  lobby?: Listed[];
  tempos?: Tempo[];
  finished?: Finished[];
  comments?: Comment[];
  book?: Book;
  devices?: Device[];
  push?: { key: string; on: boolean };
}

/** A browser of the player, last *seen* in that hour. */
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

/** The request *id* takes longer; its answer follows. */
export interface Soon {
  kind: "soon";
  id: string;
  said: string;
}

/** A notification of *table*, in words; *news* is what no board shows. */
export interface Call {
  kind: "call";
  table: string;
  said: string;
  news?: boolean;
}

/** A line of talk by *who*; *watches* says that they looked on. */
export interface Said {
  number: number;
  who: string;
  text: string;
  mine: boolean;
  watches: boolean;
  muted: boolean;
  at: number;
}

/**
 * The talk at *table*: the *whole* or what is new; *readers* counts the others who read it, *deaf* says who does not.
 */
export interface Talk {
  kind: "talk";
  table: string;
  whole: boolean;
  lines: Said[];
  readers: number;
  deaf: string;
}

/** The answer to a ping: the milliseconds that are *left* of each countdown, by table. */
export interface Pong {
  kind: "pong";
  id: string;
  left: Record<string, number>;
}

/** The number of onlookers at *table*, in words. */
export interface Watching {
  kind: "watching";
  table: string;
  said: string;
}

/** A table is open to all no longer. */
export interface Unlisted {
  kind: "unlisted";
  table: string;
}

export type Message =
  State | ({ kind: "board" } & Board) | Answer | Completions | Call | Soon | Talk | Watching | Unlisted |
  { kind: "house" };

/** A request of the page; its *id* is a UUID, by which it is done once. */
export interface Frame {
    kind:
        | "hello"
        | "press"
        | "call"
        | "suggest"
        | "invite"
        | "name"
        | "theme"
        | "point"
        | "moves"
        | "back"
        | "look"
        | "say"
        | "mute"
        | "plan"
        | "coach"
        | "lobby"
        | "now"
        | "list"
        | "away"
        | "if"
        | "rules"
        | "devices"
        | "end"
        | "subscribe"
        | "ping"
        | "wrong"
        | "finished"
        | "comments"
        | "comment"
        | "position"
        | "setup"
        | "file";
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
    data?: string;
    subscription?: string;
}

/** What the page gives to scripts that are loaded later. */
export interface Hall {
  words: State["words"];
  ask: (frame: Frame, told?: (answer: Answer) => void) => void;
}

/** A screen of the page, as its address names it; at a table perhaps the moment *at* of its game. */
export type Place =
  | { kind: "home" | "settings" | "games" | "companions" | "position" | "help" }
  | { kind: "play" | "learn" | "puzzle" | "rules"; game: string }
  /**
   * The ladder of a game, perhaps of this month and its page (`niya/month/1`), or a person by their word; a tournament
   * by its code.
   */
  | { kind: "people" | "tournaments"; part: string }
  | { kind: "table"; table: string; at: number | null };

/**
 * Where an answer belongs: the *card* it redraws, the screen *at* which it was asked, and whether it was for a *move*,
 * is to stay *quiet*,
 * or was asked *again*. */
export interface From {
  at?: string;
  card?: HTMLElement | null;
  move?: boolean;
  quiet?: boolean;
  again?: boolean;
  told?: (answer: Answer) => void;
}
