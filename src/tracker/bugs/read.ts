import type { Json, JsonObject } from "../../wire/exchange.ts";
import { presentBugFlags } from "../flags/present.ts";
import type { Call, Route } from "../http/call.ts";
import { type FieldSelection, pickFieldParts, readFieldSelection } from "../http/field-selection.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { presentUsers } from "../users/present.ts";
import { isInGroup } from "../users/requester.ts";
import { readCustomColumns, readListColumn } from "./columns.ts";
import { requestedBugIds } from "./find.ts";
import { updateToken } from "./precondition.ts";

/**
 * Routes of Get Bug: one by number or alias, or several by `ids`; fails if any of them is missing or not visible.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#get-bug
 */
export const bugGetRoutes: readonly Route[] = [
  { method: "GET", path: "/bug/", handle: (call) => getBugs(call) },
  { method: "GET", path: "/bug/{id}", handle: (call) => getBugs(call) },
];

function getBugs(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const ids = requestedBugIds(call);
  const bugs = presentBugs(call, ids, selection);
  const withToken = call.requester.user !== undefined && selection.includes("update_token");
  return { bugs: withToken ? bugs.map((bug, index) => withUpdateToken(call, bug, ids[index] ?? 0)) : bugs, faults: [] };
}

function withUpdateToken(call: Call, bug: JsonObject, id: number): JsonObject {
  return {
    ...bug,
    update_token: updateToken(call, id),
  };
}

/** JSON of the visible bugs among `ids`, in that order, with the selected fields the requester may see. */
export function presentBugs(call: Call, ids: readonly number[], selection: FieldSelection): readonly JsonObject[] {
  const rows = new Map(call.store.all<BugRow>(BUGS, [JSON.stringify(ids)]).map((row) => [row.id, row]));
  const seen = [...rows.keys()];
  const columns = [
    ...scalarColumns(selection),
    ...timeColumns(call, seen, selection),
    ...listColumns(call, seen, selection),
    ...customColumns(call, seen, selection),
    ...peopleColumns(call, [...rows.values()], selection),
  ];
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [Object.fromEntries(columns.flatMap((column) => column(row)))] : [];
  });
}

type NamedValues = readonly (readonly [name: string, value: Json])[];
type Column = (bug: BugRow) => NamedValues;

type BugRow = {
  readonly id: number;
  readonly summary: string;
  readonly status: string;
  readonly is_open: number;
  readonly resolution: string;
  readonly product: string;
  readonly component: string;
  readonly classification: string;
  readonly version: string;
  readonly target_milestone: string;
  readonly priority: string;
  readonly severity: string;
  readonly platform: string;
  readonly op_sys: string;
  readonly assigned_to_id: number;
  readonly creator_id: number;
  readonly qa_contact_id: number | null;
  readonly creation_time: string;
  readonly last_change_time: string;
  readonly deadline: string | null;
  readonly dupe_of: number | null;
  readonly url: string;
  readonly whiteboard: string;
  readonly is_confirmed: number;
  readonly is_cc_accessible: number;
  readonly is_creator_accessible: number;
  readonly estimated_time: number;
  readonly remaining_time: number;
};

const BUGS = `
  SELECT visible_bugs.*, products.name AS product, components.name AS component,
    classifications.name AS classification, bug_duplicates.dupe_of, coalesce(open_status.is_open, 0) AS is_open
  FROM visible_bugs
  JOIN products ON products.id = visible_bugs.product_id
  JOIN components ON components.id = visible_bugs.component_id
  JOIN classifications ON classifications.id = products.classification_id
  LEFT JOIN bug_duplicates ON bug_duplicates.bug_id = visible_bugs.id
  LEFT JOIN field_values AS open_status ON open_status.name = visible_bugs.status
    AND open_status.field_id = (SELECT id FROM fields WHERE name = 'bug_status')
  WHERE visible_bugs.id IN (SELECT value FROM json_each(?))`;

const PLAIN = [
  "id", "summary", "status", "resolution", "product", "component", "classification", "version", "target_milestone",
  "priority", "severity", "platform", "op_sys", "creation_time", "last_change_time", "deadline", "dupe_of", "url",
  "whiteboard",
] as const; // biome-ignore format: a table
const BOOLEANS = ["is_open", "is_confirmed", "is_cc_accessible", "is_creator_accessible"] as const;

