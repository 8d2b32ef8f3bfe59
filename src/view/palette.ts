import { Chalk, type ChalkInstance } from "chalk";
import type { View } from "./view.ts";

/**
 * What the formatters may say with colour, by meaning. Colour never says anything alone: the word, sign or arrow that it
 * underlines is always there too.
 */
const ROLES = {
  title: (chalk) => chalk.bold,
  quiet: (chalk) => chalk.dim, // headings, labels, times: what frames the data
  fresh: (chalk) => chalk.yellow, // open and not yet confirmed
  open: (chalk) => chalk.green,
  moving: (chalk) => chalk.cyan, // somebody works on it
  closed: (chalk) => chalk.magenta,
  urgent: (chalk) => chalk.red,
  warn: (chalk) => chalk.yellow,
  removed: (chalk) => chalk.red,
  added: (chalk) => chalk.green,
  hint: (chalk) => chalk.cyan,
  failed: (chalk) => chalk.red.bold,
} as const satisfies Record<string, (chalk: ChalkInstance) => ChalkInstance>;

/** The name of a meaning that can be coloured. */
export type Role = keyof typeof ROLES;
/** Puts text into the colour of each meaning, or leaves it alone where the view has no colour. */
export type Palette = Readonly<Record<Role, (text: string) => string>>;

/** The colours of a view; the only place that knows of colour codes. Sixteen colours, so that the user's own theme rules. */
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

// Chalk joins whatever it is given; here it is given one text, so that a list can be painted with `map`.
function painter(paint: ChalkInstance): (text: string) => string {
  return (text) => paint(text);
}

/** The colour of a status: by name where it is a common one, else by whether it is open. */
export function statusRole(status: string | null | undefined, isOpen?: boolean | null): Role | undefined {
  const known = STATUS[status?.toUpperCase() ?? ""];
  if (known || typeof isOpen !== "boolean") return known;
  return isOpen ? "open" : "closed";
}

/** The colour of a priority or severity: what must not be overlooked stands out, what can wait steps back. */
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
