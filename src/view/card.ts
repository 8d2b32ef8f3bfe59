import { type Palette, palette, type Role } from "./palette.ts";
import { plain } from "./text.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, type Piece, pad, width, wrap } from "./wrap.ts";

/** A line or paragraph beside a label; `role` colours it, or only its `lead`. */
export type Fact = {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly lead?: string;
  readonly isOneLine?: boolean;
};
/** A label with a text or facts; rows without text are omitted. */
export type CardRow = readonly [label: string, facts: string | readonly Fact[]];

/** First line of a card: the name, and words that wrap in their own column. */
export function cardTitle(name: Piece, words: Piece, view: View): string {
  const paints = palette(view);
  const indent = " ".repeat(width(name.text) + GAP);
  const room = view.terminal ? Math.max(MIN_ROOM, view.width - indent.length) : Infinity;
  const lines = wrap(words.text, room).map((line) => (words.role ? paints[words.role](line) : line));
  const painted = paints[name.role ?? "title"](name.text);
  return `${words.text === "" ? painted : painted + " ".repeat(GAP) + lines.join(`\n${indent}`)}\n`;
}

/** Labels and facts, wrapped to the terminal; not wrapped or cut in a pipe. */
export function cardRows(rows: readonly CardRow[], view: View): string {
  const { ellipsis } = viewSigns(view);
  const paints = palette(view);
  const filled = rows
    .map(([label, facts]) => ({
      label: cut(plain(label), LONGEST_LABEL, ellipsis),
      facts: typeof facts === "string" ? [{ text: facts }] : facts,
    }))
    .filter(({ facts }) => facts.some(({ text, lead }) => text !== "" || lead));
  const wide = Math.max(0, ...filled.map(({ label }) => width(label)));
  const room = view.terminal ? Math.max(MIN_ROOM, view.width - wide - GAP) : Infinity;
  const texts = filled.map(({ label, facts }) => {
    const lines = facts.flatMap((fact) => factLines(fact, room, { paints, ellipsis }));
    return besideLabel(paints.quiet(pad(label, wide)), wide, lines);
  });
  return texts.join("");
}

const GAP = 2;
const LONGEST_LABEL = 24;
const MIN_ROOM = 20;

/** Lines of a fact; if it has a lead, only the lead is coloured. */
function factLines(
  { text, role, lead = "", isOneLine }: Fact,
  room: number,
  { paints, ellipsis }: { paints: Palette; ellipsis: string },
): string[] {
  const clean = plain(lead && text ? `${lead} ${text}` : lead || text, { lines: true });
  const lines = isOneLine ? [cut(clean, room, ellipsis)] : wrap(clean, room);
  if (!role) return lines;
  const paintedPart = plain(lead);
  return paintedPart ? lines.map((line) => line.replace(paintedPart, paints[role])) : lines.map(paints[role]);
}

/** A painted label, `columns` wide, and the lines beside it. */
export function besideLabel(label: string, columns: number, [first = "", ...more]: readonly string[]): string {
  const indent = " ".repeat(columns + GAP);
  const lines = [`${label}${" ".repeat(GAP)}${first}`, ...more.map((line) => indent + line)];
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
