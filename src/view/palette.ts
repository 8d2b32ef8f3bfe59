import { Chalk, type ChalkInstance } from "chalk";
import type { Theme, View } from "./view.ts";

type Paint = (chalk: ChalkInstance) => ChalkInstance;

/** Colours of the 256 whose contrast is 3.8 or more on black and on white alike. */
export const MID_TONES = { gray: 243, brown: 130, green: 28, teal: 30, pink: 133, red: 160 } as const;

const mid =
  (tone: keyof typeof MID_TONES): Paint =>
  (chalk) =>
    chalk.ansi256(MID_TONES[tone]);

/** Colours by meaning. Colour never carries information alone: there is always a word, sign or arrow. */
const ANY_BACKGROUND = {
  title: (chalk) => chalk.bold,
  quiet: mid("gray"), // headings, labels, times
  fresh: mid("brown"), // open and not yet confirmed
  open: mid("green"),
  moving: mid("teal"), // in progress
  closed: mid("pink"),
  urgent: mid("red"),
  warn: mid("brown"),
  removed: mid("red"),
  added: mid("green"),
  hint: mid("teal"),
  failed: (chalk) => mid("red")(chalk).bold,
} as const satisfies Record<string, Paint>;

/** Name of a coloured meaning. */
export type Role = keyof typeof ANY_BACKGROUND;

/** The 16 colours, which the terminal's own theme defines; those for one background are unreadable on the other. */
const BASIC = {
  open: (chalk) => chalk.green,
  added: (chalk) => chalk.green,
  closed: (chalk) => chalk.magenta,
  urgent: (chalk) => chalk.red,
  removed: (chalk) => chalk.red,
  failed: (chalk) => chalk.red.bold,
} satisfies Partial<Record<Role, Paint>>;

const DARK: Readonly<Record<Role, Paint>> = {
  ...ANY_BACKGROUND,
  ...BASIC,
  quiet: (chalk) => chalk.dim,
  fresh: (chalk) => chalk.yellow,
  warn: (chalk) => chalk.yellow,
  moving: (chalk) => chalk.cyan,
  hint: (chalk) => chalk.cyan,
};

const LIGHT: Readonly<Record<Role, Paint>> = {
  ...ANY_BACKGROUND,
  ...BASIC,
  quiet: (chalk) => chalk.gray,
  fresh: (chalk) => chalk.blue,
  warn: (chalk) => chalk.red,
  moving: (chalk) => chalk.blue,
  hint: (chalk) => chalk.blue,
};

const PAINTS_BY_THEME: Readonly<Record<Theme, Readonly<Record<Role, Paint>>>> = {
  auto: ANY_BACKGROUND,
  dark: DARK,
  light: LIGHT,
};

/** Painter of each role; identity without colour. */
export type Palette = Readonly<Record<Role, (text: string) => string>>;

/** Palette of a view, for the background of its terminal. */
export function palette({ color, theme = "auto" }: { color: boolean; theme?: View["theme"] }): Palette {
  if (!color) return PLAIN;
  colored[theme] ??= buildPalette(new Chalk({ level: 2 }), PAINTS_BY_THEME[theme]);
  return colored[theme];
}

const colored: Partial<Record<Theme, Palette>> = {};
const PLAIN = Object.fromEntries(Object.keys(ANY_BACKGROUND).map((role) => [role, (text: string) => text])) as Palette;

function buildPalette(chalk: ChalkInstance, paints: Readonly<Record<Role, Paint>>): Palette {
  const roles = Object.keys(paints) as Role[];
  return Object.fromEntries(roles.map((role) => [role, painter(paints[role](chalk))])) as Palette;
}

// Chalk joins all its arguments; a painter takes one, so that it can be passed to `map`.
function painter(paint: ChalkInstance): (text: string) => string {
  return (text) => paint(text);
}

/** Colour of a status: by name if common, else by whether it is open. */
export function statusRole(status: string | null | undefined, isOpen?: boolean | null): Role | undefined {
  const known = STATUS[status?.toUpperCase() ?? ""];
  if (known || typeof isOpen !== "boolean") return known;
  return isOpen ? "open" : "closed";
}

/** Colour of a priority or severity. */
export function urgencyRole(word: string | null | undefined): Role | undefined {
  return URGENCY.find(([pattern]) => pattern.test(word ?? ""))?.[1];
}

const STATUS: Readonly<Record<string, Role>> = {
  UNCONFIRMED: "fresh",
  NEW: "open",
  CONFIRMED: "open",
  REOPENED: "open",
  ASSIGNED: "moving",
  IN_PROGRESS: "moving",
  RESOLVED: "closed",
  VERIFIED: "closed",
  CLOSED: "closed",
};

const URGENCY: readonly (readonly [RegExp, Role])[] = [
  [/^(?:highest|urgent|immediate|blocker|critical|p1|s1)$/i, "urgent"],
  [/^(?:high|major|p2|s2)$/i, "warn"],
  [/^(?:low|lowest|minor|trivial|enhancement|p4|p5|s4|n\/a|-+)$/i, "quiet"],
];
