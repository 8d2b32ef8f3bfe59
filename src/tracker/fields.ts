import { BUG_FIELDS, type BugFieldRow, type PersonField, type ValueTypes, type WireField } from "../wire/bug-fields.ts";
import type { SqlRow } from "./store/store.ts";

/** Kind of a plain value in a request, which determines its reader. */
export type PlainValue = "title" | "line" | "text" | "choice" | "day" | "hours" | "yes-no";

/** Facts about a bug field that only the tracker needs, beside those of `wire/bug-fields`. */
export type TrackerFieldRow = {
  isTracked?: true; // its changes are kept in the history; with `sets` they are
  column?: string; // in the table of bugs; with `sets` it has the name of the field
  isJoined?: true; // read together with the row of a bug, from another table
  sets?: PlainValue; // a request sets it as one value that depends on nothing else
  default?: "defaultpriority" | "defaultseverity" | "defaultplatform" | "defaultopsys"; // the parameter that has it
  oldName?: string; // updates take this name, too
  onCreate?: "ignored" | "refused"; // when it is sent with a new bug; absent: it is taken
  right?: "everybody" | "time trackers" | "workers"; // who may change it; absent: those who may change the bug
  readers?: "time trackers"; // for others there is no such field
  chartNamed?: "in requests" | "everywhere"; // where the tracker does not take its name in bug JSON
  isListed?: false; // the fields endpoint does not have it
  type?: number; // its type code there, when it is not 0
  isMandatory?: true; // there
  display?: string; // its name there, when it is not the label
  messageLabel?: string; // its name in refusals and mails, when it is neither
  quick?: string[]; // further names in quicksearches
};

/**
 * Every standard field of bugs. Those that are tracked are in the order in which the changes of one moment are
 * reported and kept.
 */
// biome-ignore format: a table
export const TRACKER_FIELDS = {
  summary: { sets: "title", isMandatory: true, quick: ["summary"] },
  product: { isTracked: true, column: "product_id", type: 2, isMandatory: true },
  component: { isTracked: true, column: "component_id", type: 2, isMandatory: true },
  version: { isTracked: true, column: "version", isMandatory: true },
  target_milestone: { isTracked: true, column: "target_milestone", right: "workers",
    display: "Target milestone", messageLabel: "Target Milestone", quick: ["milestone"] },
  status: { isTracked: true, column: "status", type: 2, quick: ["status"] },
  resolution: { isTracked: true, column: "resolution", type: 2 },
  dupe_of: { isTracked: true, isJoined: true, onCreate: "ignored", isListed: false },
  is_confirmed: { isTracked: true, column: "is_confirmed", onCreate: "ignored",
    display: "Is confirmed", messageLabel: "Ever confirmed" },
  priority: { sets: "choice", default: "defaultpriority", type: 2 },
  severity: { sets: "choice", default: "defaultseverity", type: 2, quick: ["severity"] },
  platform: { sets: "choice", default: "defaultplatform", type: 2, messageLabel: "Hardware",
    quick: ["platform"] },
  op_sys: { sets: "choice", default: "defaultopsys", type: 2, display: "Operating system",
    messageLabel: "OS", quick: ["os"] },
  assigned_to: { isTracked: true, column: "assigned_to_id", right: "workers",
    quick: ["assignee", "owner"] },
  creator: { column: "creator_id", onCreate: "ignored" },
  qa_contact: { isTracked: true, column: "qa_contact_id", right: "workers",
    messageLabel: "QA Contact" },
  deadline: { sets: "day", right: "time trackers", type: 5 },
  url: { sets: "line", quick: ["url"] },
  whiteboard: { sets: "text", oldName: "status_whiteboard", quick: ["whiteboard", "sw"] },
  is_cc_accessible: { sets: "yes-no", messageLabel: "CC list accessible" },
  is_creator_accessible: { sets: "yes-no", messageLabel: "Reporter accessible" },
  estimated_time: { sets: "hours", right: "time trackers", readers: "time trackers",
    display: "Estimated hours", messageLabel: "Orig. Est." },
  remaining_time: { sets: "hours", right: "time trackers", readers: "time trackers",
    display: "Remaining hours", messageLabel: "Hours Left" },
  alias: { isTracked: true, right: "everybody" },
  cc: { isTracked: true },
  keywords: { isTracked: true, type: 8, quick: ["kw"] },
  groups: { isTracked: true, chartNamed: "in requests", display: "Group", quick: ["group"] },
  depends_on: { isTracked: true },
  blocks: { isTracked: true },
  see_also: { isTracked: true, type: 7, messageLabel: "See Also" },
  flags: { isTracked: true, right: "everybody", chartNamed: "everywhere", quick: ["flag"] },
  id: { column: "id", onCreate: "ignored", display: "Bug" },
  is_open: { isJoined: true, onCreate: "ignored", isListed: false },
  classification: { isJoined: true, onCreate: "ignored", type: 2 },
  creation_time: { column: "creation_time", onCreate: "ignored" },
  last_change_time: { column: "last_change_time", onCreate: "ignored" },
  tags: { onCreate: "refused", type: 8, display: "Personal tags" },
  actual_time: { onCreate: "ignored", right: "time trackers", readers: "time trackers",
    chartNamed: "everywhere", display: "Hours worked", messageLabel: "Hours Worked" },
  update_token: { onCreate: "refused", isListed: false },
  requestee: { display: "Flag requestee", quick: ["requestee"] },
  setter: { display: "Flag setter", quick: ["setter"] },
  complete: { readers: "time trackers", display: "Percentage complete" },
  assignee_name: { display: "Assignee's name" },
  creator_name: { display: "Reporter's name" },
  qa_contact_name: { display: "QA contact's name" },
  comment: { right: "everybody", quick: ["description", "comment"] },
  comments: { display: "Number of comments" },
  commenter: { display: "Commenter" },
  comment_tag: { display: "Comment tag" },
  private_comment: { display: "Comment: is private" },
  attachment: { display: "Attachment: file name" },
  attachment_text: { display: "Attachment: summary",
    quick: ["attachment", "attachmentdesc", "attachdesc"] },
  attachment_type: { display: "Attachment: content type",
    quick: ["attachmentmimetype", "attachmimetype"] },
  attachment_data: { display: "Attachment: data", quick: ["attachmentdata", "attachdata"] },
  attacher: { display: "Attachment: creator" },
  patch: { display: "Attachment: is a patch" },
  obsolete: { display: "Attachment: is obsolete" },
  private_attachment: { display: "Attachment: is private" },
  days_elapsed: { display: "Days since the last change" },
  fulltext: { display: "Content" },
  idle: { display: "Idle time of the assignee" },
  last_visit: { type: 5, display: "Last visit" },
} as const satisfies Readonly<Record<WireField, TrackerFieldRow>>;

