import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Call } from "./http/call.ts";
import { Fault, faults, raise } from "./http/fault.ts";
import type { IdsAndNames } from "./http/input.ts";
import type { SqlRow } from "./store/database.ts";
import { uniqueBy } from "./unique-by.ts";
import { asText } from "./values.ts";

/** A class whose objects Update requests change: one change for all objects that a request names. */
export type ObjectClass<Row extends { id: number }, Column extends keyof Row & string> = {
  name: "Attachment" | "Group"; // Bugzilla's
  find: (call: Call) => Row[];
  /** Parameters that are columns, each with how its new value is read if it was sent. */
  readers: { [Name in Column]: (call: Call, row: Row) => Row[Name] };
  unique?: Column; // cannot be set on several objects
  otherParameters: string[]; // read by `find` and `save`
  /** Stores an object; returns changes other than those of its columns. */
  save: (call: Call, update: Update<Row>) => ObjectChanges;
};

/** An object before and after an update, with the changes of its columns. */
export type Update<Row> = { before: Row; after: Row; changes: ObjectChanges };

/** The `changes` of an updated object, by parameter; null where a column is empty, as in Bugzilla. */
export type ObjectChanges = Readonly<Record<string, { removed: string | null; added: string | null }>>;

/**
 * Updates the objects that a request names; returns each as stored, with all its changes.
 * @throws Fault unknown_method for a parameter that the class does not have
 * @see Bugzilla/Object.pm, set_all
 */
export function updateObjects<Row extends { id: number }, Column extends keyof Row & string>(
  call: Call,
  objects: ObjectClass<Row, Column>,
): Update<Row>[] {
  const rows = uniqueBy(objects.find(call), ({ id }) => id);
  checkParameters(call.input, objects, rows.length);
  return rows.map((before) => {
    const after = { ...before };
    const changes: Record<string, ObjectChanges[string]> = {};
    for (const column of Object.keys(objects.readers) as Column[]) {
      if (call.input[column] === undefined) continue;
      after[column] = objects.readers[column](call, before);
      if (after[column] !== before[column]) {
        changes[column] = { removed: textOrNull(before[column]), added: textOrNull(after[column]) };
      }
    }
    return { before, after, changes: { ...changes, ...objects.save(call, { before, after, changes }) } };
  });
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

type Parameters = { name: string; readers: object; unique?: string; otherParameters: string[] };

function checkParameters(input: JsonObject, { name, readers, unique, otherParameters }: Parameters, count: number) {
  const unknown = Object.keys(input).find((sent) => !Object.hasOwn(readers, sent) && !otherParameters.includes(sent));
  if (unknown !== undefined) {
    throw new Fault("unknown_method", `The requested method 'Bugzilla::${name}::set_${unknown}' was not found.`);
  }
  if (count > 1 && unique !== undefined && input[unique] !== undefined) {
    const kind = `${name.toLowerCase()}s`;
    throw new Fault("other", `You cannot set the ${unique} when modifying several ${kind} at once.`);
  }
}

/** How the objects of a class are found: SQL up to its condition, the column of names, and what is thrown for an unknown one. */
type Lookup = {
  select: string;
  nameColumn: string;
  readName?: (name: string) => string; // as it is stored
  noSuchName: (name: string) => Fault;
  noSuchId: (id: string) => Fault;
};

/** The objects to update, by name and by id. @throws Fault for one that does not exist */
export function findTargets<Row extends SqlRow>(call: Call, { select, nameColumn, ...lookup }: Lookup): Row[] {
  const { ids, names } = readUpdateTargets(call);
  const { readName = (name) => name, noSuchName, noSuchId } = lookup;
  const find = (condition: string, value: string) => call.store.get<Row>(`${select} ${condition}`, [value]);
  return [
    ...names.map((name) => find(`${nameColumn} = ?`, readName(name)) ?? raise(noSuchName(name))),
    ...ids.map((id) => find("CAST(id AS TEXT) = ?", id) ?? raise(noSuchId(id))),
  ];
}

/** Ids and names of the objects to update; `ids` or `names` in the input replace that of the path, as in Bugzilla. */
function readUpdateTargets({ path, input }: Call): IdsAndNames {
  const part = path["id_or_name"] ?? "";
  const isId = /^\d+$/.test(part);
  return {
    ids: readTextList(input, "ids") ?? (isId ? [part] : []),
    names: readTextList(input, "names") ?? (isId ? [] : [part]),
  };
}

function readTextList(input: JsonObject, name: string): string[] | undefined {
  const sent = input[name];
  if (sent !== undefined && !Array.isArray(sent)) throw faults.wrongShape(name, "a list");
  return (sent as Json[] | undefined)?.map((item) => asText(item, name));
}
