import { usageError } from "./errors.ts";

/**
 * A flag of a command. Without `value` it is a switch; with `many` it may be repeated, and a switch
 * is counted. Its member of an input follows from it: see `FlagMembers`.
 */
export type CommandFlag = {
  readonly name: string; // without the dashes
  readonly short?: string;
  readonly aliases?: readonly string[]; // accepted, not listed
  readonly value?: string; // placeholder in help: "<login>"
  readonly many?: boolean;
  readonly least?: number; // its value is an integer that is not smaller
  readonly about: string;
  readonly choices?: readonly string[];
  readonly completes?: string; // source of completions: a bug field, "file", "bool", or a key of SOURCES
  readonly group?: string; // heading in help
  readonly parameter?: string; // parameter that it sets
};

/** Values of flags as members of an input: `--fail-empty` is `failEmpty`. Switches and lists are always there. */
export type FlagMembers<Flag extends CommandFlag> = {
  readonly [F in Flag as F extends Single ? never : MemberName<F>]: FlagValue<F>;
} & {
  readonly [F in Flag as F extends Single ? MemberName<F> : never]?: FlagValue<F> | undefined;
};

/** A flag with one value, which may be absent. */
type Single = { value: string; many?: false };

/** Value of a flag: true or false for a switch or how often it is given, a list, a number, one of the choices, or a text. */
export type FlagValue<Flag> = Flag extends { readonly value: string }
  ? Flag extends { readonly many: true }
    ? readonly string[]
    : Flag extends { readonly least: number }
      ? number
      : Flag extends { readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string
  : Flag extends { readonly many: true }
    ? number
    : boolean;

/** Nothing for a name that the type does not know. */
type MemberName<Flag extends CommandFlag> = string extends Flag["name"] ? never : CamelCase<Flag["name"]>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The member of an input that a flag's name gives. */
export function memberName(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Values by flag name, of flags that are only known when the command runs, such as the fields of a bug. */
export type FlagValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Texts of a flag as a list; empty if absent. */
export function flagValues(value: FlagValues[string]): readonly string[] {
  if (value === undefined || typeof value === "boolean") return [];
  return typeof value === "object" ? value : [String(value)];
}

export function flagValue(value: FlagValues[string]): string | undefined {
  return flagValues(value).at(-1);
}

/**
 * Parses a whole number of at least `least`, digits only.
 * @throws BtError of kind usage
 */
export function wholeNumber(flag: string, text: string, least = 0): number {
  if (/^[0-9]{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  const problem = `--${flag} must be an integer, ${least} or more, not ${JSON.stringify(text)}`;
  throw usageError(problem, `for example: --${flag} 20`);
}
