import { flagName, type Parameter, type ParameterKind } from "../api/operations/parameter.ts";
import { MAX_ATOMIC_BUGS } from "../api/operations/write-bugs.ts";
import { FORMATS } from "../view/view.ts";
import type { CommandFlag } from "./verb.ts";

/** The flags of every verb that talks to a tracker. */
export const TRACKER_FLAGS: readonly CommandFlag[] = grouped("Tracker", [
  { name: "base-url", value: "<address>", about: "the tracker: an http(s) address, local:, local:/FILE or demo:" },
  {
    name: "profile",
    short: "P",
    value: "<name>",
    about: "the tracker and defaults of a profile (see bt config)",
    completes: "profiles",
  },
  {
    name: "api-key-file",
    value: "<file>",
    about: "read the API key from a file, or from standard input with -",
    completes: "file",
  },
  { name: "insecure-files", about: "use a stored key even if others can read its file" },
  { name: "timeout", value: "<seconds>", about: "give up after this long (60 for reads, 120 for writes)" },
  { name: "retry", value: "<times>", about: "how often a failed read is tried again (3)" },
  { name: "max-size", value: "<MiB>", about: "refuse an answer larger than this (10)" },
  { name: "proxy", value: "<url>", about: "reach the tracker through this proxy" },
  { name: "ca-file", value: "<file>", about: "trust the certificates in this PEM file too", completes: "file" },
  { name: "insecure", about: "do not check the server's certificate, for this command only" },
  { name: "allow-http", about: "let a key travel over plain http to another machine" },
  { name: "refresh", about: "read the tracker's field metadata anew instead of from the cache" },
]);

const NAMES = Object.keys(FORMATS);

/** The flags of every verb that prints data. */
export const OUTPUT_FLAGS: readonly CommandFlag[] = grouped("Output", [
  { name: "json", about: "print JSON with the tracker's own names; --json=id,summary chooses them" },
  { name: "format", short: "o", value: "<format>", about: NAMES.join(", "), choices: NAMES },
  {
    name: "fields",
    short: "f",
    value: "<names>",
    many: true,
    about: "the columns or JSON keys, separated by commas",
    completes: "field names",
  },
  { name: "no-pager", about: "do not page long output on a terminal" },
  { name: "utc", about: "show times in UTC" },
]);

/** The flags that every verb takes. */
export const COMMON_FLAGS: readonly CommandFlag[] = grouped("Common", [
  {
    name: "color",
    value: "<when>",
    about: "colour the output: auto, always or never",
    choices: ["auto", "always", "never"],
  },
  { name: "verbose", short: "v", about: "say on standard error what is asked of the tracker" },
  { name: "debug", about: "like --verbose, with answers and the causes of errors; keys stay hidden" },
]);

/** The flags that stand beside a verb's own ones. */
export function flagsAround(verb: { readonly output?: unknown; readonly offline?: unknown }): readonly CommandFlag[] {
  return [...(verb.offline ? [] : TRACKER_FLAGS), ...(verb.output ? OUTPUT_FLAGS : []), ...COMMON_FLAGS];
}

function grouped(group: string, flags: readonly CommandFlag[]): readonly CommandFlag[] {
  return flags.map((flag) => ({ ...flag, group }));
}

/** What may be said about how a write is sent: as a plan only, without a journal, again when it got lost. */
export const SENDING_FLAGS: readonly CommandFlag[] = [
  {
    name: "resend-if-absent",
    about: "when the answer got lost and the change is proven not to be there, send it again",
    group: "Safety",
  },
  {
    name: "no-journal",
    about: "do not write the change down before sending it; nothing can be resumed",
    group: "Safety",
  },
];

/** What may be said about changing many bugs, or bugs that others change too. */
export const UPDATE_FLAGS: readonly CommandFlag[] = [
  { name: "yes", short: "y", about: `do not ask before changing more than ${MAX_ATOMIC_BUGS} bugs`, group: "Safety" },
  {
    name: "if-unchanged",
    about: "leave alone what somebody else changes between the reading and the writing of this command",
    group: "Safety",
  },
  {
    name: "unchanged-since",
    value: "<time>",
    about: "leave alone what was changed after this time",
    group: "Safety",
  },
];

/** The same with `--dry-run`, for verbs that can show what they would send. */
export const SAFETY_FLAGS: readonly CommandFlag[] = [
  {
    name: "dry-run",
    short: "n",
    about: "show the request and what it would change, and send nothing",
    group: "Safety",
  },
  ...SENDING_FLAGS,
];

