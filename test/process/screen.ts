/**
 * All that stands on a terminal, with the lines that left it at the top, after these bytes: the cursor moves by what
 * prompts use (rows, columns, erasing), styles are left out, and lines end without blanks. Text is not wrapped.
 */
export function screenText(bytes: string): string {
  const lines: string[][] = [[]];
  const at = { row: 0, column: 0 };
  const [first = "", ...others] = bytes.split(ESCAPE);
  write(first, lines, at);
  for (const other of others) {
    const [sequence = ""] = /^\[[?\d;]*[A-Za-z]/.exec(other) ?? [];
    control(sequence, lines, at);
    write(other.slice(sequence.length), lines, at);
  }
  return lines.map((line) => line.join("").trimEnd()).join("\n");
}

const ESCAPE = "\u001b";

type Place = { row: number; column: number };

function write(text: string, lines: string[][], at: Place): void {
  for (const sign of text) {
    if (sign === "\n" || sign === "\r") at.column = 0;
    if (sign === "\n") at.row += 1;
    else if (sign >= " ") put(sign, lines, at);
  }
}

function put(sign: string, lines: string[][], at: Place): void {
  while (lines.length <= at.row) lines.push([]);
  const line = lines[at.row] ?? [];
  while (line.length < at.column) line.push(" ");
  line[at.column] = sign;
  at.column += 1;
}

function control(sequence: string, lines: string[][], at: Place): void {
  const end = sequence.at(-1) ?? "";
  const count = Number(/\d+/.exec(sequence)?.[0] ?? 1);
  Object.assign(at, MOVES[end]?.(at, count));
  if (end === "K") lines[at.row]?.splice(sequence.includes("2") ? 0 : at.column);
  if (end === "J") {
    lines[at.row]?.splice(at.column);
    lines.splice(at.row + 1);
  }
}

const MOVES: Readonly<Record<string, (at: Place, count: number) => Partial<Place>>> = {
  A: ({ row }, count) => ({ row: Math.max(0, row - count) }),
  B: ({ row }, count) => ({ row: row + count }),
  C: ({ column }, count) => ({ column: column + count }),
  D: ({ column }, count) => ({ column: Math.max(0, column - count) }),
  G: (_, count) => ({ column: count - 1 }),
};
