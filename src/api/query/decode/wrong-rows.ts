import { BtError } from "../../../errors.ts";
import { OPERATORS } from "../../../wire/names.ts";

/** The part of a custom search's row that says what is compared. */
type Compared = { readonly field: string; readonly operator: string; readonly isNegated: boolean };

/**
 * What to send for a row that servers answer wrongly. A negative operator finds only bugs that have an alias, or a flag; the
 * test for emptiness of these finds every bug or none. The negated positive row is answered rightly. `field` is a chart name.
 *
 * @throws a usage error for a row that has no right form
 * @see Bugzilla/Search.pm, _alias_nonchanged, _flagtypes_nonchanged and _multiselect_isempty
 */
export function rightRow(row: Compared): Compared & { readonly value?: string } {
  const { field, operator, isNegated } = row;
  const positive = HELD_ONLY.has(field) ? POSITIVE[operator] : undefined;
  if (positive !== undefined) return { field, operator: positive, isNegated: !isNegated };
  if (!OPERATORS.empty.some((name) => name === operator)) return row;
  if (field === "longdesc") throw new BtError("usage", "comment is never empty");
  const other = OTHER_TEST[field];
  if (other === undefined) return row;
  return { ...other, isNegated: (operator === "isempty") !== isNegated };
}

/** Whether a server would answer wrongly to this operator on this field, a chart name. */
export function isWrongRow(field: string, operator: string): boolean {
  return rightRow({ field, operator, isNegated: false }).operator !== operator;
}

const HELD_ONLY: ReadonlySet<string> = new Set(["alias", "flagtypes.name"]);

const POSITIVE: Readonly<Record<string, string>> = {
  notequals: "equals",
  notsubstring: "substring",
  notregexp: "regexp",
  nowords: "anywords",
  nowordssubstr: "anywordssubstr",
};

type Held = { readonly field: string; readonly operator: string; readonly value?: string };

const HAS_ATTACHMENT: Held = { field: "attachments.submitter", operator: "isnotempty" };

/** The row that holds if and only if the field is set. */
const OTHER_TEST: Readonly<Record<string, Held>> = {
  alias: { field: "alias", operator: "isnotempty" },
  "flagtypes.name": { field: "setters.login_name", operator: "isnotempty" },
  "attachments.filename": HAS_ATTACHMENT,
  "attachments.description": HAS_ATTACHMENT,
  "attachments.mimetype": HAS_ATTACHMENT,
  comment_tag: { field: "comment_tag", operator: "regexp", value: "." },
};
