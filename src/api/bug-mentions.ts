import { BtError } from "../errors.ts";
import { type BugRef, bugRef, isBugId } from "./bug-ref.ts";

/**
 * Distinct bugs that a running text mentions, in order: `bug 12`, `Bug #12`, `bugs 12, 13 and 14`,
 * `show_bug.cgi?id=12`, and the addresses of bugs on this tracker. A bare `#12` may be of another tracker and does not
 * count.
 * @see https://bugzilla.readthedocs.io/en/5.2/using/tips.html#autolinkification
 */
export function mentionedBugs(text: string, trackerAddress: string): BugRef[] {
  const found = [...text.matchAll(MENTION)].flatMap(({ groups: { address, page, many, one } = {} }) => {
    if (address !== undefined) return bugAt(address.replace(/[.,;:!?'*_]+$/, ""), trackerAddress);
    return (page ?? many ?? one ?? "").match(/\d+/g)?.filter(isBugId) ?? [];
  });
  return [...new Set(found)];
}

const NUMBER = String.raw`#?\d+(?![\w-]|\.\d)`;

const MENTION = new RegExp(
  [
    String.raw`(?<address>https?:\/\/[^\s<>"\`()[\]{}]+)`,
    String.raw`(?<![\w/.-])show_bug\.cgi\?id=(?<page>\d+)(?!\w)`,
    String.raw`(?<![\w/.-])bugs\s+(?<many>${NUMBER}(?:(?:\s*,\s*|\s+)(?:(?:and|or|&)\s+)?${NUMBER})*)`,
    String.raw`(?<![\w/.-])bug\s+(?<one>${NUMBER})`,
  ].join("|"),
  "gi",
);

/** The bug of an address, if it is one of this tracker. */
function bugAt(address: string, trackerAddress: string): BugRef[] {
  try {
    return [bugRef(address, trackerAddress)];
  } catch (error) {
    if (error instanceof BtError && error.kind === "usage") return [];
    throw error;
  }
}
