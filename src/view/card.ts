import { type Palette, palette, type Role } from "./palette.ts";
import { grid } from "./table.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";
import { cut, type Piece, pad, width, wrap } from "./wrap.ts";

/** One line (or paragraph, when it is long) of what stands beside a label; `role` colours it, or its `lead` alone. */
export type Fact = {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly lead?: string;
  readonly isOneLine?: boolean;
};
/** A label and what is said under it; a row that says nothing is left out. */
export type CardRow = { readonly label: string; readonly facts: readonly Fact[] };

/** The first line of a card: the name, and beside it words that wrap under themselves; `role` is the colour of the words. */
export function cardTitle(name: Piece, words: Piece, view: View): string {
  const paints = palette(view);
  const indent = " ".repeat(width(name.text) + GAP);
  const room = view.terminal ? Math.max(LEAST_ROOM, view.width - indent.length) : Infinity;
  const lines = wrap(words.text, room).map((line) => (words.role ? paints[words.role](line) : line));
  const painted = paints[name.role ?? "title"](name.text);
  return `${words.text === "" ? painted : painted + " ".repeat(GAP) + lines.join(`\n${indent}`)}\n`;
}

/** Lays out labels and what stands beside them, wrapped to the terminal; into a pipe no line is broken or cut. */
export function cardRows(rows: readonly CardRow[], view: View): string {
  const told = rows.filter(({ facts }) => facts.some(({ text, lead }) => text !== "" || lead));
  const labels = told.map(({ label }) => cut(plain(label), LONGEST_LABEL));
  const wide = Math.max(0, ...labels.map(width));
  const paints = palette(view);
  const room = view.terminal ? Math.max(LEAST_ROOM, view.width - wide - GAP) : Infinity;
  const value = ({ facts }: CardRow) => facts.flatMap((fact) => factLines(fact, room, paints)).join("\n");
  return grid(told.map((row, at) => [paints.quiet(pad(labels[at] ?? "", wide)), value(row)]));
}

/** Sets several cards under one another with a line between them. */
export function separated(cards: readonly string[], view: View): string {
  const rule = "─".repeat(Math.min(view.width, LONGEST_RULE));
  return cards.join(`\n${palette(view).quiet(rule)}\n\n`);
}

const GAP = 2;
const LONGEST_LABEL = 24;
const LEAST_ROOM = 20;
const LONGEST_RULE = 80;

function factLines({ text, role, lead = "", isOneLine }: Fact, room: number, paints: Palette): readonly string[] {
  const clean = plain(lead && text ? `${lead} ${text}` : lead || text, { lines: true });
  const lines = isOneLine ? [cut(clean, room)] : wrap(clean, room);
  if (!role) return lines;
  const led = plain(lead);
  return led ? lines.map((line) => line.replace(led, paints[role])) : lines.map(paints[role]);
}
