import { booleanShape } from "../../wire/shape.ts";
import { findStatus, loadWorkflow } from "../bug-fields/values.ts";
import { FIELDS } from "../fields.ts";
import { deriveRegexpMembers } from "../groups/routes.ts";
import type { SqlRow, SqlValue, Store } from "../store/store.ts";
import {
  type Column,
  idByName,
  KINDS,
  type Kind,
  type Kinds,
  type Setup,
  type SetupObject,
  type WorkflowSetup,
} from "./kinds.ts";

export type { Setup } from "./kinds.ts";

/** Applies a setup to a tracker; call it inside a transaction. @throws Fault for unknown names or invalid values */
export function applySetup(store: Store, { parameters = {}, workflow = {}, ...objects }: Setup): void {
  saveObjects(store, KINDS, objects);
  applyWorkflow(store, workflow);
  for (const [name, value] of Object.entries(parameters)) {
    if (name.endsWith("group") && value !== "") idByName(store, "groups", value);
    store.run("INSERT OR REPLACE INTO parameters (name, value) VALUES (?, ?)", [name, value]);
  }
  deriveRegexpMembers(store);
}

/** Stores the objects of a setup, or the parts of the object with the id `parent`. */
function saveObjects(store: Store, kinds: Kinds, container: SetupObject, parent: number | null = null): void {
  for (const [part, kind] of Object.entries(kinds)) {
    const saved = objectsIn(container, part).map((object) => saveObject(store, kind, object, parent));
    // after all objects of the kind, to which relations may refer
    for (const { id, object } of saved) {
      for (const [name, { write }] of Object.entries(kind.relations ?? {}))
        if (object[name] !== undefined) write(store, id, object[name] as never);
      saveObjects(store, kind.parts ?? {}, object, id);
    }
  }
}

/** The objects of a kind in a setup or an object; a string is an object with this name. */
export function objectsIn(container: SetupObject, part: string): readonly SetupObject[] {
  const objects = (container[part] ?? []) as readonly (string | SetupObject)[];
  return objects.map((object) => (typeof object === "string" ? { name: object } : object));
}

/** Stores the columns of an object. Returns its id and the object as its kind completes it. */
function saveObject(store: Store, kind: Kind, sent: SetupObject, parent: number | null) {
  const existing = findObject(store, kind, sent, parent);
  const object = kind.complete?.(sent, store, existing) ?? sent;
  const columns = storedColumns(store, kind, object);
  const id = existing ?? insertObject(store, kind, columns, { parent, key: String(object[kind.key]) });
  const assignments = Object.keys(columns).flatMap((name) => (name === kind.key ? [] : `${name} = @${name}`));
  if (existing !== undefined && assignments.length > 0)
    store.run(`UPDATE ${kind.table} SET ${assignments.join(", ")} WHERE id = @id`, { ...columns, id });
  return { id, object };
}

type Columns = Readonly<Record<string, SqlValue>>;

function insertObject(store: Store, { table, parent, defaults }: Kind, columns: Columns, bindings: Columns): number {
  const values: Record<string, string> = { ...(parent && { [parent]: "@parent" }), ...defaults };
  for (const name of Object.keys(columns)) values[name] = `@${name}`;
  const sql = `INSERT INTO ${table} (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(", ")})`;
  return store.run(sql, { ...columns, ...bindings }).id;
}

/** The columns of the members that an object has. */
function storedColumns(store: Store, { columns }: Kind, object: SetupObject): Columns {
  const sent = Object.entries(columns).filter(([name]) => object[name] !== undefined);
  return Object.fromEntries(
    sent.map(([name, column]) => [column.column ?? name, columnValue(store, column, object[name])]),
  );
}

function columnValue(store: Store, { refersTo, codes }: Column, value: unknown): SqlValue {
  if (refersTo) return idByName(store, refersTo, String(value));
  if (codes) return codes[String(value)] ?? null;
  return typeof value === "boolean" ? Number(value) : (value as SqlValue);
}

/** Id of the stored object with the name and parent of `object`; undefined if there is none. */
export function findObject(store: Store, kind: Kind, object: SetupObject, parent: number | null): number | undefined {
  const identity = [kind.key, ...Object.keys(kind.alsoKey ?? {})];
  const members = Object.fromEntries(identity.map((name) => [name, object[name] ?? kind.alsoKey?.[name] ?? ""]));
  const columns = { ...(kind.parent && { [kind.parent]: parent }), ...storedColumns(store, kind, members) };
  const where = Object.keys(columns).map((name) => `${name} = @${name}`);
  return store.values(`SELECT id FROM ${kind.table} WHERE ${where.join(" AND ")}`, columns)[0];
}

/** The current setup of a tracker; applied to an empty tracker it reproduces this one. */
export function describeSetup(store: Store): Setup {
  const parameters = store.all<{ name: string; value: string }>("SELECT name, value FROM parameters ORDER BY name");
  return {
    parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
    ...describeObjects(store, KINDS),
    workflow: describeWorkflow(store),
  };
}

/** The objects of each kind, by its name; of parts, those of the object with the id `parent`. */
function describeObjects(store: Store, kinds: Kinds, parent: number | null = null): SetupObject {
  return Object.fromEntries(
    Object.entries(kinds).map(([part, kind]) => {
      const { table, where = kind.parent ? `${kind.parent} = @parent` : "1", order = "id" } = kind;
      const selected = Object.entries(kind.columns).map(([name, column]) => `${memberSql(name, column)} AS "${name}"`);
      const sql = `SELECT id AS "#", ${selected.join(", ")} FROM ${table} WHERE ${where} ORDER BY ${order}`;
      return [part, store.all(sql, { parent }).map((row) => describeObject(store, kind, row))];
    }),
  );
}

