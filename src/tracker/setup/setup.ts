import { booleanShape } from "../../wire/shape.ts";
import { deriveMembers } from "../groups/routes.ts";
import { faults } from "../http/fault.ts";
import type { SqlRow, SqlValue } from "../store/database.ts";
import type { Store } from "../store/store.ts";
import {
  type Column,
  KINDS,
  type Kind,
  type Kinds,
  type Rows,
  type Setup,
  type SetupObject,
  type WorkflowSetup,
} from "./kinds.ts";
import { idByName } from "./lookup.ts";

export type { Setup } from "./kinds.ts";

/** Applies a setup to a tracker; call it inside a transaction. @throws Fault for unknown names or invalid values */
export function applySetup(store: Store, { parameters = {}, workflow = {}, ...objects }: Setup): void {
  for (const [name, value] of Object.entries(parameters))
    store.run("INSERT OR REPLACE INTO parameters (name, value) VALUES (?, ?)", [name, value]);
  putObjects(store, KINDS, objects);
  applyWorkflow(store, workflow);
  deriveMembers(store);
}

/** Stores the objects of a setup, or the parts of the object with the id `parent`. */
function putObjects(store: Store, kinds: Kinds, container: SetupObject, parent: number | null = null): void {
  for (const [part, kind] of Object.entries(kinds)) {
    const stored = objectsIn(container, part).map((object) => putObject(store, kind, object, parent));
    for (const { id, object } of stored) {
      for (const [name, { write }] of membersOf<Rows>(kind, object, isRows)) write(store, id, object[name]);
      putObjects(store, kind.parts ?? {}, object, id);
    }
  }
}

/** The objects of a kind in a setup or an object; a string is an object with this name. */
export function objectsIn(container: SetupObject, part: string): readonly SetupObject[] {
  const objects = (container[part] ?? []) as readonly (string | SetupObject)[];
  return objects.map((object) => (typeof object === "string" ? { name: object } : object));
}

/** Stores the columns of an object. Returns its id and the object with what its kind adds. */
function putObject(store: Store, kind: Kind, given: SetupObject, parent: number | null) {
  const existing = findObject(store, kind, given, parent);
  const object = kind.complete?.(given, store, existing) ?? given;
  const columns = Object.fromEntries(
    membersOf<Column>(kind, object, isColumn).map(([name, column]) => [
      column.column ?? name,
      toStored(store, column, object[name]),
    ]),
  );
  const names = Object.keys(columns);
  if (existing !== undefined) {
    const changed = names.filter((name) => name !== kind.key).map((name) => `${name} = @${name}`);
    if (changed.length > 0)
      store.run(`UPDATE ${kind.table} SET ${changed.join(", ")} WHERE id = @id`, { ...columns, id: existing });
    return { id: existing, object };
  }
  const values: Record<string, string> = { ...(kind.parent ? { [kind.parent]: "@parent" } : {}), ...kind.initial };
  for (const name of names) values[name] = `@${name}`;
  const sql = `INSERT INTO ${kind.table} (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(", ")})`;
  return { id: store.run(sql, { ...columns, parent, key: String(object[kind.key]) }).id, object };
}

/** Id of the object with the name of `object`; undefined if there is none. */
export function findObject(store: Store, kind: Kind, object: SetupObject, parent: number | null): number | undefined {
  const { table, key, members } = kind;
  const told = Object.entries({ [key]: "", ...kind.also }).map(([name, initial]) => {
    const column = members[name] as Column;
    return [column.column ?? name, toStored(store, column, object[name] ?? initial)] as const;
  });
  const where = [...(kind.parent ? [`${kind.parent} = @parent`] : []), ...told.map(([name]) => `${name} = @${name}`)];
  const sql = `SELECT id FROM ${table} WHERE ${where.join(" AND ")}`;
  return store.get<{ id: number }>(sql, { ...Object.fromEntries(told), parent })?.id;
}

type Member = Column | Rows<never>;

function isColumn(member: Member): boolean {
  return !("write" in member);
}

function isRows(member: Member): boolean {
  return !isColumn(member);
}

