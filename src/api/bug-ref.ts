import { type BtError, usage } from "../errors.ts";

/** How a bug is named on the wire: by its number or by an alias. */
export type BugRef = string;

/**
 * Reads the ways in which people name a bug: `12`, `#12`, an alias, or the address of its page on this tracker. Anything
 * else is refused here, since a tracker may read it as something wider.
 */
export function bugRef(text: string, trackerAddress: string): BugRef {
  if (text.trim() === "") throw refuse(text, "a bug is named by a number, an alias or its address");
  if (/^https?:/i.test(text)) return refOfAddress(text, trackerAddress);
  const bare = text.startsWith("#") ? text.slice(1) : text;
  if (isBugId(bare)) return bare;
  if (text === bare && ALIAS.test(text)) return text;
  throw refuse(text, hintFor(bare));
}

/** Whether a text is a bug number: digits without a leading zero, small enough to stay exact. */
export function isBugId(text: string): boolean {
  return /^[1-9][0-9]{0,15}$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
}

/** Reads many names, from arguments or lines and commas of standard input; a bug named twice is asked for once. */
export function bugRefs(texts: readonly string[], trackerAddress: string): readonly BugRef[] {
  return [...new Set(texts.map((text) => bugRef(text, trackerAddress)))];
}

/** The words of standard input when `-` stands among the arguments: one bug a line, or separated by commas or blanks. */
export function wordsOf(input: string): readonly string[] {
  return input.split(/[\s,]+/).filter((word) => word !== "");
}

const ALIAS = /^[\p{L}_][\p{L}\p{M}\p{Nd}_.:+@~-]{0,39}$/u;

function refOfAddress(text: string, trackerAddress: string): BugRef {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw refuse(text, "this is not a complete address");
  if (!/^https?:/.test(trackerAddress) || new URL(trackerAddress).origin !== url.origin) {
    throw usage(
      `${text} is not on ${trackerAddress}`,
      `name that tracker with --base-url ${url.origin}, or give the bug's number`,
    );
  }
  const inPath = /\/(?:rest\/bug\/)?([1-9][0-9]*)\/?$/.exec(url.pathname)?.[1];
  const id = url.searchParams.get("id") ?? inPath ?? "";
  if (!isBugId(id)) throw refuse(text, "the address of a bug ends in show_bug.cgi?id=NUMBER");
  return id;
}

function hintFor(bare: string): string {
  if (/^0+[1-9]/.test(bare)) return `write ${bare.replace(/^0+/, "")}`;
  if (/^[1-9][0-9]*[,;]/.test(bare)) return "give several bugs as separate words";
  return "a bug is named by a number such as 12, an alias, or its address";
}

function refuse(text: string, hint: string): BtError {
  return usage(`${JSON.stringify(text)} does not name a bug`, hint);
}
