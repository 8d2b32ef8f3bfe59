import type { CommandFlag } from "../command-flag.ts";
import { COLUMNS } from "../commands/columns.ts";
import { listedFlags, OUTPUT_FLAGS } from "../commands/shared/flags.ts";
import {
  type Argument,
  type CommandTree,
  type Example,
  firstSentence,
  isListed,
  type Noun,
  type Verb,
} from "../commands/verb.ts";
import { EXIT_CODES } from "../errors.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../session/flags.ts";
import { FIRST_STEPS } from "./command-help.ts";
import { flagDescription } from "./flags.ts";
import { possibleExitCodes, TOPICS, VARIABLES } from "./help.ts";
import { filledLines, type HelpRow } from "./help-layout.ts";
import { type Block, blocksOf } from "./markdown.ts";

/**
 * The manual: bt(1), a page per noun, lone verb and topic of help; sources in mdoc by path, "man1/bt-bug.1".
 * The date is that of the pages: "November 22, 2026".
 */
export async function manPages(tree: CommandTree, date: string): Promise<Readonly<Record<string, string>>> {
  const verbs = tree.verbs.filter(isListed).map(verbPage);
  const pages = [programPage(tree), ...tree.nouns.map(nounPage), ...verbs, ...(await topicPages())];
  return Object.fromEntries(
    pages.map((page) => [`man${page.section}/${page.name}.${page.section}`, mdocPage(page, date)]),
  );
}

function programPage(tree: CommandTree): ManPage {
  const about = "a command line for Bugzilla";
  return {
    name: PROGRAM,
    section: 1,
    about,
    sections: {
      SYNOPSIS: [`.Nm ${PROGRAM}`, ".Ar noun verb", ".Op Ar flags"],
      DESCRIPTION: tree.sections.flatMap(({ heading, commands, brief = [] }) => [
        `.Ss ${onMacroLine(heading)}`,
        ...tagLines(
          [...commands, ...brief].map(
            (command): Definition => [`Sy ${onMacroLine(manPageName([command.name]))} Ns Pq 1`, firstSentence(command)],
          ),
        ),
      ]),
      OPTIONS: flagMacros(SHARED),
      ENVIRONMENT: tagLines(VARIABLES.map(([names, text]) => [`Ev ${names.replaceAll(", ", " , ")}`, text])),
      "EXIT STATUS": exitStatus(Object.values(EXIT_CODES).map(({ code }) => code)),
      EXAMPLES: exampleMacros(FIRST_STEPS),
      "SEE ALSO": referenceLines(Object.keys(TOPICS).map((name) => ({ name: manPageName([name]), section: 7 }))),
    },
  };
}

/** A noun has a section for each of its verbs; flags that all verbs share are those of bt(1). */
function nounPage(noun: Noun): ManPage {
  const verbs = noun.verbs.filter(isListed);
  return {
    name: manPageName([noun.name]),
    section: 1,
    about: firstSentence(noun),
    sections: {
      SYNOPSIS: verbs.flatMap((verb) => synopsis([noun.name, verb.name], verb)),
      DESCRIPTION: proseLines(noun.about),
      "EXIT STATUS": exitStatus(verbs.flatMap(possibleExitCodes)),
      ...Object.fromEntries(
        verbs.map((verb) => [onMacroLine(`${PROGRAM} ${noun.name} ${verb.name}`), verbLines(verb)]),
      ),
      "SEE ALSO": seeAlso(verbs),
    },
  };
}

function verbLines(verb: Verb): string[] {
  const flags = flagMacros(listedFlags(verb).filter(({ name }) => !SHARED.some((shared) => shared.name === name)));
  return [
    ...description(verb),
    ...flags,
    ...(flags.length > 0 ? [".Ss Examples"] : [".Pp"]),
    ...exampleMacros(verb.examples),
  ];
}

const SHARED: readonly CommandFlag[] = [...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS];

function verbPage(verb: Verb): ManPage {
  return {
    name: manPageName([verb.name]),
    section: 1,
    about: firstSentence(verb),
    sections: {
      SYNOPSIS: synopsis([verb.name], verb),
      DESCRIPTION: description(verb),
      OPTIONS: flagMacros(listedFlags(verb)),
      "EXIT STATUS": exitStatus(possibleExitCodes(verb)),
      EXAMPLES: exampleMacros(verb.examples),
      "SEE ALSO": seeAlso([verb]),
    },
  };
}

function synopsis(words: readonly string[], verb: Verb): string[] {
  return [`.Nm "${[PROGRAM, ...words].join(" ")}"`, ...(verb.args ?? []).map(argumentLine), ".Op Ar flags"];
}

function description({ about, aliases = [], details, table, output }: Verb): string[] {
  const named = aliases.length > 0 ? [`Aliases: ${aliases.join(", ")}.`] : [];
  const text = [about, ...named, ...(details ? [details] : [])].join("\n\n");
  return [
    ...proseLines(text),
    ...(table ? [`.Ss ${onMacroLine(table.heading)}`, ...rowMacros(table.rows)] : []),
    ...(output && COLUMNS[output].length > 0
      ? [".Ss Columns and JSON keys", ...proseLines(`${COLUMNS[output].join(", ")}.`)]
      : []),
  ];
}

