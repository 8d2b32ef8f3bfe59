import { COMMON_FLAGS, OUTPUT_FLAGS, TRACKER_FLAGS } from "../commands/shared-flags.ts";
import type { CommandFlag, CommandTree, Verb } from "../commands/verb.ts";
import { argumentSyntax, flagDescription, flagSyntax } from "./flags.ts";

/**
 * Markdown of every command with its flags and examples: the output of `bt help reference`, and the end of the README.
 */
export function referencePage(tree: CommandTree): string {
  const nouns = tree.nouns.flatMap((noun) => [
    `### bt ${noun.name}`,
    `${noun.about}${also(noun.aliases)}`,
    ...listed(noun.verbs).flatMap((verb) => verbLines(`bt ${noun.name} ${verb.name}`, verb)),
  ]);
  const alone = listed(tree.verbs).flatMap((verb) => verbLines(`bt ${verb.name}`, verb));
  return `${[...nouns, "### Commands of their own", ...alone, ...commonLines()].join("\n\n")}\n`;
}

function listed(verbs: readonly Verb[]): readonly Verb[] {
  return verbs.filter(({ hidden }) => !hidden);
}

function verbLines(words: string, verb: Verb): readonly string[] {
  const args = (verb.args ?? []).map((arg) => ` ${argumentSyntax(arg)}`).join("");
  const examples = verb.examples.map(({ line, about }) => `# ${about}\n${line}`);
  return [
    `#### ${words}`,
    `\`${words}${args}${verb.flags.length > 0 ? " [flags]" : ""}\``,
    `${verb.about}${also(verb.aliases)}`,
    ...(verb.details ? [verb.details] : []),
    ...(verb.flags.length > 0 ? [fenced("text", flagLines(verb.flags))] : []),
    fenced("sh", examples.join("\n")),
  ];
}

function commonLines(): readonly string[] {
  return [
    "### Flags of many commands",
    "Every command that talks to a tracker:",
    fenced("text", flagLines(TRACKER_FLAGS)),
    "Every command that prints data:",
    fenced("text", flagLines(OUTPUT_FLAGS)),
    "Every command:",
    fenced("text", flagLines(COMMON_FLAGS)),
  ];
}

/** A line per flag, with headings if there are several groups. */
function flagLines(flags: readonly CommandFlag[]): string {
  const groups = [...new Set(flags.map(({ group }) => group))];
  const width = Math.max(...flags.map((flag) => flagSyntax(flag).length));
  return groups
    .flatMap((group) => [
      ...(groups.length > 1 ? [`${group ?? "Other"}:`] : []),
      ...flags
        .filter((flag) => flag.group === group)
        .map((flag) => `  ${flagSyntax(flag).padEnd(width)}  ${flagDescription(flag)}`),
    ])
    .join("\n");
}

function also(aliases: readonly string[] = []): string {
  return aliases.length > 0 ? ` Also: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.` : "";
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Text of `bt help query`; a test runs each indented line. */
export const QUERY_TOPIC = `The language of search terms and of --where:

  bt bug search is:open component:Editor crash        terms: each must hold
  bt bug search --where 'priority >= High or has:flag'   one expression; put it in single quotes

Both are the same language, and flags such as --status are joined to them with "and". Several words in one argument are
one phrase of the summary ('red eye'), unless there is a condition, a joining word (and, or, not), a bracket or a quote
among them. Plain words that look like conditions get a note with the probable expression.

Conditions
  status:RESOLVED                   the field's natural match: text contains it, all else equals it
  status:UNCONFIRMED,CONFIRMED      any of these
  status = RESOLVED                 equals; != does not
  component in (Editor, Library)    any of these; not in (...)
  summary ~ "red eye"               contains, as one piece of text; !~ does not
  summary =~ /crash|hang/           a regular expression; !=~ does not match
  summary ^= Import                 begins with; $= ends with
  summary has all (crash, start)    words in any order; also has any (...), has none (...)
  priority >= High                  High and what ranks above it; also > < <=
  id between 10 and 20              both ends count; also id:10..20
  deadline is empty                 also is not empty, has:deadline, no:deadline
  assignee = @me                    @me, @reporter, @assignee, @qa, @group.NAME, or a login
  flag(needinfo? requestee @me)     a flag and whom it asks
  comment ~ "out of memory"         text in any comment
  crash                             a word alone: the summary contains it

Joining
  is:open crash                     both; "and" may be written
  crash or hang                     either
  not is:closed                     the opposite; also -is:closed and !is:closed
  is:open and (crash or hang)       brackets

States
  is:open is:closed is:confirmed is:unconfirmed is:mine is:reported is:assigned is:unassigned is:self-assigned
  is:overdue is:stale is:unread is:private is:dup
                                    nobody is a login that begins with nobody@, or: bt config set nobody LOGIN

Dates, in your time zone
  created:2026-10                   in that month; a year, month or day is a period
  created:2026-10..2026-11-05       from the start of one to the end of the other
  updated >= -2w                    min h d w mo y before now; 36h is the same as -36h
  created:today                     also yesterday, this-week, last-month, next-year
  deadline < 2026-12-01             before that day
  created > 2026-10-03T14:00Z       a moment

Changes, all parts of one and the same change
  status changed                    at any time
  status changed from UNCONFIRMED to CONFIRMED by mei@example.org
  priority changed to High since -3mo

Fields go by the names that JSON has (assigned_to), by short ones (assignee, created, os) and by the custom fields'
display names in quotes. bt field list shows them. Names and values are checked before anything is sent: a tracker
answers a status that it does not know with every bug. --explain shows what would be sent, and why.
`;