/** The flags by which a long text comes from elsewhere than the command line. */
export function proseFlags(name: string, group: string): readonly CommandFlag[] {
  return [
    {
      name: "body-file",
      short: "F",
      value: "<file>",
      about: `read the ${name} from a file, or from standard input with -`,
      completes: "file",
      group,
    },
    { name: "editor", short: "e", about: `write the ${name} in your editor`, group },
  ];
}

/**
 * The flags that a parameter of the interface gives. Most give one; `cc` of an update gives `--add-cc` and `--remove-cc`,
 * `keywords` also `--set-keywords`, and both `--cc +ada,-bob` for short.
 */
export function parameterFlags(parameter: Parameter, group: string): readonly CommandFlag[] {
  const { name, about, kind, short, aliases } = parameter;
  const shape = KINDS[kind](parameter);
  const flag: CommandFlag = {
    name: flagName(name),
    about: SHORT_FORMS[kind] ? `${about}: ${SHORT_FORMS[kind]}` : about,
    group,
    parameter: name,
    ...shape,
    ...(short ? { short } : {}),
    ...(aliases ? { aliases } : {}),
  };
  return [flag, ...(EDITS[kind] ?? []).map((edit) => editFlag(edit, flag, kind))];
}

/** How the one flag of a list says what is to be done to it. */
const SHORT_FORMS: Readonly<Partial<Record<ParameterKind, string>>> = {
  edit: "+add,-remove,=set",
  links: "+add,-remove",
};

/** What can be done to a list, by the kind of the parameter that holds it. */
const EDITS: Readonly<Partial<Record<ParameterKind, readonly ("add" | "remove" | "set")[]>>> = {
  edit: ["add", "remove", "set"],
  links: ["add", "remove"],
  tokens: ["add", "remove", "set"],
};

const LIST_WORDS = { add: "add these", remove: "remove these", set: "have these instead of all there are" } as const;

const TOKEN_WORDS = {
  add: "add these tokens, each a word or [brackets]",
  remove: "remove these tokens",
  set: "replace all of it, also with a text that begins with + or -",
} as const;

function editFlag(edit: keyof typeof LIST_WORDS, flag: CommandFlag, kind: ParameterKind): CommandFlag {
  const singular = flag.name.replace(/s$/, "");
  const names = [singular, ...(flag.aliases ?? [])].filter((name) => name !== flag.name);
  const { short: _short, ...rest } = flag;
  return {
    ...rest,
    name: `${edit}-${flag.name}`,
    about: (kind === "tokens" ? TOKEN_WORDS : LIST_WORDS)[edit],
    ...(kind === "tokens" && edit !== "set" ? listShape({ name: flag.name }) : {}),
    aliases: [...new Set(names)].map((name) => `${edit}-${name}`),
  };
}

type Shape = { readonly value?: string; readonly many?: boolean; readonly completes?: string };

const KINDS: Readonly<Record<ParameterKind, (parameter: Parameter) => Shape>> = {
  text: () => ({ value: "<text>" }),
  texts: () => ({ value: "<text>", many: true }),
  prose: () => ({ value: "<text>" }),
  choice: ({ name }) => ({ value: "<value>", completes: name }),
  choices: ({ name }) => ({ value: "<value>", many: true, completes: name }),
  person: () => ({ value: "<login>" }),
  people: () => ({ value: "<login>", many: true }),
  int: () => ({ value: "<number>" }),
  ints: () => ({ value: "<number>", many: true }),
  bug: () => ({ value: "<bug>" }),
  bugs: () => ({ value: "<bug>", many: true }),
  pages: () => ({ value: "<address>", many: true }),
  hours: () => ({ value: "<hours>" }),
  bool: () => ({ value: "<yes|no>", completes: "bool" }),
  switch: () => ({}),
  date: () => ({ value: "<date>" }),
  datetime: () => ({ value: "<time>" }),
  edit: (parameter) => listShape(parameter),
  links: (parameter) => listShape(parameter),
  tokens: () => ({ value: "<text>" }),
  flags: () => ({ value: "<flag>", many: true }),
  privacy: () => ({ value: "<id=yes|no>", many: true }),
};

function listShape({ name, of }: Pick<Parameter, "name" | "of">): Shape {
  return { value: "<list>", many: true, ...(of === "choices" ? { completes: name } : {}) };
}
