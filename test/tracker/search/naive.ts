import { aliasesOf, type Change, type RandomBug } from "./random-bugs.ts";

/** A condition of the random tests. */
export type Asked =
  | { readonly kind: "row"; readonly field: string; readonly operator: string; readonly text: string }
  | { readonly kind: "group"; readonly join: "AND" | "OR"; readonly parts: readonly Asked[] }
  | { readonly kind: "changes"; readonly field: string; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: "not"; readonly part: Asked };

/** The requester, as far as it decides what is seen. */
export type Viewer = { readonly login: string; readonly isInsider: boolean; readonly seesPrivateBugs: boolean };

/** True if a bug is seen and meets a condition: the plainest possible reading, with nothing taken from the tracker. */
export function meets(one: Case, asked: Asked): boolean {
  return isSeen(one.bug, one.viewer) && holds(one, asked);
}

/** A bug under its id, and who looks at it. */
export type Case = { readonly bug: RandomBug; readonly id: number; readonly viewer: Viewer };

function isSeen(bug: RandomBug, { login, seesPrivateBugs }: Viewer): boolean {
  return !bug.isPrivate || seesPrivateBugs || bug.assignee === login || bug.contact === login;
}

function holds(one: Case, asked: Asked): boolean {
  switch (asked.kind) {
    case "not":
      return !holds(one, asked.part);
    case "group":
      return asked.parts[asked.join === "AND" ? "every" : "some"]((part) => holds(one, part));
    case "changes":
      return one.bug.changes.some((change) => asked.rows.every((row) => isChange(change, asked.field, row)));
    default:
      return rowHolds(one, asked);
  }
}

function rowHolds(one: Case, row: Row): boolean {
  const { field, operator, text } = row;
  if (operator.startsWith("changed")) {
    return one.bug.changes.some((change) => isChange(change, field, [operator, text]));
  }
  const found = FIELDS[field]?.(one) ?? list([]);
  if (operator === "isempty" || operator === "isnotempty") return isEmpty(found) === (operator === "isempty");
  const positive = NEGATIVES[operator];
  if (positive !== undefined && ["alias", "longdesc"].includes(field)) {
    return found.values.some((value) => !found.compare(value, positive, text));
  }
  return positive === undefined ? isFound(found, row) : !isFound(found, { ...row, operator: positive });
}

type Row = Extract<Asked, { kind: "row" }>;

function isEmpty({ kind, values }: Values): boolean {
  return kind === "own" ? values[0] === "" : values.length === 0;
}

function isFound({ kind, values, compare }: Values, { operator, text }: Row): boolean {
  const wanted = kind === "list" && operator.startsWith("allwords") ? text.split(" ") : [text];
  return wanted.every((word) => values.some((value) => compare(value, operator, word)));
}

const NEGATIVES: Readonly<Record<string, string>> = {
  notequals: "equals",
  notsubstring: "substring",
  notregexp: "regexp",
  nowords: "anywords",
  nowordssubstr: "anywordssubstr",
};

type Values = {
  readonly values: readonly string[];
  readonly kind: "own" | "each" | "list"; // the bug's own value, or any number of them, which are compared one by one or together
  readonly compare: typeof asTexts;
};

function single(value: string, compare = asTexts): Values {
  return { values: [value], kind: "own", compare };
}

function list(values: readonly string[]): Values {
  return { values, kind: "list", compare: asTexts };
}

function each(values: readonly string[]): Values {
  return { values, kind: "each", compare: asTexts };
}

function seenComments({ bug, viewer }: Case) {
  return bug.comments.filter(({ isPrivate }) => !isPrivate || viewer.isInsider);
}

