import { readLine } from "../commands/line.ts";
import type { CommandTree, Verb } from "../commands/verb.ts";
import { type HelpPage, nounHelp, rootHelp, verbHelp } from "./command-help.ts";
import { TOPICS } from "./help.ts";
import type { ParsedInput } from "./input.ts";
import { topicText } from "./topic-page.ts";
import { checkSubject, unknownCommand, unknownFlag } from "./usage-error.ts";

/** Result of parsing: text to print, or a verb with its input. */
export type ParsedCommand =
  | { readonly kind: "text"; readonly text: HelpPage }
  | { readonly kind: "verb"; readonly verb: Verb; readonly input: ParsedInput };

/** The commands, the version of bt, and its aliases. */
export type Commands = {
  readonly tree: CommandTree;
  readonly version: string;
  readonly aliases?: () => Promise<Readonly<Record<string, string>>>;
};

/**
 * Parses a command line. A first word that is no command may be an alias.
 * @throws BtError of kind usage, with the nearest valid word
 */
export async function readCommand(
  argv: readonly string[],
  { tree, version, aliases = async () => ({}) }: Commands,
): Promise<ParsedCommand> {
  const [first, subject = "", ...more] = argv.filter((word) => !/^--(?:no-pager|color=.*)$/.test(word));
  const topic = first === "help" && more.length === 0 && Object.hasOwn(TOPICS, subject) ? TOPICS[subject] : undefined;
  if (topic) {
    const page = await topic(tree);
    return { kind: "text", text: (layout) => (typeof page === "string" ? page : topicText(page, layout)) };
  }
  if (argv[0] === "--version") return { kind: "text", text: () => `bt ${version}\n` };
  if (argv[0] === "help") checkSubject(argv[1], tree);
  const { noun, verb, rest, help, unknown } = await readLine(argv, tree, aliases);
  if (verb) {
    const name = noun ? `${noun.name} ${verb.name}` : verb.name;
    if (help) return { kind: "text", text: verbHelp(name, verb, help) };
    const { parseVerb } = await import("./input.ts"); // commander takes 5 ms, which help does without
    return { kind: "verb", verb, input: parseVerb(name, verb, rest) };
  }
  if (unknown?.startsWith("-")) throw unknownFlag(unknown, noun?.name ?? "bt");
  if (unknown) throw unknownCommand([unknown, argv[argv.indexOf(unknown) + 1] ?? ""], noun, tree);
  return { kind: "text", text: noun ? nounHelp(noun) : rootHelp(tree) };
}
