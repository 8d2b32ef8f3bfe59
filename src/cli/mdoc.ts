import { filledLines } from "./help-layout.ts";

/** A manual page as its head, and sections of lines; empty sections are left out. */
export type ManPage = {
  readonly name: string; // "bt-bug-search"
  readonly section: 1 | 7; // 1: a command; 7: a topic
  readonly about: string;
  readonly sections: Readonly<Record<string, readonly string[]>>;
};

/**
 * Source of a manual page with a date: "November 22, 2026".
 * @see https://mandoc.bsd.lv/man/mdoc.7.html
 */
export function mdocPage({ name, section, about, sections }: ManPage, date: string): string {
  const filled = Object.entries(sections).filter(([, lines]) => lines.length > 0);
  return [
    `.Dd ${date}`,
    `.Dt ${name.toUpperCase()} ${section}`,
    ".Os",
    ".Sh NAME",
    `.Nm ${name}`,
    `.Nd ${onMacroLine(phrase(about))}`,
    ...filled.flatMap(([title, lines]) => [`.Sh ${title}`, ...lines]),
    "",
  ].join("\n");
}

/** Paragraphs, separated by empty lines; each sentence begins a line. */
export function proseLines(text: string): string[] {
  return text.split("\n\n").flatMap((paragraph, at) => [...(at === 0 ? [] : [".Pp"]), ...sentences(paragraph)]);
}

/** Lines kept as they are, indented like an example. */
export function literalLines(lines: string[], { indent = "" } = {}): string[] {
  return [`.Bd -literal${indent}`, ...lines.map((line) => textLine(line)), ".Ed"];
}

/** Points of a list, which are text. */
export function pointLines(points: readonly string[]): string[] {
  return [".Bl -dash", ...points.flatMap((point) => [".It", ...sentences(point)]), ".El"];
}

/** Terms, which are mdoc (`termOf`), with descriptions, which are text; a list of a `width` has them beside, line by line. */
export function tagLines(rows: [term: string, about: string][], { width }: { width?: number } = {}): string[] {
  if (rows.length === 0) return [];
  const form = width === undefined ? "Ds" : `${width}n -compact`;
  return [`.Bl -tag -width ${form}`, ...rows.flatMap(([term, about]) => [`.It ${term}`, ...sentences(about)]), ".El"];
}

/** References to other pages: `bt(1), bt-bug(1)`. They are text, since the linter looks for what an Xr names in its own system. */
export function referenceLines(pages: Pick<ManPage, "name" | "section">[]): string[] {
  return sentences(pages.map(({ name, section }) => `${name}(${section})`).join(", "));
}

/** Text as arguments of a macro. */
export function onMacroLine(text: string): string {
  return escaped(text).replaceAll('"', "\\(dq");
}

/** A text as a description: without its full stop, and lower case unless it begins with an abbreviation. */
function phrase(text: string): string {
  return text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?][)"']*)\s+/).flatMap((sentence) => filledLines(sentence, TEXT_WIDTH).map(textLine));
}

/** A line of text; a full stop or an apostrophe at its beginning would be a macro. */
function textLine(line: string): string {
  return escaped(line).replace(/^(?=\.|\\\(aq)/, "\\&");
}

/** Characters that a formatter would take for its own, or print as others. */
function escaped(text: string): string {
  return text
    .replace(/[\\'`^~-]/g, (character) => ESCAPES[character] ?? character)
    .replace(
      /[^\n\t -~]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  "-": "\\-",
};

const TEXT_WIDTH = 64; // an escaped line is longer; mandoc reports those of more than 80 bytes
