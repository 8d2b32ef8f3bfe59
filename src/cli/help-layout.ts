/** Width of a help page (columns), and the paint of its headings. */
export type HelpLayout = { readonly width: number; readonly heading: (text: string) => string };

/** Layout of help in a pipe. */
export const PLAIN_LAYOUT: HelpLayout = { width: 80, heading: (text) => text };

/** A line of two columns: a term, and its description. */
export type HelpRow = readonly [term: string, about: string];

/** Beginnings of the first line and of the others. */
type Indents = { readonly first?: string; readonly rest?: string };

/** Lines of a text: filled to the width at blanks; a longer word has a line of its own. */
export function filledLines(text: string, width: number, indents: Indents = {}): readonly string[] {
  const { first = "", rest = first } = indents;
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return isEmpty ? lines : [...lines, line];
}

/** Paragraphs, separated by empty lines, filled to the width. */
export function paragraphs(text: string, { width }: HelpLayout): string {
  return text
    .split("\n\n")
    .map((paragraph) => filledLines(paragraph, Math.min(width, WIDEST_TEXT)).join("\n"))
    .join("\n\n");
}

/** Terms with their descriptions beside them, or below where there is no room. */
export function rowLines(rows: readonly HelpRow[], { width }: HelpLayout): readonly string[] {
  const room = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length)));
  const indent = " ".repeat(INDENT.length + room + GAP);
  const isNarrow = width - indent.length < NARROWEST_TEXT;
  return rows.flatMap(([term, about]) => {
    const below = filledLines(about, width, { first: isNarrow ? INDENT.repeat(3) : indent });
    const head = `${INDENT}${term}`;
    if (isNarrow || term.length > room) return [...filledLines(term, width, { first: INDENT }), ...below];
    return [`${head.padEnd(indent.length)}${below[0]?.trimStart() ?? ""}`.trimEnd(), ...below.slice(1)];
  });
}

/** A command line, continued by backslashes where it is too long; words in single quotes stay whole. */
export function shellLines(line: string, { width }: HelpLayout): readonly string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  const lines: string[] = [];
  let current = "  $";
  for (const word of words) {
    const isFirst = current.trim() === "$" || current.trim() === "";
    if (!isFirst && current.length + 1 + word.length + CONTINUED.length > width) {
      lines.push(current + CONTINUED);
      current = " ".repeat(5);
    }
    current += ` ${word}`;
  }
  const [last] = lines.slice(-1);
  return last !== undefined && current.trim() === "" ? lines : [...lines, current];
}

/** A page with a line for each line, wrapped under its last column where it is too long. */
export function fittedPage(page: string, { width }: HelpLayout): string {
  const fitted = page.split("\n").flatMap((line) => (line.length <= width ? [line] : fittedLine(line, width)));
  return fitted.join("\n");
}

function fittedLine(line: string, width: number): readonly string[] {
  const [, head = "", text = ""] = /^(.*\S {2,})(\S.*)$/.exec(line) ?? [];
  const indent = /^ */.exec(line)?.[0] ?? "";
  if (head !== "" && width - head.length >= NARROWEST_TEXT)
    return filledLines(text, width, { first: head, rest: " ".repeat(head.length) });
  const below = head === "" ? [] : filledLines(text, width, { first: `${indent}    ` });
  return [...filledLines(head || line, width, { first: indent, rest: head ? indent : `${indent}  ` }), ...below];
}

const INDENT = "  ";
const GAP = 2;
const WIDEST_TERM = 32;
const NARROWEST_TEXT = 24;
const WIDEST_TEXT = 100; // wider text is hard to read
const CONTINUED = " \\";
