import { Fault } from "../../http/fault.ts";
import type { SearchContext } from "../context.ts";
import { searchableFields } from "../fields.ts";

/** Chart name of the field with a quicksearch name or unique prefix, with or without `cf_`. @throws Fault 32000 if none or several match */
export function quicksearchField(context: SearchContext, text: string): string {
  const name = text.toLowerCase();
  const names = quickNames(context);
  const exact = names.get(name) ?? names.get(`cf_${name}`);
  if (exact !== undefined) return exact;
  const [first, second] =
    [namesStartingWith(names, name), namesStartingWith(names, `cf_${name}`)].find(({ length }) => length > 0) ?? [];
  if (first === undefined) throw problem(`${text} is not a valid field name. The legal field names are listed here.`);
  if (second !== undefined) {
    const matches = namesStartingWith(names, name).map(([match]) => match);
    throw problem(`${text} matches more than one field: ${matches.join(", ")}`);
  }
  return first[1];
}

type Names = ReadonlyMap<string, string>;

// One name per field.
function namesStartingWith(names: Names, start: string): readonly (readonly [string, string])[] {
  const byField = new Map([...names].filter(([name]) => name.startsWith(start)).map(([name, field]) => [field, name]));
  return [...byField].map(([field, name]) => [name, field] as const);
}

function problem(reason: string): Fault {
  return new Fault(400, 32000, `There is a problem with your search: ${reason}`);
}

function quickNames(context: SearchContext): Names {
  const fieldNames = searchableFields(context).filter((field) => !field.includes(".") && !EXCLUDED.has(field));
  return new Map([...Object.entries(SHORT_NAMES), ...fieldNames.map((field) => [field, field] as const)]);
}

// Fields that quicksearch does not accept under their chart names.
const EXCLUDED: ReadonlySet<string> = new Set([
  "bug_file_loc",
  "bug_group",
  "bug_severity",
  "bug_status",
  "cclist_accessible",
  "rep_platform",
  "reporter_accessible",
  "status_whiteboard",
]);

const SHORT_NAMES: Readonly<Record<string, string>> = {
  status: "bug_status",
  platform: "rep_platform",
  os: "op_sys",
  severity: "bug_severity",
  assignee: "assigned_to",
  owner: "assigned_to",
  milestone: "target_milestone",
  summary: "short_desc",
  description: "longdesc",
  comment: "longdesc",
  url: "bug_file_loc",
  whiteboard: "status_whiteboard",
  sw: "status_whiteboard",
  kw: "keywords",
  group: "bug_group",
  flag: "flagtypes.name",
  requestee: "requestees.login_name",
  setter: "setters.login_name",
  attachment: "attachments.description",
  attachmentdesc: "attachments.description",
  attachdesc: "attachments.description",
  attachmentdata: "attach_data.thedata",
  attachdata: "attach_data.thedata",
  attachmentmimetype: "attachments.mimetype",
  attachmimetype: "attachments.mimetype",
};