/** SQL of a member of an object: its column, or the key of the object whose id is in the column. */
function memberSql(name: string, { column = name, refersTo }: Column): string {
  if (!refersTo) return column;
  return `(SELECT ${KINDS[refersTo].key} FROM ${refersTo} WHERE id = ${column})`;
}

/** A stored object as a setup has it, without nulls and empty lists. */
function describeObject(store: Store, kind: Kind, row: SqlRow): SetupObject {
  const id = Number(row["#"]);
  const columns = Object.entries(kind.columns).map(([name, column]) => [name, memberValue(column, row[name] ?? null)]);
  const relations = Object.entries(kind.relations ?? {}).map(([name, { read }]) => [name, read(store, id)]);
  const object = { ...Object.fromEntries([...columns, ...relations]), ...describeObjects(store, kind.parts ?? {}, id) };
  const members = Object.entries(kind.describe?.(object) ?? object);
  return Object.fromEntries(members.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : value === null || value === undefined;
}

function memberValue({ shape, codes }: Column, value: SqlValue): unknown {
  if (codes) return Object.keys(codes).find((word) => codes[word] === value);
  return shape === booleanShape && value !== null ? value === 1 : value;
}

function applyWorkflow(store: Store, setup: WorkflowSetup): void {
  const workflow = loadWorkflow(store);
  for (const [status, transitions] of Object.entries(setup)) {
    const from = status === NEW_BUG ? null : findStatus(workflow, status).name;
    store.run("DELETE FROM status_moves WHERE from_status IS ?", [from]);
    for (const transition of transitions) {
      const { to, comment_required = false } = typeof transition === "string" ? { to: transition } : transition;
      store.run(INSERT_TRANSITION, [from, findStatus(workflow, to).name, Number(comment_required)]);
    }
  }
}

/** Key of new bugs in a workflow setup. */
const NEW_BUG = "new";

const INSERT_TRANSITION = "INSERT INTO status_moves (from_status, to_status, comment_required) VALUES (?, ?, ?)";

// A status without transitions has an empty list, so that applying the setup removes any.
function describeWorkflow(store: Store): WorkflowSetup {
  const { statuses, transitions } = loadWorkflow(store);
  return Object.fromEntries(
    [null, ...statuses.map(({ name }) => name)].map((status) => [
      status ?? NEW_BUG,
      transitions
        .filter(({ from }) => from === status)
        .map(({ to, comment_required }) => (comment_required ? { to, comment_required } : to)),
    ]),
  );
}

/** Fills an empty tracker with standard fields and values, workflow and permission groups. */
export function applyDefaults(store: Store): void {
  const listed = FIELDS.filter(({ isListed }) => isListed !== false);
  for (const [index, { chart: name, label, display = label, type = 0, isMandatory = false }] of listed.entries())
    store.run(INSERT_FIELD, { name, display, type, index, mandatory: Number(isMandatory) });
  applySetup(store, DEFAULT_SETUP);
}

const INSERT_FIELD = `
  INSERT INTO fields (name, display_name, type, sort_key, is_mandatory) VALUES (@name, @display, @type, @index, @mandatory)`;

/** Names and descriptions of the permission groups; members of `admin` are in all of them. */
const PERMISSION_GROUPS = [
  ["admin", "Administrators"],
  ["tweakparams", "May edit the tracker's parameters"],
  ["editusers", "May edit and disable users"],
  ["creategroups", "May create and edit groups"],
  ["editclassifications", "May edit classifications"],
  ["editcomponents", "May edit products, components, versions, milestones and flag types"],
  ["editkeywords", "May edit keywords"],
  ["editbugs", "May edit every field of a bug"],
  ["canconfirm", "May confirm bugs"],
] as const;

// biome-ignore format: a table
const DEFAULT_SETUP: Setup = {
  groups: PERMISSION_GROUPS.map(([name, description]) => ({
    name, description, is_bug_group: false,
    members: name === "admin" ? [] : ["admin"],
  })),
  classifications: [{ name: "Unclassified", description: "Products without a classification" }],
  fields: [
    { name: "bug_status", values: [
      { name: "UNCONFIRMED", is_open: true }, { name: "CONFIRMED", is_open: true },
      { name: "IN_PROGRESS", is_open: true }, "RESOLVED", "VERIFIED",
    ] },
    { name: "resolution", values: ["", "FIXED", "INVALID", "WONTFIX", "DUPLICATE", "WORKSFORME"] },
    { name: "priority", values: ["Highest", "High", "Normal", "Low", "Lowest", "---"] },
    { name: "bug_severity",
      values: ["blocker", "critical", "major", "normal", "minor", "trivial", "enhancement"] },
    { name: "rep_platform", values: ["All", "PC", "Macintosh", "Other"] },
    { name: "op_sys", values: ["All", "Windows", "Mac OS", "Linux", "Other"] },
  ],
  workflow: {
    new: ["UNCONFIRMED", "CONFIRMED", "IN_PROGRESS"],
    UNCONFIRMED: ["CONFIRMED", "IN_PROGRESS", "RESOLVED"],
    CONFIRMED: ["IN_PROGRESS", "RESOLVED"],
    IN_PROGRESS: ["CONFIRMED", "RESOLVED"],
    RESOLVED: ["UNCONFIRMED", "CONFIRMED", "VERIFIED"],
    VERIFIED: ["UNCONFIRMED", "CONFIRMED"],
  },
  parameters: { defaultopsys: "All", defaultplatform: "All", defaultseverity: "normal" },
};
