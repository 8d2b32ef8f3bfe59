import { BUG_FIELD_ROWS, type Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Catalog } from "../catalog.ts";
import { statusNames } from "../legal-values.ts";
import { isObject } from "../response/response-objects.ts";
import { withWholeValues } from "../write/body.ts";
import { DUPLICATE, defaultClosedStatus } from "../write/moves.ts";
import { standInId } from "./temporary-names.ts";

/** A bug that is not created yet, under its temporary name, as far as its request describes it. */
export function newBug(name: string, body: JsonObject, catalog: Catalog): Bug {
  const { description: _, alias, ...values } = body;
  const status = String(body["status"] ?? catalog.starts[0]?.name ?? statusNames(catalog, "open")[0] ?? "");
  return {
    ...UNSET,
    ...{ resolution: "", last_change_time: "" },
    ...(values as Bug),
    status,
    is_open: statusNames(catalog, "open").includes(status),
    id: standInId(name),
    alias: [name, ...[alias ?? []].flat().map(String)],
  };
}

/** Fields without a value: texts, and lists, all but those that only their reader has. */
const UNSET: Bug = Object.fromEntries(
  BUG_FIELD_ROWS.flatMap(([name, { json = "", family, isExtra }]): readonly (readonly [string, Json])[] => {
    if (isExtra) return [];
    if (["texts", "ints", "flags"].includes(json)) return [[name, []]];
    return json === "text" && family === "text" ? [[name, ""]] : [];
  }),
);

/** A bug as it will be after a pending update. */
export function pendingBug(bug: Bug, edits: JsonObject, catalog: Catalog): Bug {
  const body = withWholeValues(edits, bug as JsonObject);
  const values = Object.entries(body)
    .filter(([name]) => name !== "flags" && name in bug)
    .map(([name, value]) => [name, isObject(value) ? afterEdit(bug[name as keyof Bug] as Json, value) : value]);
  const moved: Bug = { ...bug, ...statusAfter(bug, body, catalog), ...(Object.fromEntries(values) as Bug) };
  return { ...moved, is_open: statusNames(catalog, "open").includes(moved.status ?? "") };
}

/** The status and resolution that follow from closing as a duplicate, and from reopening. */
function statusAfter(bug: Bug, { status, dupe_of }: JsonObject, catalog: Catalog): Bug {
  if (dupe_of !== undefined && bug.is_open) return { status: defaultClosedStatus(catalog), resolution: DUPLICATE };
  const isOpened = typeof status === "string" && statusNames(catalog, "open").includes(status);
  return isOpened ? { resolution: "" } : {};
}

function afterEdit(before: Json, { set, add, remove }: JsonObject): Json {
  if (Array.isArray(set)) return set;
  const [kept, added, gone] = [before, add, remove].map((list) =>
    Array.isArray(list) ? (list as readonly Json[]) : [],
  );
  const left = (kept ?? []).filter((item) => !gone?.includes(item));
  return [...left, ...(added ?? []).filter((item) => !left.includes(item))];
}