type Rows = typeof TRACKER_FIELDS;
type Plain = { sets: PlainValue };

/** The name of a field that has a column in the table of bugs. */
export type StoredField = {
  [Name in WireField]: Rows[Name] extends { column: string } | Plain ? Name : never;
}[WireField];

/** The name of a field whose changes are kept in the history. */
export type TrackedField = {
  [Name in WireField]: Rows[Name] extends { isTracked: true } | Plain ? Name : never;
}[WireField];

/** The name of a field that is set as one value that depends on nothing else. */
export type PlainField = { [Name in WireField]: Rows[Name] extends Plain ? Name : never }[WireField];

/** All that is known of one field, under its two names. */
export type BugField<Name extends WireField = WireField> = BugFieldRow &
  TrackerFieldRow & { readonly name: Name; readonly chart: string; readonly label: string };

/** Every standard field, in the order of the table. */
export const FIELDS: readonly BugField[] = (Object.keys(TRACKER_FIELDS) as WireField[]).map((name) => {
  const row: BugFieldRow & TrackerFieldRow = { ...BUG_FIELDS[name], ...TRACKER_FIELDS[name] };
  return { chart: name, label: name, ...(row.sets && { column: name, isTracked: true }), ...row, name };
});

/** The fields that have a column in the table of bugs. */
export const STORED_FIELDS = FIELDS.filter(
  (field): field is BugField<StoredField> & { column: string } => field.column !== undefined,
);

/** The fields whose column holds the id of a user. */
export const STORED_PERSON_FIELDS = STORED_FIELDS.filter(({ family }) => family === "person");

/** The fields whose column holds one of the legal values that the tracker keeps for them. */
export const CHOICE_FIELDS = STORED_FIELDS.filter(({ type, name, column }) => type === 2 && name === column);

export const TRACKED_FIELDS = FIELDS.filter((field): field is BugField<TrackedField> => field.isTracked === true);