/** The fields that random conditions name, with what each compares. */
export const FIELDS: Readonly<Record<string, (one: Case) => Values>> = {
  short_desc: ({ bug }) => single(bug.summary),
  bug_status: ({ bug }) => single(bug.status),
  priority: ({ bug }) => single(bug.priority),
  status_whiteboard: ({ bug }) => single(bug.whiteboard),
  cf_tracking: ({ bug }) => single(bug.tracking ?? "---"),
  assigned_to: ({ bug }) => each([bug.assignee]),
  qa_contact: ({ bug }) => single(bug.contact ?? ""),
  cc: ({ bug }) => each(bug.cc),
  commenter: (one) => each(seenComments(one).map(({ who }) => who)),
  "setters.login_name": ({ bug }) => each(bug.flags.map(({ setter }) => setter)),
  "requestees.login_name": ({ bug }) => each(bug.flags.flatMap(({ requestee }) => requestee ?? [])),
  keywords: ({ bug }) => list(bug.keywords),
  alias: ({ bug, id }) => each(aliasesOf(bug, id)),
  longdesc: (one) => each(seenComments(one).map(({ text }) => text)),
  "flagtypes.name": ({ bug }) => each(bug.flags.map(({ status }) => `review${status}`)),
  bug_id: ({ id }) => single(String(id), asNumbers),
  cf_points: ({ bug }) => single(String(bug.points ?? 0), asNumbers),
  "longdescs.count": (one) => single(String(seenComments(one).length), asNumbers),
  creation_ts: ({ bug }) => single(bug.created, asTimes),
  deadline: ({ bug }) => single(`${bug.deadline ?? "1970-01-01"}T00:00:00Z`, asTimes),
};

function asTexts(value: string, operator: string, wanted: string): boolean {
  const [own, other] = [value.toLowerCase(), wanted.toLowerCase()];
  const parts = other.split(" ");
  const words = own.split(/[^\p{L}\p{N}]+/u);
  switch (operator) {
    case "equals":
      return own === other;
    case "anyexact":
      return other.split(",").includes(own);
    case "substring":
      return own.includes(other);
    case "casesubstring":
      return value.includes(wanted);
    case "regexp":
      return new RegExp(wanted, "i").test(value);
    case "anywordssubstr":
      return parts.some((part) => own.includes(part));
    case "allwordssubstr":
      return parts.every((part) => own.includes(part));
    case "anywords":
      return parts.some((part) => words.includes(part));
    case "allwords":
      return parts.every((part) => words.includes(part));
    default:
      throw new Error(`no naive ${operator}`);
  }
}

function ordered(difference: number, operator: string): boolean {
  switch (operator) {
    case "equals":
      return difference === 0;
    case "lessthan":
      return difference < 0;
    case "lessthaneq":
      return difference <= 0;
    case "greaterthan":
      return difference > 0;
    default:
      return difference >= 0;
  }
}

function asNumbers(value: string, operator: string, wanted: string): boolean {
  return operator === "anyexact"
    ? wanted.split(",").includes(value)
    : ordered(Number(value) - Number(wanted), operator);
}

function asTimes(value: string, operator: string, wanted: string): boolean {
  return ordered(Date.parse(value) - (MOMENTS[wanted] ?? Number.NaN), operator);
}

/** Dates as they may be written, and what they mean at 2026-11-20T05:58:00Z, a Friday. */
export const MOMENTS: Readonly<Record<string, number>> = {
  "2026-10-01": Date.parse("2026-10-01T00:00:00Z"),
  "2026-11-19 12:00:00": Date.parse("2026-11-19T12:00:00Z"),
  "2026-11-19T12:00:00Z": Date.parse("2026-11-19T12:00:00Z"),
  "-1w": Date.parse("2026-11-13T05:58:00Z"),
  "2d": Date.parse("2026-11-18T05:58:00Z"),
  "1ms": Date.parse("2026-10-01T00:00:00Z"),
  "0ws": Date.parse("2026-11-15T00:00:00Z"),
  "2ys": Date.parse("2024-01-01T00:00:00Z"),
  "+1d": Date.parse("2026-11-21T05:58:00Z"),
  now: Date.parse("2026-11-20T00:00:00Z"),
  whenever: Date.parse("0000-01-01T00:00:00Z"),
};

function isChange(change: Change, field: string, [operator, text]: readonly [string, string]): boolean {
  return (
    change.field === field &&
    {
      changedfrom: change.removed.toLowerCase() === text.toLowerCase(),
      changedto: change.added.toLowerCase() === text.toLowerCase(),
      changedby: change.who === text,
      changedafter: Date.parse(change.time) >= (MOMENTS[text] ?? Number.NaN),
      changedbefore: Date.parse(change.time) <= (MOMENTS[text] ?? Number.NaN),
    }[operator] === true
  );
}