function scalarColumns({ includes }: FieldSelection): readonly Column[] {
  return [
    ...PLAIN.filter((name) => includes(name)).map(
      (name): Column =>
        (bug) => [[name, bug[name]]],
    ),
    ...BOOLEANS.filter((name) => includes(name)).map(
      (name): Column =>
        (bug) => [[name, bug[name] === 1]],
    ),
  ];
}

function timeColumns(call: Call, ids: readonly number[], { includes }: FieldSelection): readonly Column[] {
  if (!isInGroup(call.requester, call.parameters.timetrackinggroup)) return [];
  const worked = includes("actual_time") ? hoursWorked(call, ids) : new Map<number, number>();
  const timeFields: readonly (readonly [string, (bug: BugRow) => Json])[] = [
    ["estimated_time", (bug) => bug.estimated_time],
    ["remaining_time", (bug) => bug.remaining_time],
    ["actual_time", (bug) => worked.get(bug.id) ?? 0],
  ];
  return timeFields
    .filter(([name]) => includes(name))
    .map(
      ([name, read]): Column =>
        (bug) => [[name, read(bug)]],
    );
}

function hoursWorked({ store }: Call, ids: readonly number[]): ReadonlyMap<number, number> {
  return new Map(
    store
      .all<{ readonly bug_id: number; readonly hours: number }>(
        `SELECT bug_id, round(sum(work_time), 5) AS hours FROM comments
         WHERE bug_id IN (SELECT value FROM json_each(?)) GROUP BY bug_id`,
        [JSON.stringify(ids)],
      )
      .map(({ bug_id, hours }) => [bug_id, hours]),
  );
}

const LISTS = ["alias", "blocks", "depends_on", "groups", "keywords", "see_also"] as const;

function listColumns(call: Call, ids: readonly number[], { includes }: FieldSelection): readonly Column[] {
  const column =
    (name: string, list: ReadonlyMap<number, readonly Json[]>): Column =>
    (bug) => [[name, list.get(bug.id) ?? []]];
  return [
    ...LISTS.filter((name) => includes(name)).map((name) => column(name, readListColumn(call, name, ids))),
    ...(includes("tags", ["extra"]) ? [column("tags", readListColumn(call, "tags", ids))] : []),
    ...(includes("flags") ? [column("flags", presentBugFlags(call, ids))] : []),
  ];
}

function customColumns(call: Call, ids: readonly number[], selection: FieldSelection): readonly Column[] {
  return readCustomColumns(call, ids, selection).map(
    ({ name, of }): Column =>
      (bug) => [[name, of(bug.id)]],
  );
}

const PEOPLE = [
  ["assigned_to", "assigned_to_id"],
  ["creator", "creator_id"],
  ["qa_contact", "qa_contact_id"],
] as const;

function peopleColumns(call: Call, bugs: readonly BugRow[], selection: FieldSelection): readonly Column[] {
  const roles = PEOPLE.filter(([role]) => selection.includes(role));
  const cc = selection.includes("cc")
    ? readListColumn(
        call,
        "cc",
        bugs.map(({ id }) => id),
      )
    : undefined;
  const roleIds = bugs.flatMap((bug) => roles.map(([, column]) => bug[column] ?? 0));
  const users = presentUsers(call, [...roleIds, ...[...(cc?.values() ?? [])].flat().map(Number)]);
  const detail = (role: string, id: number) => pickFieldParts(users.detail(id), role, selection);
  const hasQaContacts = isEnabled(call.parameters.useqacontact);
  const person =
    ([role, column]: (typeof PEOPLE)[number]): Column =>
    (bug) => {
      const id = role === "qa_contact" && !hasQaContacts ? null : bug[column];
      return id === null
        ? [[role, ""]]
        : [
            [role, users.login(id)],
            [`${role}_detail`, detail(role, id)],
          ];
    };
  const ccColumn: Column = (bug) => {
    const ids = (cc?.get(bug.id) ?? []).map(Number);
    return [
      ["cc", ids.map(users.login)],
      ["cc_detail", ids.map((id) => detail("cc", id))],
    ];
  };
  return [...roles.map(person), ...(cc ? [ccColumn] : [])];
}
