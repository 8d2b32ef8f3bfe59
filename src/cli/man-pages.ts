import { flagsAround, OUTPUT_FLAGS } from "../commands/shared/flags.ts";
import {
  type Argument,
  type CommandTree,
  type Example,
  firstSentence,
  isListed,
  listedVerbs,
  type NamedVerb,
  type Noun,
} from "../commands/verb.ts";
import { EXIT_CODES } from "../errors.ts";
import type { CommandFlag } from "../session/flags.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../session/session-flags.ts";
import { FIRST_STEPS } from "./command-help.ts";
import { flagDescription } from "./flags.ts";
import { exitCodesOf, TOPICS, VARIABLES } from "./help.ts";
import {
  literalLines,
  type ManPage,
  mdocPage,
  onMacroLine,
  pointLines,
  proseLines,
  referenceLines,
  tagLines,
} from "./mdoc.ts";
import type { TopicPart } from "./topic-page.ts";

/**
 * The manual: bt(1), a page per noun and verb, and one per topic of help; sources in mdoc by path, "man1/bt-bug-search.1".
 * The date is that of the pages: "November 22, 2026".
 */
export async function manPages(tree: CommandTree, date: string): Promise<Readonly<Record<string, string>>> {
  const verbs = listedVerbs(tree).map(verbPage);
  const pages = [programPage(tree), ...tree.nouns.map(nounPage), ...verbs, ...(await topicPages(tree))];
  return Object.fromEntries(
    pages.map((page) => [`man${page.section}/${page.name}.${page.section}`, mdocPage(page, date)]),
  );
}

function programPage(tree: CommandTree): ManPage {
  const about = "work with Bugzilla-style bug trackers";
  return {
    name: PROGRAM,
    section: 1,
    about,
    sections: {
      SYNOPSIS: [`.Nm ${PROGRAM}`, ".Ar noun verb", ".Op Ar flags"],
      DESCRIPTION: tree.sections.flatMap(({ heading, commands, brief = [] }) => [
        `.Ss ${onMacroLine(heading)}`,
        ...tagLines(
          [...commands, ...brief].map(({ name, about }): Row => [`Sy ${onMacroLine(pageName([name]))} Ns Pq 1`, about]),
        ),
      ]),
      OPTIONS: flagSections([...TRACKER_FLAGS, ...OUTPUT_FLAGS, ...COMMON_FLAGS]),
      ENVIRONMENT: tagLines(VARIABLES.map(([names, text]) => [`Ev ${names.replaceAll(", ", " , ")}`, text])),
      "EXIT STATUS": exitStatus(Object.values(EXIT_CODES).map(({ code }) => code)),
      EXAMPLES: exampleLines(FIRST_STEPS),
      "SEE ALSO": referenceLines(topicNames().map((name) => ({ name: pageName([name]), section: 7 }))),
    },
  };
}

function nounPage({ name, about, verbs }: Noun): ManPage {
  return {
    name: pageName([name]),
    section: 1,
    about,
    sections: {
      SYNOPSIS: [`.Nm "${PROGRAM} ${name}"`, ".Ar verb", ".Op Ar flags"],
      DESCRIPTION: tagLines(
        verbs
          .filter(isListed)
          .map((verb) => [`Sy ${onMacroLine(pageName([name, verb.name]))} Ns Pq 1`, firstSentence(verb)]),
      ),
      EXAMPLES: exampleLines(verbs.filter(isListed).flatMap(({ examples }) => examples.slice(0, 1))),
      "SEE ALSO": referenceLines([{ name: PROGRAM, section: 1 }]),
    },
  };
}

function verbPage({ words, verb }: NamedVerb): ManPage {
  const others = verb.aliases?.length ? [".Pp", ...proseLines(`Also: ${verb.aliases.join(", ")}.`)] : [];
  const details = verb.details ? [".Pp", ...proseLines(verb.details)] : [];
  return {
    name: pageName(words),
    section: 1,
    about: firstSentence(verb),
    sections: {
      SYNOPSIS: [`.Nm "${[PROGRAM, ...words].join(" ")}"`, ...(verb.args ?? []).map(argumentLine), ".Op Ar flags"],
      DESCRIPTION: [...proseLines(verb.about), ...others, ...details],
      OPTIONS: flagSections([...verb.flags, ...flagsAround(verb)]),
      "EXIT STATUS": exitStatus(exitCodesOf(words.join(" "), verb)),
      EXAMPLES: exampleLines(verb.examples),
      "SEE ALSO": referenceLines([
        { name: PROGRAM, section: 1 },
        ...(words.length > 1 ? [{ name: pageName(words.slice(0, 1)), section: 1 as const }] : []),
        ...(verb.mainTopic ? [{ name: pageName([verb.mainTopic]), section: 7 as const }] : []),
      ]),
    },
  };
}

async function topicPages(tree: CommandTree): Promise<ManPage[]> {
  const pages = topicNames().map(async (name): Promise<ManPage[]> => {
    const page = await TOPICS[name]?.(tree);
    if (typeof page !== "object") return [];
    const sections = {
      DESCRIPTION: page.parts.flatMap(partLines),
      "SEE ALSO": referenceLines([{ name: PROGRAM, section: 1 }]),
    };
    return [{ name: pageName([name]), section: 7, about: page.title, sections }];
  });
  return (await Promise.all(pages)).flat();
}

function partLines(part: TopicPart, at: number): readonly string[] {
  const pause = at === 0 ? [] : [".Pp"];
  if ("text" in part) return [...pause, ...proseLines(part.text)];
  if ("points" in part) return pointLines(part.points);
  const rows = part.rows.map(([term, about]): Row => [`Ic "${onMacroLine(term)}"`, about]);
  if (part.isBelow) return tagLines(rows);
  const longest = Math.max(...part.rows.map(([term]) => term.length));
  const head = part.heading === undefined ? pause : [`.Ss ${onMacroLine(part.heading)}`];
  return [...head, ...tagLines(rows, { width: Math.min(longest, WIDEST_TERM) })];
}

/** The topics; the reference is what the pages themselves are. */
function topicNames(): string[] {
  return Object.keys(TOPICS).filter((name) => name !== "reference");
}

type Row = [term: string, about: string];

function flagSections(flags: CommandFlag[]): string[] {
  const groups = [...new Set(flags.map(({ group }) => group ?? "Flags"))];
  return groups.flatMap((group) => [
    `.Ss ${onMacroLine(group)}`,
    ...tagLines(
      flags
        .filter((flag) => (flag.group ?? "Flags") === group)
        .map((flag): Row => [flagTerm(flag), flagDescription(flag)]),
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

function exampleLines(examples: readonly Example[]): string[] {
  return examples.flatMap(({ line, about }, at) => [
    ...(at === 0 ? [] : [".Pp"]),
    ...proseLines(`${about}:`),
    ...literalLines([line], { indent: " -offset indent" }),
  ]);
}

function pageName(words: readonly string[]): string {
  return [PROGRAM, ...words].join("-");
}

const PROGRAM = "bt";
const WIDEST_TERM = 24; // a longer one has its description below
