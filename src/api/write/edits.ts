import { type BtError, usage } from "../../errors.ts";
import { listParts, unquoted } from "../legal-values.ts";

/** What an update does to a list: puts items in, takes items out, or replaces it. */
export type Edit = {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly set: readonly string[] | undefined;
};

/** A flag that takes the short form of an edit, and whether the interface lets its list be replaced. */
export type EditFlag = { readonly name: string; readonly replaces: boolean };

/**
 * Reads the short form of an edit: `+ada,-bob` adds and removes, `=ada,bob` replaces, `=` empties. A bare value is refused,
 * since it could mean either; so is replacing where it is not part of the interface, since a tracker ignores it in silence.
 * An item in double quotes keeps its commas: `+"Ada, Brandt"`.
 */
export function readListEdit(flag: EditFlag, texts: readonly string[]): Edit {
  const { name, replaces } = flag;
  const joined = texts.flatMap((text) => (text.startsWith("=") ? [text] : listParts(text).filter(Boolean)));
  const replaced = joined.filter((text) => text.startsWith("="));
  if (replaced.length > 0) {
    if (!replaces) throw refuse(`--${name} cannot be replaced as a whole, only added to and removed from`, flag);
    if (joined.length > 1) throw refuse(`--${name} replaces the list with =, so nothing else goes with it`, flag);
    return { add: [], remove: [], set: splitItems((replaced[0] ?? "").slice(1)) };
  }
  const bare = joined.find((text) => !/^[+-]./u.test(text));
  if (bare !== undefined) throw unsigned(bare, joined, flag);
  return { ...signedItems(joined), set: undefined };
}

/** What is to be added and removed, by the sign before each part of a list. */
export function signedItems(parts: readonly string[]): Pick<Edit, "add" | "remove"> {
  const starting = (sign: string) =>
    parts.filter((part) => part.startsWith(sign)).map((part) => unquoted(part.slice(1).trim()));
  return { add: starting("+"), remove: starting("-") };
}

/**
 * Splits a list at its commas, which belong to an item in double quotes; empty items are dropped, so that the empty text is
 * the empty list.
 */
export function splitItems(text: string): readonly string[] {
  return listParts(text)
    .map(unquoted)
    .filter((item) => item !== "");
}

/** Who gave plain items most likely wants to add them. */
function unsigned(bare: string, given: readonly string[], { name, replaces }: EditFlag): BtError {
  const list = given.map((item) => item.replace(/^[+-]/, "")).join(",");
  const flags = ["add", "remove", ...(replaces ? ["set"] : [])].map((verb) => `--${verb}-${name} ${list}`);
  return usage(`--${name} ${bare} does not say whether to add or remove`, flags.join(", or "));
}

function refuse(message: string, { name, replaces }: EditFlag): BtError {
  const hint = `--${name} +one,-other${replaces ? ` or --${name} =one,other` : ""}`;
  return usage(message, hint);
}
