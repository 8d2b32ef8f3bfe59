import { BtError } from "../errors.ts";

/** A value that can be chosen, and how it is shown: one line, safe for a terminal. */
export type PromptChoice = { readonly value: string; readonly name: string; readonly about?: string };

/** An action and the key for it, a character; an empty one is Enter. */
export type KeyChoice = PromptChoice & { readonly key: string };

/** A question to the user. Ctrl-D leaves any question. */
export type Question = {
  readonly message: string;
  readonly control?: boolean; // read from the terminal of the process in place of stdin
  readonly hasBack?: boolean; // Esc leaves the question, too
  readonly isInner?: boolean; // Ctrl-C leaves the question, too; else it interrupts the process
} & Kind;

type Kind = LineKind | SearchKind | KeyKind | MenuKind | { readonly kind: "hidden" } | { readonly kind: "confirm" };

type LineKind = {
  readonly kind: "line";
  readonly start?: string; // text to edit
  readonly check?: (text: string) => string | undefined; // what is wrong with the text
  readonly leave?: (typed: string) => void; // receives what was typed if the prompt is left
  readonly isLong?: boolean; // pasted text may have several lines
  readonly isBrief?: boolean; // of a few letters: a wrong text is removed from the line
};

type MenuKind = { readonly kind: "menu"; readonly choices: readonly PromptChoice[] };

/** A choice among what `find` returns for a text, best match first; for "", the usual values. */
type SearchKind = {
  readonly kind: "search";
  readonly find: (term: string) => readonly PromptChoice[];
  readonly isOfNumbers?: boolean; // values are numbers, so choices have none
};

type KeyKind = { readonly kind: "key"; readonly choices: readonly KeyChoice[] };

/** A question of one kind. Its answer is a text: the line, the chosen value, or `yes` or `no`. */
export type QuestionOf<Name extends Kind["kind"]> = Question & { readonly kind: Name };

export type Terminal = {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  /** Stops the process as Ctrl-Z does, and calls back once it is continued. */
  readonly suspend?: (onResume: () => void) => void;
};

/** Rejection of a prompt for Ctrl-C as a key. */
export class Interrupted extends Error {}

/** Look of prompts; a plain one redraws nothing. `cut` shortens a line to columns. */
export type PromptLook = {
  readonly isPlain: boolean;
  readonly isAscii: boolean;
  cut: (text: string, columns: number) => string;
  readonly paint: Readonly<Record<"title" | "quiet" | "hint" | "added" | "failed", (text: string) => string>>;
};

export const BARE_LOOK: PromptLook = {
  isPlain: false,
  isAscii: false,
  cut: (text, columns) => text.slice(0, columns),
  paint: { title: String, quiet: String, hint: String, added: String, failed: String },
};

/** The message with its colon; a question ends by itself, or with its keys in brackets. */
export function withColon(message: string): string {
  return /(?:[?:]|\[y\/N[^\]]*\])$/.test(message) ? message : `${message}:`;
}

/** The prompt for a line that answers a question of yes or no. */
export function confirmLine({ message, ...question }: QuestionOf<"confirm">): QuestionOf<"line"> {
  const check = (text: string) => (/^(?:|y|yes|n|no)$/i.test(text.trim()) ? undefined : "type y or n");
  return { ...question, kind: "line", message: `${message} [y/N]`, check, isBrief: true };
}

/** "yes" or "no" for the line that was typed for `confirmLine`. */
export function yesOrNo(line: string): string {
  return /^y/i.test(line.trim()) ? "yes" : "no";
}

/** Choices with the term in their name or value, ignoring case; equal ones first. */
export function matchingChoices(choices: readonly PromptChoice[], term: string): readonly PromptChoice[] {
  const wanted = term.trim().toLowerCase();
  if (wanted === "") return choices;
  const rows = choices.map((choice) => ({ choice, rank: matchRank(choice, wanted) }));
  return rows
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}

/**
 * 0 if a text in lower case is the name or value, with or without the `@` of `@me`; 1 if one of them begins with the text, 2 if a
 * word in them does, 3 if they contain it, else -1.
 */
function matchRank({ name, value }: PromptChoice, wanted: string): number {
  const texts = [name, value].map((text) => text.toLowerCase());
  if (texts.includes(wanted) || texts[1] === `@${wanted}`) return 0;
  if (texts.some((text) => text.startsWith(wanted))) return 1;
  if (texts.some((text) => text.split(/[\s@._-]+/).some((word) => word.startsWith(wanted)))) return 2;
  return texts.some((text) => text.includes(wanted)) ? 3 : -1;
}

/** The match equal to a text, else the only match that begins with it, else the only match. */
export function onlyMatch(matches: readonly PromptChoice[], text: string): PromptChoice | undefined {
  const wanted = text.trim().toLowerCase();
  const equal = matches.find((choice) => matchRank(choice, wanted) === 0);
  if (equal) return equal;
  const beginning = matches.filter((choice) => matchRank(choice, wanted) === 1);
  const [only, ...others] = beginning.length > 0 ? beginning : matches;
  return others.length === 0 ? only : undefined;
}

/** Display name of a key: its letter, or Enter. */
export function keyName({ key }: KeyChoice): string {
  return key === "" ? "Enter" : key;
}

export class PromptCancelled extends BtError {
  constructor() {
    super("usage", "prompt cancelled");
  }
}
