import { FORMATS } from "../view/format.ts";
import type { Flag } from "./verb.ts";

/** The flags of every verb that talks to a tracker. */
export const TRACKER_FLAGS: readonly Flag[] = grouped("Tracker", [
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
export const OUTPUT_FLAGS: readonly Flag[] = grouped("Output", [
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
export const COMMON_FLAGS: readonly Flag[] = grouped("Common", [
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
export function flagsAround(verb: { readonly output?: unknown; readonly offline?: unknown }): readonly Flag[] {
  return [...(verb.offline ? [] : TRACKER_FLAGS), ...(verb.output ? OUTPUT_FLAGS : []), ...COMMON_FLAGS];
}

function grouped(group: string, flags: readonly Flag[]): readonly Flag[] {
  return flags.map((flag) => ({ ...flag, group }));
}