/** The fields that are set as one value that depends on nothing else. */
export const PLAIN_FIELDS = FIELDS.filter(
  (field): field is BugField<PlainField> & { sets: PlainValue } => field.sets !== undefined,
);

const BY_CHART_NAME: ReadonlyMap<string, BugField> = new Map(FIELDS.map((field) => [field.chart, field]));

/** A standard field by its name in the fields endpoint, charts and history: bug_status. */
export function fieldByChartName(chart: string): BugField | undefined {
  return BY_CHART_NAME.get(chart);
}

/** True if only members of the time tracking group may set a field and see its history. */
export function isTimeTracking(chart: string): boolean {
  return fieldByChartName(chart)?.right === "time trackers";
}

// Fields whose names in bugs and changes are not their internal ones.
const RENAMED = FIELDS.filter(
  ({ name, chart, json, chartNamed }) => json && name !== chart && chartNamed !== "everywhere",
);
const WIRE_NAMES: ReadonlyMap<string, string> = new Map(RENAMED.map(({ name, chart }) => [chart, name]));
const CHART_NAMES: ReadonlyMap<string, string> = new Map(RENAMED.map(({ name, chart }) => [name, chart]));

/** The name that bugs and changes use for a field: status for bug_status. */
export function wireFieldName(chart: string): string {
  return WIRE_NAMES.get(chart) ?? chart;
}

/** The name that the fields endpoint, charts and the stored history use: bug_status for status. */
export function chartFieldName(name: string): string {
  return CHART_NAMES.get(name) ?? name;
}

/** The name of a standard field in refusals and mails. */
export function fieldLabel(chart: string): string {
  const field = fieldByChartName(chart);
  return field?.messageLabel ?? field?.display ?? field?.label ?? chart;
}

/** Names in bug JSON by internal names that requests may use. @see Bugzilla/Bug.pm, FIELD_MAP */
export const FIELD_MAP: ReadonlyMap<string, string> = new Map(
  RENAMED.filter(({ family, chartNamed }) => family && !chartNamed).map(({ name, chart }) => [chart, name]),
);

export type Person = { readonly id: number; readonly login: string };

export type NamedItem = { readonly id: number; readonly name: string };

export type Product = NamedItem & {
  readonly default_milestone: string;
  readonly has_unconfirmed: boolean;
  readonly is_active: boolean;
};

export type Component = NamedItem & { readonly is_active: boolean };

/** A flag set on a bug or attachment; `id` is 0 until it is stored. */
export type SetFlag = {
  readonly id: number;
  readonly type_id: number;
  readonly name: string;
  readonly status: string;
  readonly setter: Person;
  readonly requestee: Person | null;
};

/** Value of a custom field as displayed: a list for multi-select fields, text for all others. */
export type CustomValue = string | readonly string[];

type WireRows = typeof BUG_FIELDS;
type Objects = { product: Product; component: Component };

type BugPerson<Name extends PersonField> = WireRows[Name] extends { isOptional: true } ? Person | null : Person;

/** Value of a field with a column: text unless its kind differs; a day is YYYY-MM-DD or empty. */
type StoredValue<Name extends StoredField> = Name extends keyof Objects
  ? Objects[Name]
  : Name extends PersonField
    ? BugPerson<Name>
    : ValueTypes[WireRows[Name]["json"]];

/** A bug as plain data, private parts included; times are ISO 8601, durations hours. */
export type Bug = { readonly [Name in StoredField]: StoredValue<Name> } & {
  readonly alias: readonly string[];
  readonly cc: readonly Person[];
  readonly dupe_of: number | null;
  readonly depends_on: readonly number[];
  readonly blocks: readonly number[];
  readonly keywords: readonly NamedItem[];
  readonly groups: readonly NamedItem[];
  readonly flags: readonly SetFlag[];
  readonly see_also: readonly string[];
  readonly custom: Readonly<Record<string, CustomValue>>;
};

/** Presented rows by the id of their bug, in their order. */
export function groupByBug<R extends SqlRow & { readonly bug_id: number }, T>(
  rows: readonly R[],
  present: (row: R) => T,
): ReadonlyMap<number, T[]> {
  const lists = new Map<number, T[]>();
  for (const row of rows) {
    const list = lists.get(row.bug_id) ?? [];
    list.push(present(row));
    lists.set(row.bug_id, list);
  }
  return lists;
}
