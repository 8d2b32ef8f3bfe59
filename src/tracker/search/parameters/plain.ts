import { FIELD_TYPE } from "../../fields/custom.ts";
import type { Asking } from "../asking.ts";
import { type Condition, type Row, row } from "../condition.ts";
import { innerName, parameterNames } from "./names.ts";
import { ROLES } from "./roles.ts";
import { statuses } from "./status.ts";
import { filledTexts, oneText, type Values } from "./values.ts";

/** The conditions of the plain parameters (`product=Firefox`): one a parameter, whichever of its names is used. */
export function plainConditions(asking: Asking, values: Values): readonly Condition[] {
  return [...parameterNames(asking)].flatMap(([name, field]) => {
    if (!values.has(name) || isRole(field, values) || isTime(field)) return [];
    const given = filledTexts(values, name);
    if (given.length === 0) {
      asking.ignore(name, field === "resolution" ? "it is empty; say --- for open bugs" : "it is empty");
      return [];
    }
    return plainRow(asking, { name, field, given, type: oneText(values, `${innerName(field)}_type`) });
  });
}

type Given = {
  readonly name: string;
  readonly field: string;
  readonly given: readonly string[];
  readonly type: string; // the operator that was asked for, or ""
};

function plainRow(asking: Asking, { name, field, given, type }: Given): readonly Row[] {
  const operator = type || (DEFAULT_OPERATORS[field] ?? "anyexact");
  if (field === "bug_status" && operator === "anyexact") return statuses(asking, name, given);
  const items = field === "resolution" ? given.map((item) => (item === "---" ? "" : item)) : given;
  const text = items.join(",");
  return [isSelect(asking, field) ? { ...row(field, operator, text), items } : row(field, operator, text)];
}

const DEFAULT_OPERATORS: Readonly<Record<string, string>> = {
  bug_file_loc: "allwordssubstr",
  content: "matches",
  keywords: "allwords",
  short_desc: "allwordssubstr",
  status_whiteboard: "allwordssubstr",
};

// These are turned into rows (roles.ts), unless a type says how comments are meant.
function isRole(field: string, values: Values): boolean {
  return ROLES.includes(field) && !(field === "longdesc" && values.has("longdesc_type"));
}

function isTime(field: string): boolean {
  return field === "creation_ts" || field === "delta_ts";
}

const SELECTS: ReadonlySet<string> = new Set([
  "bug_severity",
  "bug_status",
  "classification",
  "component",
  "op_sys",
  "priority",
  "product",
  "rep_platform",
  "resolution",
  "target_milestone",
  "version",
]);

// The values of these are names that may hold commas.
function isSelect({ custom }: Asking, field: string): boolean {
  const type = custom.get(field)?.type;
  return SELECTS.has(field) || type === FIELD_TYPE.select || type === FIELD_TYPE.multiSelect;
}
