import type { Example } from "../commands/verb.ts";

/** Width of a help page (columns), and the paint of its headings. */
export type HelpLayout = { readonly width: number; readonly heading: (text: string) => string };

/** Layout of help in a pipe. */
export const PLAIN_LAYOUT: HelpLayout = { width: 80, heading: (text) => text };

/** A line of two columns: a term, and its description. */
export type HelpRow = readonly [term: string, about: string];

/** Beginnings of the first line and of the others. */
type Indents = { first?: string; rest?: string };

/** Lines of a text: filled to the width at blanks; a longer word has a line of its own. */
export function filledLines(text: string, width: number, indents: Indents = {}): string[] {
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

/** The layout, limited to a readable width. */
export function readableLayout(layout: HelpLayout): HelpLayout {
  return { ...layout, width: Math.min(layout.width, WIDEST_TEXT) };
}

/** Paragraphs, separated by empty lines, filled to the width. */
export function paragraphs(text: string, layout: HelpLayout): string {
  const { width } = readableLayout(layout);
  return text
    .split("\n\n")
    .map((paragraph) => filledLines(paragraph, width).join("\n"))
    .join("\n\n");
}

/** Terms with their descriptions beside them, or below where there is no room. */
export function rowLines(rows: readonly HelpRow[], layout: HelpLayout): readonly string[] {
  const { width } = layout;
  const room = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length)));
  const indent = " ".repeat(INDENT.length + room + GAP);
  if (width - indent.length < NARROWEST_TEXT) return belowLines(rows, layout);
  return rows.flatMap(([term, about]) => {
    const below = filledLines(about, width, { first: indent });
    const head = `${INDENT}${term}`;
    if (term.length > room) return [...filledLines(term, width, { first: INDENT }), ...below];
    return [`${head.padEnd(indent.length)}${below[0]?.trimStart() ?? ""}`.trimEnd(), ...below.slice(1)];
  });
}

/** Terms with their descriptions below them. */
function belowLines(rows: readonly HelpRow[], { width }: HelpLayout): string[] {
  return rows.flatMap(([term, about]) => [
    ...filledLines(term, width, { first: INDENT }),
    ...filledLines(about, width, { first: INDENT.repeat(3) }),
  ]);
}

/** Command lines below their descriptions. */
export function commandLines(examples: readonly Example[], layout: HelpLayout): string[] {
  return examples.flatMap(({ line, about }) => [
    ...filledLines(`# ${about}`, layout.width, { first: "  " }),
    ...shellLines(line, layout),
  ]);
}

/** A command line, continued by backslashes where it is too long; words in single quotes stay whole. */
export function shellLines(line: string, { width }: HelpLayout): string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  const lines: string[] = [];
  let current = PROMPT;
  for (const word of words) {
    if (current !== PROMPT && current.length + 1 + word.length + CONTINUED.length > width) {
      lines.push(current + CONTINUED);
      current = " ".repeat(5);
    }
    current += ` ${word}`;
  }
  return [...lines, current];
}

const PROMPT = "  $";
const INDENT = "  ";
const GAP = 2;
const WIDEST_TERM = 32;
const NARROWEST_TEXT = 24;
const WIDEST_TEXT = 100; // wider text is hard to read
const CONTINUED = " \\";
