import { Chalk, type ChalkInstance } from "chalk";
import type { View } from "./view.ts";

/** Colours by meaning. Colour never carries information alone: there is always a word, sign or arrow. */
const ROLES = {
  title: (chalk) => chalk.bold,
  quiet: (chalk) => chalk.dim, // headings, labels, times
  fresh: (chalk) => chalk.yellow, // open and not yet confirmed
  open: (chalk) => chalk.green,
  moving: (chalk) => chalk.cyan, // in progress
  closed: (chalk) => chalk.magenta,
  urgent: (chalk) => chalk.red,
  warn: (chalk) => chalk.yellow,
  removed: (chalk) => chalk.red,
  added: (chalk) => chalk.green,
  hint: (chalk) => chalk.cyan,
  failed: (chalk) => chalk.red.bold,
} as const satisfies Record<string, (chalk: ChalkInstance) => ChalkInstance>;

/** Name of a coloured meaning. */
export type Role = keyof typeof ROLES;
/** Painter of each role; identity without colour. */
export type Palette = Readonly<Record<Role, (text: string) => string>>;

/** Palette of a view: 16 colours, so that the terminal's theme applies. */
export function palette(view: Pick<View, "color">): Palette {
  if (!view.color) return PLAIN;
  colored ??= paletteOf(new Chalk({ level: 1 }));
  return colored;
}

let colored: Palette | undefined;
const PLAIN = paletteOf(new Chalk({ level: 0 }));

function paletteOf(chalk: ChalkInstance): Palette {
  const roles = Object.keys(ROLES) as Role[];
  return Object.fromEntries(roles.map((role) => [role, painter(ROLES[role](chalk))])) as Palette;
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
