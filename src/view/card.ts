import Table from "cli-table3";
import { palette, type Role } from "./palette.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";
import { cut, type Piece, pad, width, wrap, wrapPieces } from "./wrap.ts";

/** A line or paragraph beside a label; `role` colours it, or only its `lead`. */
export type Fact = {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly lead?: string;
  readonly isOneLine?: boolean;
};
/** A label with a text or facts; rows without text are omitted. */
export type CardRow = readonly [label: string, facts: string | readonly Fact[]];

/** First line of a card: the name, and words that wrap in their own column. A grid would need memory for long words. */
export function cardTitle(name: string, words: string, view: View, role?: Role, nameRole: Role = "title"): string {
  const paints = palette(view);
  const label = plain(name);
  const lines = wrap(plain(words), roomBeside(width(label), view));
  const indent = " ".repeat(width(label) + GAP);
  const text = (role ? lines.map(paints[role]) : lines).join(`\n${indent}`);
  return `${paints[nameRole](label)}${text && " ".repeat(GAP)}${text}\n`;
}

/** Pieces that are escaped, and wrapped to the terminal, further lines indented. */
export function headingText(pieces: readonly Piece[], view: View): string {
  const escaped = pieces.map(({ text, role }) => ({ text: plain(text), role }));
  return wrapPieces(escaped, view.width - GAP, palette(view)).join("\n  ");
}

/** Labels and facts, wrapped to the terminal; not wrapped or cut in a pipe. */
export function cardBody(rows: readonly CardRow[], view: View): string {
  const paints = palette(view);
  const filled = rows
    .map(([label, facts]) => ({
      label: cut(plain(label), LONGEST_LABEL, view),
      facts: typeof facts === "string" ? [{ text: facts }] : facts,
    }))
    .filter(({ facts }) => facts.some(({ text, lead }) => text !== "" || lead));
  const wide = Math.max(0, ...filled.map(({ label }) => width(label)));
  const room = roomBeside(wide, view);
  return gridText(
    filled.map(({ label, facts }) => {
      const lines = facts.flatMap((fact) => factLines(fact, room, view));
      return [paints.quiet(pad(label, wide)), lines.join("\n")];
    }),
  );
}

const GAP = 2;
const LONGEST_LABEL = 24;
const MIN_ROOM = 20;

/** Columns beside a label. */
function roomBeside(label: number, view: View): number {
  return Math.max(MIN_ROOM, view.width - label - GAP);
}

/** Lines of a fact; if it has a lead, only the lead is coloured. */
function factLines({ text, role, lead = "", isOneLine }: Fact, room: number, view: View): string[] {
  const clean = plain([lead, text].filter(Boolean).join(" "), "lines");
  const lines = isOneLine ? [cut(clean, room, view)] : wrap(clean, room);
  if (!role) return lines;
  const paint = palette(view)[role];
  return lines.map((line) => (lead ? line.replace(plain(lead), paint) : paint(line)));
}

/**
 * Labels and texts side by side, already wrapped and painted. For what fits a screen: time is
 * quadratic in the number of rows.
 */
export function gridText(rows: readonly (readonly [label: string, text: string])[]): string {
  if (rows.length === 0) return "";
  const table = new Table({ chars: NO_BORDERS, style: NO_STYLE });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString().replace(/ +$/gm, "")}\n`;
}

const NO_BORDERS = Object.fromEntries(Object.keys(new Table().options.chars).map((part) => [part, ""]));
const NO_STYLE = { head: [], border: [], "padding-left": 0, "padding-right": GAP };
