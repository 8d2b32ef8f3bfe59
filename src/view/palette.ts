import { Chalk } from "chalk";
import type { View } from "./view.ts";

/** Colours of the 256 whose contrast is 3.8 or more on black and on white alike. */
export const MID_TONES = { gray: 243, brown: 130, green: 28, teal: 30, pink: 133, red: 160 } as const;

const chalk = new Chalk({ level: 2 });
const tone = (name: keyof typeof MID_TONES) => chalk.ansi256(MID_TONES[name]);

/** Colours by meaning; there is always a word, sign or arrow beside it. */
const ROLES = {
  title: chalk.bold,
  quiet: tone("gray"), // headings, labels, times
  fresh: tone("brown"), // open and not yet confirmed
  open: tone("green"),
  moving: tone("teal"), // in progress
  closed: tone("pink"),
  urgent: tone("red"),
  warn: tone("brown"),
  removed: tone("red"),
  added: tone("green"),
  hint: tone("teal"),
  failed: tone("red").bold,
} as const;

export type Role = keyof typeof ROLES;

/** Painter of each role; identity without colour. */
export type Palette = Readonly<Record<Role, (text: string) => string>>;

export function palette({ color }: Pick<View, "color">): Palette {
  return color ? COLORED : PLAIN;
}

// Chalk joins all its arguments; a painter takes one, so that it can be passed to `map`.
const COLORED = mapRoles((role) => (text) => ROLES[role](text));
const PLAIN = mapRoles(() => (text) => text);

function mapRoles(painter: (role: Role) => (text: string) => string): Palette {
  const roles = Object.keys(ROLES) as Role[];
  return Object.fromEntries(roles.map((role) => [role, painter(role)])) as Palette;
}

/** Colour of a status: by name if common, else by whether it is open. */
export function statusRole(status: string | null | undefined, isOpen?: boolean | null): Role | undefined {
  const known = STATUS[status?.toUpperCase() ?? ""];
  if (known || typeof isOpen !== "boolean") return known;
  return isOpen ? "open" : "closed";
}

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
