import { type BtError, usage } from "../../errors.ts";
import { listParts, splitQuotedItems, unquoted } from "../legal-values.ts";

/** Edit of a list: items to add and remove, or the items that replace it. */
export type Edit = {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly set: readonly string[] | undefined;
};

/** A flag that takes the short form of an edit; `replaces` if the interface allows replacing its list. */
export type EditFlag = { readonly name: string; readonly replaces: boolean };

/**
 * Parses the short form of an edit: `+ada,-bob` adds and removes, `=ada,bob` replaces, `=` clears. An item in double
 * quotes keeps its commas: `+"Ada, Brandt"`.
 * @throws BtError of kind usage for an item without a sign, which is ambiguous, and for replacing where trackers ignore
 * it
 */
export function parseListEdit(flag: EditFlag, texts: readonly string[]): Edit {
  const { name, replaces } = flag;
  const joined = texts.flatMap((text) => (text.startsWith("=") ? [text] : listParts(text).filter(Boolean)));
  const replaced = joined.filter((text) => text.startsWith("="));
  if (replaced.length > 0) {
    if (!replaces) throw refuse(`--${name} does not support =value; use +value or -value`, flag);
    if (joined.length > 1)
      throw refuse(`--${name} =value replaces the whole list and cannot be combined with + or -`, flag);
    return { add: [], remove: [], set: splitQuotedItems((replaced[0] ?? "").slice(1)) };
  }
  const bare = joined.find((text) => !/^[+-]./u.test(text));
  if (bare !== undefined) throw unsigned(bare, joined, flag);
  return { ...signedItems(joined), set: undefined };
}

/** Items to add and remove, by the sign of each part. */
export function signedItems(parts: readonly string[]): Pick<Edit, "add" | "remove"> {
  const starting = (sign: string) =>
    parts.filter((part) => part.startsWith(sign)).map((part) => unquoted(part.slice(1).trim()));
  return { add: starting("+"), remove: starting("-") };
}

/** Error for items without a sign, which most likely are to be added. */
function unsigned(bare: string, given: readonly string[], { name, replaces }: EditFlag): BtError {
  const list = given.map((item) => item.replace(/^[+-]/, "")).join(",");
  const flags = ["add", "remove", ...(replaces ? ["set"] : [])].map((verb) => `--${verb}-${name} ${list}`);
  return usage(`--${name} ${bare} needs a sign: +value or -value`, flags.join(", or "));
}

function refuse(message: string, { name, replaces }: EditFlag): BtError {
  const hint = `--${name} +one,-other${replaces ? ` or --${name} =one,other` : ""}`;
  return usage(message, hint);
}