function seeAlso(verbs: readonly Verb[]): string[] {
  const topics = [...new Set(verbs.flatMap(({ mainTopic }) => mainTopic ?? []))];
  const related = topics.map((topic): PageName => ({ name: manPageName([topic]), section: 7 }));
  return referenceLines([{ name: PROGRAM, section: 1 }, ...related]);
}

async function topicPages(): Promise<ManPage[]> {
  const pages = Object.entries(TOPICS).map(async ([name, read]): Promise<ManPage> => {
    const [title, ...blocks] = blocksOf(await read());
    const about = title?.kind === "title" ? title.text : name;
    const sections = {
      DESCRIPTION: blocks.flatMap(blockLines),
      "SEE ALSO": referenceLines([{ name: PROGRAM, section: 1 }]),
    };
    return { name: manPageName([name]), section: 7, about, sections };
  });
  return Promise.all(pages);
}

function blockLines(block: Block, at: number): string[] {
  const pause = at === 0 ? [] : [".Pp"];
  switch (block.kind) {
    case "title":
    case "heading":
      return [`.Ss ${onMacroLine(block.text)}`];
    case "text":
      return [...pause, ...proseLines(block.text)];
    case "points":
      return pointLines(block.points);
    case "commands":
      return [...pause, ...exampleMacros(block.examples)];
    case "rows":
      return rowMacros(block.rows);
  }
}

function rowMacros(rows: readonly HelpRow[]): string[] {
  const longest = Math.max(...rows.map(([term]) => term.length));
  const definitions = rows.map(([term, about]): Definition => [`Ic "${onMacroLine(term)}"`, about]);
  return tagLines(definitions, { width: Math.min(longest, WIDEST_TERM) });
}

type Definition = [term: string, about: string];

function flagMacros(flags: readonly CommandFlag[]): string[] {
  const groups = [...new Set(flags.map(({ group }) => group ?? "Flags"))];
  return groups.flatMap((group) => [
    `.Ss ${onMacroLine(group)}`,
    ...tagLines(
      flags
        .filter((flag) => (flag.group ?? "Flags") === group)
        .map((flag): Definition => [flagTerm(flag), flagDescription(flag)]),
    ),
  ]);
}

/** `Fl s , Fl \-status Ar status` */
function flagTerm({ name, short, value }: CommandFlag): string {
  const names = [...(short ? [short] : []), `-${name}`].map((mark) => `Fl ${onMacroLine(mark)}`);
  return `${names.join(" , ")}${value ? ` Ar ${onMacroLine(value.replace(/^<(.*)>$/, "$1"))}` : ""}`;
}

function argumentLine({ name, many, optional }: Argument): string {
  return `.${optional ? "Op " : ""}Ar ${onMacroLine(name)}${many ? " ..." : ""}`;
}

function exitStatus(codes: number[]): string[] {
  const rows = Object.values(EXIT_CODES).filter(({ code }) => codes.includes(code));
  return tagLines(rows.map(({ code, about }) => [String(code), about]));
}

function exampleMacros(examples: readonly Example[]): string[] {
  return withBreaks(
    examples.map(({ line, about }) => [
      ...proseLines(`${about}:`),
      ...literalLines([line], { indent: " -offset indent" }),
    ]),
  );
}

function manPageName(words: readonly string[]): string {
  return [PROGRAM, ...words].join("-");
}

const PROGRAM = "bt";
const WIDEST_TERM = 24; // a longer one has its description below

/** Name of a manual page: `bt-bug(1)`. */
type PageName = {
  name: string; // "bt-bug"
  section: 1 | 7; // 1: a command; 7: a topic
};

/** A manual page as its head, and sections of lines; empty sections are left out. */
export type ManPage = PageName & {
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
    `.Nd ${onMacroLine(asPhrase(about))}`,
    ...filled.flatMap(([title, lines]) => [`.Sh ${title}`, ...lines]),
    "",
  ].join("\n");
}

/** Paragraphs, separated by empty lines; each sentence begins a line. */
export function proseLines(text: string): string[] {
  return withBreaks(text.split("\n\n").map(sentences));
}

/** The lines of several paragraphs, with a break between two. */
function withBreaks(paragraphs: string[][]): string[] {
  return paragraphs.flatMap((lines, at) => (at === 0 ? lines : [".Pp", ...lines]));
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

/**
 * References to other pages: `bt(1), bt-bug(1)`. They are text, since the linter looks for what an Xr names in its own
 * system.
 */
export function referenceLines(pages: PageName[]): string[] {
  return sentences(pages.map(({ name, section }) => `${name}(${section})`).join(", "));
}

/** Text as arguments of a macro. */
export function onMacroLine(text: string): string {
  return escapeRoff(text).replaceAll('"', "\\(dq");
}

/** A text as a description: without its full stop, and lower case unless it begins with an abbreviation. */
function asPhrase(text: string): string {
  return text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.!?][)"']*)\s+/).flatMap((sentence) => filledLines(sentence, TEXT_WIDTH).map(textLine));
}

/** A line of text; a full stop or an apostrophe at its beginning would be a macro. */
function textLine(line: string): string {
  return escapeRoff(line).replace(/^(?=\.|\\\(aq)/, "\\&");
}

/** Characters that a formatter would take for its own, or print as others. */
function escapeRoff(text: string): string {
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