/** The members of a kind that an object has, in the order of the kind. */
function membersOf<M>(kind: Kind, object: SetupObject, isWanted: (member: Member) => boolean): [string, M][] {
  const members = Object.entries(kind.members);
  return members.filter(([name, member]) => object[name] !== undefined && isWanted(member)) as [string, M][];
}

function toStored(store: Store, { refersTo, codes }: Column, value: unknown): SqlValue {
  if (refersTo) return idByName(store, refersTo, String(value));
  if (codes) return codes[String(value)] ?? null;
  return typeof value === "boolean" ? Number(value) : (value as SqlValue);
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

function describeObjects(store: Store, kinds: Kinds, parent: number | null = null): SetupObject {
  return Object.fromEntries(
    Object.entries(kinds).map(([part, kind]) => {
      const { table, members, where = kind.parent ? `${kind.parent} = @parent` : "1", order = "id" } = kind;
      const columns = Object.entries(members).filter(([, member]) => isColumn(member)) as [string, Column][];
      const selected = columns.map(([name, column]) => `${shownSql(name, column)} AS "${name}"`);
      const sql = `SELECT id AS "#", ${selected.join(", ")} FROM ${table} WHERE ${where} ORDER BY ${order}`;
      return [part, store.all(sql, { parent }).map((row) => describeObject(store, kind, row))];
    }),
  );
}

/** A stored object as a setup has it, without nulls and empty lists. */
function describeObject(store: Store, kind: Kind, row: SqlRow): SetupObject {
  const id = Number(row["#"]);
  const members = Object.entries(kind.members).map(([name, member]) => [
    name,
    "write" in member ? member.read(store, id) : toShown(member, row[name] ?? null),
  ]);
  const object = { ...Object.fromEntries(members), ...describeObjects(store, kind.parts ?? {}, id) };
  return Object.fromEntries(
    Object.entries(kind.shown?.(object) ?? object).filter(
      ([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

function shownSql(name: string, { column = name, refersTo }: Column): string {
  if (!refersTo) return column;
  return `(SELECT ${refersTo === "users" ? "login" : "name"} FROM ${refersTo} WHERE id = ${column})`;
}

function toShown({ shape, codes }: Column, value: SqlValue): unknown {
  if (codes) return Object.keys(codes).find((word) => codes[word] === value);
  return shape === booleanShape && value !== null ? value === 1 : value;
}

function applyWorkflow(store: Store, workflow: WorkflowSetup): void {
  for (const [status, moves] of Object.entries(workflow)) {
    const from = status === NEW_BUG ? null : findStatusName(store, status);
    store.run("DELETE FROM status_moves WHERE from_status IS ?", [from]);
    for (const move of moves) {
      const { to, comment_required = false } = typeof move === "string" ? { to: move } : move;
      store.run(MOVE, [from, findStatusName(store, to), Number(comment_required)]);
    }
  }
}

/** Key of new bugs in a workflow setup. */
const NEW_BUG = "new";

const MOVE = "INSERT INTO status_moves (from_status, to_status, comment_required) VALUES (?, ?, ?)";

const STATUSES = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status'`;

function findStatusName(store: Store, name: string): string {
  const status = store.get<{ name: string }>(`${STATUSES} AND field_values.name = ?`, [name]);
  if (!status) throw faults.noSuchObject("status", name);
  return status.name;
}

type Move = { from_status: string | null; to_status: string; comment_required: number };

// A status without transitions has an empty list, so that applying the setup removes any.
function describeWorkflow(store: Store): WorkflowSetup {
  const moves = store.all<Move>("SELECT from_status, to_status, comment_required FROM status_moves ORDER BY rowid");
  const statuses = store.all<{ name: string }>(`${STATUSES} ORDER BY field_values.sort_key`);
  return Object.fromEntries(
    [null, ...statuses.map(({ name }) => name)].map((status) => [
      status ?? NEW_BUG,
      moves
        .filter(({ from_status }) => from_status === status)
        .map(({ to_status: to, comment_required }) => (comment_required ? { to, comment_required: true } : to)),
    ]),
  );
}
