import { DEFAULT_BUG_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELDS, STORED_PERSON_FIELDS } from "../fields.ts";
import { presentBugFlags } from "../flags/present.ts";
import type { Call, Route } from "../http/call.ts";
import { type FieldSelection, pickFieldParts, readFieldSelection } from "../http/field-selection.ts";
import { isInGroup } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import type { SqlRow } from "../store/database.ts";
import { presentUsers } from "../users/present.ts";
import { LIST_FIELDS, readCustomColumns, readListField } from "./columns.ts";
import { requestedBugIds } from "./find.ts";
import { updateToken } from "./update-token.ts";

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
export function presentBugs(call: Call, ids: number[], selection: FieldSelection): JsonObject[] {
  const rows = new Map(call.store.all<BugRow>(BUGS, [JSON.stringify(ids)]).map((row) => [row.id, row]));
  const seen = [...rows.keys()];
  const columns = [
    ...scalarColumns(selection),
    ...timeColumns(call, seen, selection),
    ...listColumns(call, seen, selection),
    ...customColumns(call, seen, selection),
    ...peopleColumns(call, [...rows.values()], selection),
  ];
  const shown: JsonObject[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    if (row) shown.push(shownBug(row, columns));
  }
  return shown;
}

function shownBug(row: BugRow, columns: Column[]): JsonObject {
  const shown: ShownBug = {};
  for (const column of columns) column(row, shown);
  return shown;
}

type ShownBug = { [name: string]: Json };

/** Adds fields of a bug to what is shown of it. */
type Column = (bug: BugRow, shown: ShownBug) => void;

type BugRow = SqlRow & { id: number };

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

// The fields that come with the row of a bug, in the order of the interface.
const ROW_FIELDS = FIELDS.filter(
  ({ column, isJoined, family, readers }) => (column || isJoined) && family !== "person" && !readers,
).toSorted((a, b) => DEFAULT_BUG_FIELDS.indexOf(a.name) - DEFAULT_BUG_FIELDS.indexOf(b.name));
const BOOLEANS = ROW_FIELDS.filter(({ json }) => json === "bool");
const PLAIN = ROW_FIELDS.filter((field) => !BOOLEANS.includes(field));

function scalarColumns({ includes }: FieldSelection): Column[] {
  return [...PLAIN, ...BOOLEANS]
    .filter(({ name }) => includes(name))
    .map(
      ({ name, json }): Column =>
        (bug, shown) => {
          shown[name] = json === "bool" ? bug[name] === 1 : (bug[name] ?? null);
        },
    );
}

function timeColumns(call: Call, ids: number[], { includes }: FieldSelection): Column[] {
  if (!isInGroup(call.requester, call.parameters.timetrackinggroup)) return [];
  const worked = includes("actual_time") ? hoursWorked(call, ids) : new Map<number, number>();
  return HOURS.filter(({ name }) => includes(name)).map(
    ({ name, column }): Column =>
      (bug, shown) => {
        shown[name] = column ? (bug[column] ?? null) : (worked.get(bug.id) ?? 0);
      },
  );
}

const HOURS = FIELDS.filter(({ json }) => json === "double");

function hoursWorked({ store }: Call, ids: number[]): ReadonlyMap<number, number> {
  return new Map(
    store
      .all<{ bug_id: number; hours: number }>(
        `SELECT bug_id, round(sum(work_time), 5) AS hours FROM comments
         WHERE bug_id IN (SELECT value FROM json_each(?)) GROUP BY bug_id`,
        [JSON.stringify(ids)],
      )
      .map(({ bug_id, hours }) => [bug_id, hours]),
  );
}

const PLAIN_LIST_FIELDS = LIST_FIELDS.filter((name) => name !== "cc" && name !== "tags");

function listColumns(call: Call, ids: number[], { includes }: FieldSelection): Column[] {
  const column =
    (name: string, list: ReadonlyMap<number, readonly Json[]>): Column =>
    (bug, shown) => {
      shown[name] = list.get(bug.id) ?? [];
    };
  const columns: Column[] = [];
  for (const name of PLAIN_LIST_FIELDS) if (includes(name)) columns.push(column(name, readListField(call, name, ids)));
  if (includes("tags", ["extra"])) columns.push(column("tags", readListField(call, "tags", ids)));
  if (includes("flags")) columns.push(column("flags", presentBugFlags(call, ids)));
  return columns;
}

function customColumns(call: Call, ids: number[], selection: FieldSelection): Column[] {
  return readCustomColumns(call, ids, selection).map(
    ({ name, of }): Column =>
      (bug, shown) => {
        shown[name] = of(bug.id);
      },
  );
}

function peopleColumns(call: Call, bugs: BugRow[], selection: FieldSelection): Column[] {
  const roles = STORED_PERSON_FIELDS.filter(({ name }) => selection.includes(name));
  const cc = selection.includes("cc")
    ? readListField(
        call,
        "cc",
        bugs.map(({ id }) => id),
      )
    : undefined;
  const userIds = bugs.flatMap((bug) => roles.map(({ column }) => Number(bug[column] ?? 0)));
  for (const ids of cc?.values() ?? []) userIds.push(...ids.map(Number));
  const users = presentUsers(call, userIds);
  const detail = (role: string, id: number) => pickFieldParts(users.detail(id), role, selection);
  const hasQaContacts = isEnabled(call.parameters.useqacontact);
  const person =
    ({ name: role, column, isOptional }: (typeof STORED_PERSON_FIELDS)[number]): Column =>
    (bug, shown) => {
      const id = isOptional && !hasQaContacts ? null : bug[column];
      shown[role] = typeof id === "number" ? users.login(id) : "";
      if (typeof id === "number") shown[`${role}_detail`] = detail(role, id);
    };
  const ccColumn: Column = (bug, shown) => {
    const ids = (cc?.get(bug.id) ?? []).map(Number);
    shown["cc"] = ids.map(users.login);
    shown["cc_detail"] = ids.map((id) => detail("cc", id));
  };
  return [...roles.map(person), ...(cc ? [ccColumn] : [])];
}
