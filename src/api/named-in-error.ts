import type { BtError } from "../errors.ts";
import { type BugRef, isBugId } from "./bug-ref.ts";

/**
 * The bug that the message of an error names, when it names exactly one of these: in quotes, behind `#`, or, for a number, as
 * a word of its own. An alias may be any word of the message.
 */
export function theOneNamed(refs: readonly BugRef[], { message }: BtError): BugRef | undefined {
  const marked = MARKED.exec(message)?.slice(1).find(Boolean)?.toLowerCase();
  const words = new Set(message.match(/[\w.-]+/g)?.map((word) => word.replace(/\.+$/, "")));
  const named = refs.filter((ref) =>
    marked === undefined ? isBugId(ref) && words.has(ref) : ref.toLowerCase() === marked,
  );
  return named.length === 1 ? named[0] : undefined;
}

/** "'ALIAS' is not a valid bug number …", "Bug #12 does not exist.", "You are not authorized to access bug #ALIAS. …" */
const MARKED = /^'(.*)' is not|\bbug #(\S+?)[.:]?(?:\s|$)/i;
