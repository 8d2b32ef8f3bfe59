import type { Example } from "../commands/verb.ts";
import {
  commandLines,
  filledLines,
  type HelpLayout,
  type HelpRow,
  paragraphs,
  readableLayout,
  rowLines,
} from "./help-layout.ts";

/**
 * Part of a page of help, which is Markdown: `# Title`, `## Heading`, paragraphs, `- points`, indented commands (`# about` above
 * `$ line`), and terms with their descriptions: a line with a term, then one that begins with `: `.
 */
export type Block =
  | { readonly kind: "title" | "heading" | "text"; readonly text: string }
  | { readonly kind: "points"; readonly points: readonly string[] }
  | { readonly kind: "commands"; readonly examples: readonly Example[] }
  | { readonly kind: "rows"; readonly rows: readonly HelpRow[] };

/** The parts of a page, which empty lines separate. */
export function blocksOf(page: string): Block[] {
  return page
    .replace(/^\n+|\s+$/g, "")
    .split(/\n{2,}/)
    .map(blockOf);
}

function blockOf(text: string): Block {
  if (text.startsWith("# ")) return { kind: "title", text: text.slice(2) };
  if (text.startsWith("## ")) return { kind: "heading", text: text.slice(3) };
  if (text.startsWith("- ")) return { kind: "points", points: text.slice(2).split(/\n- /) };
  if (text.startsWith("    ")) return { kind: "commands", examples: examplesIn(text) };
  return /^.*\n: /.test(text) ? { kind: "rows", rows: rowsIn(text) } : { kind: "text", text };
}

function examplesIn(text: string): Example[] {
  const [, ...examples] = text.split(/^ {4}# /m);
  return examples.map((example) => {
    const [about = "", line = ""] = example.trimEnd().split(/\n {4}\$ /);
    return { about, line };
  });
}

/** Terms and descriptions; a description goes on in lines that begin with two blanks. */
function rowsIn(text: string): HelpRow[] {
  return text.split(/\n(?! {2}|: )/).map((row): HelpRow => {
    const [term = "", about = ""] = row.split(/\n: /);
    return [term, about];
  });
}

/** Terms and descriptions as Markdown. */
export function rowsMarkdown(rows: readonly HelpRow[]): string {
  return rows.map(([term, about]) => `${term}\n: ${about}`).join("\n");
}

/** Text of a page, filled to the width or as far as it is readable. */
export function pageText(page: string, layout: HelpLayout): string {
  const fitted = readableLayout(layout);
  return blocksOf(page)
    .map((block) => `${blockText(block, fitted)}${block.kind === "heading" ? "\n" : "\n\n"}`)
    .join("")
    .replace(/\n+$/, "\n");
}

function blockText(block: Block, layout: HelpLayout): string {
  switch (block.kind) {
    case "title":
    case "heading":
      return layout.heading(paragraphs(`${block.text}:`, layout));
    case "text":
      return paragraphs(block.text, layout);
    case "points":
      return block.points
        .flatMap((point) => filledLines(point, layout.width, { first: "  - ", rest: "    " }))
        .join("\n");
    case "commands":
      return commandLines(block.examples, layout).join("\n");
    case "rows":
      return rowLines(block.rows, layout).join("\n");
  }
}
