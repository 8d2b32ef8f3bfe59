import { flagName, type Parameter, type ParameterKind } from "../api/operations/operation.ts";
import { MAX_ATOMIC_BUGS } from "../api/operations/write-bugs.ts";
import { FORMATS } from "../view/view.ts";
import type { CommandFlag } from "./verb.ts";

/** The flags of every verb that talks to a tracker. */
export const TRACKER_FLAGS: readonly CommandFlag[] = grouped("Tracker", [
  { name: "base-url", value: "<address>", about: "tracker: an http(s) URL, local:, local:/FILE or demo:" },
  {
    name: "profile",
    short: "P",
    value: "<name>",
    about: "use a profile (see bt config)",
    completes: "profiles",
  },
  {
    name: "api-key-file",
    value: "<file>",
    about: 'read the API key from a file ("-" for stdin)',
    completes: "file",
  },
  { name: "insecure-files", about: "use a stored key even if its file is readable by others" },
  { name: "timeout", value: "<seconds>", about: "request timeout (60 for reads, 120 for writes)" },
  { name: "retry", value: "<times>", about: "retries of a failed read (3)" },
  { name: "max-size", value: "<MiB>", about: "maximum response size (10)" },
  { name: "proxy", value: "<url>", about: "HTTP proxy to use" },
  { name: "ca-file", value: "<file>", about: "additional CA certificates, as a PEM file", completes: "file" },
  { name: "insecure", about: "skip TLS certificate verification" },
  { name: "allow-http", about: "allow sending the API key over unencrypted HTTP" },
  { name: "refresh", about: "ignore cached field metadata" },
]);

const NAMES = Object.keys(FORMATS);

/** The flags of every verb that prints data. */
export const OUTPUT_FLAGS: readonly CommandFlag[] = grouped("Output", [
  { name: "json", about: "print JSON; --json=id,summary selects fields" },
  { name: "format", short: "o", value: "<format>", about: NAMES.join(", "), choices: NAMES },
  {
    name: "fields",
    short: "f",
    value: "<names>",
    many: true,
    about: "columns or JSON keys to print, separated by commas",
    completes: "field names",
  },
  { name: "no-pager", about: "do not use a pager" },
  { name: "utc", about: "print times in UTC" },
]);

/** The flags that every verb takes. */
export const COMMON_FLAGS: readonly CommandFlag[] = grouped("Common", [
  {
    name: "color",
    value: "<when>",
    about: "use colour: auto, always or never",
    choices: ["auto", "always", "never"],
  },
  { name: "verbose", short: "v", about: "log requests to stderr" },
  { name: "debug", about: "like --verbose, plus response bodies and error causes (keys redacted)" },
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
    about: "resend if the response is lost and the write is verified as not applied",
    group: "Safety",
  },
  {
    name: "no-journal",
    about: "do not record the write in the journal; it cannot be resumed",
    group: "Safety",
  },
];

/** What may be said about changing many bugs, or bugs that others change too. */
export const UPDATE_FLAGS: readonly CommandFlag[] = [
  {
    name: "yes",
    short: "y",
    about: `skip the prompt before updating more than ${MAX_ATOMIC_BUGS} bugs`,
    group: "Safety",
  },
  {
    name: "if-unchanged",
    about: "fail if a bug was modified since bt read it",
    group: "Safety",
  },
  {
    name: "unchanged-since",
    value: "<time>",
    about: "fail if a bug was modified after this time",
    group: "Safety",
  },
];

/** The same with `--dry-run`, for verbs that can show what they would send. */
export const SAFETY_FLAGS: readonly CommandFlag[] = [
  {
    name: "dry-run",
    short: "n",
    about: "print the request and its effect without sending it",
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
      about: `read the ${name} from a file ("-" for stdin)`,
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

const LIST_WORDS = { add: "add these", remove: "remove these", set: "replace the list with these" } as const;

const TOKEN_WORDS = {
  add: "add these tokens: words or [bracketed text]",
  remove: "remove these tokens",
  set: "replace the whole text, even if it begins with + or -",
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
