import type { Example } from "../commands/verb.ts";

export type HelpRow = readonly [term: string, about: string];

/** Part of a page of help; `bt` prints it as text, the build as a manual page. */
export type Block =
  | { readonly kind: "title" | "heading" | "text" | "lines"; readonly text: string } // lines: as they are
  | { readonly kind: "usage"; readonly command: string; readonly rest: string } // "bug get", "<bug...> [flags]"
  | { readonly kind: "commands"; readonly examples: readonly Example[] }
  | { readonly kind: "rows"; readonly rows: readonly HelpRow[] };

/** Width of a help page (columns), and the paint of its headings. */
export type HelpLayout = { readonly width: number; readonly heading: (text: string) => string };

export const PLAIN_LAYOUT: HelpLayout = { width: 80, heading: (text) => text };

/** A page as text: an empty line below each block but a heading. */
export function pageText(blocks: readonly Block[], layout: HelpLayout): string {
  const texts = blocks.map((block) => {
    return `${blockLines(block, layout).join("\n")}${block.kind === "heading" ? "\n" : "\n\n"}`;
  });
  return texts.join("").replace(/\n+$/, "\n");
}

function blockLines(block: Block, layout: HelpLayout): readonly string[] {
  const { heading } = layout;
  const width = Math.min(layout.width, WIDEST_TEXT);
  switch (block.kind) {
    case "title":
    case "heading":
      return [heading(filledLines(`${block.text}:`, width).join("\n"))];
    case "text":
      return filledLines(block.text, width);
    case "usage":
      return usageLines(`${block.command} ${block.rest}`, layout);
    case "lines":
      return [block.text];
    case "commands":
      return exampleLines(block.examples, layout);
    case "rows":
      return rowLines(block.rows, width);
  }
}

const WIDEST_TEXT = 100; // wider text is hard to read

export function usageLines(usage: string, { width, heading }: HelpLayout): readonly string[] {
  const [first = "", ...rest] = filledLines(`bt ${usage}`, width, { first: "Usage: ", rest: " ".repeat(9) });
  return [first.replace("Usage:", heading("Usage:")), ...rest];
}

/** Examples with their descriptions beside them, or above where there is no room. */
export function exampleLines(examples: readonly Example[], { width }: HelpLayout): readonly string[] {
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  if (beside.every((line) => line.length <= Math.min(width, WIDEST_TEXT))) return beside;
  return examples.flatMap(({ line, about }) => [
    ...filledLines(`# ${about}`, width, { first: "  " }),
    ...shellLines(line, width),
  ]);
}

/** A command line, continued by backslashes; words in single quotes stay whole. */
export function shellLines(line: string, width: number): string[] {
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
const CONTINUED = " \\";

/** Terms with their descriptions beside them, or below where there is no room. */
export function rowLines(rows: readonly HelpRow[], width: number): readonly string[] {
  const room = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length)));
  const indent = " ".repeat(INDENT.length + room + GAP);
  const isNarrow = width - indent.length < NARROWEST_TEXT;
  return rows.flatMap(([term, about]) => {
    const below = filledLines(about, width, { first: isNarrow ? INDENT.repeat(3) : indent });
    if (isNarrow || term.length > room) return [...filledLines(term, width, { first: INDENT }), ...below];
    const [first = "", ...more] = below;
    return [`${`${INDENT}${term}`.padEnd(indent.length)}${first.trimStart()}`.trimEnd(), ...more];
  });
}

const INDENT = "  ";
const GAP = 2;
const WIDEST_TERM = 32;
const NARROWEST_TEXT = 24;

/** Lines of a text, filled to the width at blanks, after `first` and then `rest`. */
export function filledLines(text: string, width: number, indents: { first?: string; rest?: string } = {}): string[] {
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
