import { COMMON_FLAGS, OUTPUT_FLAGS, TRACKER_FLAGS } from "../commands/shared-flags.ts";
import { type CommandFlag, type CommandTree, isListed, type Verb } from "../commands/verb.ts";
import { argumentSyntax, flagDescription, flagSyntax } from "./flags.ts";

/**
 * Markdown of every command with its flags and examples: the output of `bt help reference`.
 */
export function referencePage(tree: CommandTree): string {
  const nouns = tree.nouns.flatMap((noun) => [
    `### bt ${noun.name}`,
    `${noun.about}${also(noun.aliases)}`,
    ...noun.verbs.filter(isListed).flatMap((verb) => verbLines(`bt ${noun.name} ${verb.name}`, verb)),
  ]);
  const alone = tree.verbs.filter(isListed).flatMap((verb) => verbLines(`bt ${verb.name}`, verb));
  return `${[...nouns, "### Other commands", ...alone, ...commonLines()].join("\n\n")}\n`;
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
    "### Common flags",
    "Commands that connect to a tracker:",
    fenced("text", flagLines(TRACKER_FLAGS)),
    "Commands that print data:",
    fenced("text", flagLines(OUTPUT_FLAGS)),
    "All commands:",
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
export const QUERY_TOPIC = `Query language of search terms and --where:

  bt bug search is:open component:Editor crash           terms, ANDed
  bt bug search --where 'priority >= High or has:flag'   one expression, in single quotes

Terms, expressions and flags such as --status are combined with "and". Several words in one argument are one phrase of
the summary ('red eye'), unless they contain a condition, an operator (and, or, not), a bracket or a quote. If plain
words look like conditions, a note shows the probable expression.

Conditions
  status:RESOLVED                   natural match of the field: substring for text, else equality
  status:UNCONFIRMED,CONFIRMED      any of these
  status = RESOLVED                 equals; != does not
  component in (Editor, Library)    any of these; not in (...)
  summary ~ "red eye"               contains, as one piece of text; !~ does not
  summary =~ /crash|hang/           a regular expression; !=~ does not match
  summary ^= Import                 begins with; $= ends with
  summary has all (crash, start)    words in any order; also has any (...), has none (...)
  priority >= High                  High and above; also > < <=
  id between 10 and 20              inclusive; also id:10..20
  deadline is empty                 also is not empty, has:deadline, no:deadline
  assignee = @me                    @me, @reporter, @assignee, @qa, @group.NAME, or a login
  flag(needinfo? requestee @me)     a flag and its requestee
  comment ~ "out of memory"         text in any comment
  crash                             a single word: the summary contains it

Combining
  is:open crash                     both; same as "and"
  crash or hang                     either
  not is:closed                     negation; also -is:closed and !is:closed
  is:open and (crash or hang)       brackets

States
  is:open is:closed is:confirmed is:unconfirmed is:mine is:reported is:assigned is:unassigned is:self-assigned
  is:overdue is:stale is:unread is:private is:dup
                                    is:unassigned means a login nobody@..., or the one set with: bt config set nobody LOGIN

Dates, in your time zone
  created:2026-10                   in that month; also a year or a day
  created:2026-10..2026-11-05       from the start of the first to the end of the second
  updated >= -2w                    min h d w mo y before now; 36h is the same as -36h
  created:today                     also yesterday, this-week, last-month, next-year
  deadline < 2026-12-01             before that day
  created > 2026-10-03T14:00Z       after that time

Changes; all parts must match the same change
  status changed                    at any time
  status changed from UNCONFIRMED to CONFIRMED by mei@example.org
  priority changed to High since -3mo

Fields have their JSON names (assigned_to), short names (assignee, created, os), and for custom fields display names in
quotes; see bt field list. Names and values are validated before the search is sent, since trackers return every bug
for an unknown status. --explain shows what would be sent, and why.
`;
