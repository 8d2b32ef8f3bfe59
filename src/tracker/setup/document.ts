import { parse, stringify } from "yaml";
import {
  booleanShape,
  invalidMemberText,
  listShape,
  mapShape,
  namedShape,
  recordShape,
  type Shape,
  textShape,
} from "../../wire/shape.ts";
import { timestamp } from "../../wire/time.ts";
import { PARAMETER_DEFAULTS, type Runtime } from "../http/call.ts";
import type { Store } from "../store/store.ts";
import { setPassword } from "../users/authenticate.ts";
import { Fault, faults } from "../values.ts";
import { idByName, KINDS, type Kind, type Kinds, type Setup, type SetupObject } from "./kinds.ts";
import { applySetup, describeSetup, findObject, objectsIn } from "./setup.ts";

/** Setup of a tracker as a document, without credentials. */
export function formatDocument(store: Store, format: "json" | "yaml"): string {
  const setup = describeSetup(store);
  return format === "json" ? `${JSON.stringify(setup, null, 2)}\n` : stringify(setup, { lineWidth: 120 });
}

/**
 * Applies a document in YAML or JSON, a `Setup` whose objects may have the key `renamed_from`, in one transaction. Returns the
 * changes: "created user ada@example.org", "password of ada@example.org: 5d0c...".
 * @throws Fault for an invalid document, with the path of the first error, and for unknown names
 */
export function applyDocument(store: Store, runtime: Runtime, document: string): string[] {
  const setup = parseDocument(document);
  return store.transaction("write", () => {
    const lines = renameObjects(store, KINDS, setup);
    const before = textsByTitle(describeSetup(store));
    applySetup(store, setup);
    for (const [title, text] of textsByTitle(describeSetup(store))) {
      const textBefore = before.get(title);
      if (textBefore !== text) lines.push(`${textBefore === undefined ? "created" : "changed"} ${title}`);
    }
    if (lines.length > 0) store.run("INSERT INTO audit (time) VALUES (?)", [timestamp(runtime.now())]);
    const logins = (setup.users ?? []).flatMap(({ login, password }) => (password ? [String(login)] : []));
    return [...lines, ...logins.map((login) => `password of ${login}: ${setNewPassword(store, runtime, login)}`)];
  });
}

// JSON is YAML too. Scalars of the wrong type (numbers, yes) are reported by the shape.
function parseDocument(text: string): Setup {
  let document: unknown;
  try {
    document = parse(text) ?? {};
  } catch (error) {
    throw new Fault("other", `The document cannot be read: ${(error as Error).message}`);
  }
  const invalid = DOCUMENT_SHAPE(document);
  if (invalid) throw new Fault("other", `${invalidMemberText(invalid, "the document")}.`);
  return document as Setup;
}

const DOCUMENT_SHAPE = recordShape({
  parameters: recordShape(Object.fromEntries(Object.keys(PARAMETER_DEFAULTS).map((name) => [name, textShape]))),
  ...shapesOf(KINDS),
  workflow: mapShape(listShape(namedShape(recordShape({ to: textShape, comment_required: booleanShape }, "to")))),
});

function shapesOf(kinds: Kinds): Record<string, Shape> {
  return Object.fromEntries(
    Object.entries(kinds).map(([part, { key, columns, relations, parts = {}, renames, takesName }]) => {
      const members = Object.entries({ ...columns, ...relations }).map(([name, { shape }]) => [name, shape]);
      const renamedFrom = renames ? { renamed_from: textShape } : {};
      const record = recordShape({ ...Object.fromEntries(members), ...shapesOf(parts), ...renamedFrom }, key);
      return [part, listShape(takesName ? namedShape(record) : record)];
    }),
  );
}

function setNewPassword(store: Store, { random }: Runtime, login: string): string {
  const password = Buffer.from(random(12)).toString("hex");
  setPassword(store, idByName(store, "users", login), password, random(16));
  return password;
}

/** The objects of a setup as JSON, by titles: "user ada@example.org", "component Kettle/Lid". */
function textsByTitle({ parameters = {}, workflow = {}, ...setup }: Setup): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(parameters).map(([name, value]): [string, string] => [`parameter ${name}`, value]),
    ...objectTexts(KINDS, setup),
    ...Object.entries(workflow).map(([name, list]): [string, string] => [`workflow ${name}`, JSON.stringify(list)]),
  ]);
}

function objectTexts(kinds: Kinds, container: SetupObject, path: readonly string[] = []): [string, string][] {
  return Object.entries(kinds).flatMap(([part, { noun, key, parts = {} }]) =>
    objectsIn(container, part).flatMap((object): [string, string][] => {
      // a flag type for attachments may have the name of a flag type for bugs
      const prefix = object["target"] === "attachment" ? ["attachment"] : path;
      const names = [...prefix, String(object[key])];
      const members = Object.entries(object).filter(([member]) => !(member in parts));
      return [[`${noun} ${names.join("/")}`, JSON.stringify(members)], ...objectTexts(parts, object, names)];
    }),
  );
}

/** Renames the objects with `renamed_from`, unless done before. Returns a line for each. */
function renameObjects(store: Store, kinds: Kinds, container: SetupObject, parent: number | null = null): string[] {
  return Object.entries(kinds).flatMap(([part, kind]) =>
    objectsIn(container, part).flatMap((object) => {
      const lines = object["renamed_from"] === undefined ? [] : renameObject(store, kind, object, parent);
      if (!kind.parts) return lines;
      const id = findObject(store, kind, object, parent) ?? -1; // not stored yet: none of its parts can be renamed
      return [...lines, ...renameObjects(store, kind.parts, object, id)];
    }),
  );
}

/** @throws Fault object_does_not_exist if there is no such object, other if the new name is in use */
function renameObject(store: Store, kind: Kind, object: SetupObject, parent: number | null): string[] {
  const { noun, table, key, renames = [] } = kind;
  const [from, to] = [String(object["renamed_from"]), String(object[key])];
  const id = findObject(store, kind, { ...object, [key]: from }, parent);
  const idOfNewName = findObject(store, kind, object, parent);
  if (id === undefined && idOfNewName !== undefined) return [];
  if (id === undefined) throw faults.noSuchObject(noun, from);
  if (idOfNewName !== undefined && idOfNewName !== id)
    throw new Fault("other", `A ${noun} named '${to}' already exists.`);
  for (const sql of [`UPDATE ${table} SET ${key} = @to WHERE id = @id`, ...renames])
    store.run(sql, { id, parent, from, to });
  return [`renamed ${noun} ${from} to ${to}`];
}
