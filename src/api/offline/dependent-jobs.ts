import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import { requestBody, writeTargets } from "../delivery/write.ts";
import { STATUS_FIELDS, stateFields } from "../delivery/write-state.ts";
import type { KeptJob } from "./kept-write.ts";
import { temporaryNamesIn } from "./temporary-names.ts";

/**
 * True if a kept write can only be sent after an earlier one: it names its new bug,
 * sets the same field, or marks a duplicate of a bug whose status it sets.
 */
export function dependsOn(later: KeptJob, earlier: KeptJob): boolean {
  const { name } = earlier.offline;
  if (name !== undefined) return temporaryNamesIn(later.request).includes(name);
  if (earlier.request.operation !== "Update Bug" || later.request.operation !== "Update Bug") return false;
  const bugs = writeTargets(earlier.request);
  const fields = new Set(linkedFields(earlier));
  if (fields.has("status") && bugs.includes(String(requestBody(later.request)["dupe_of"]))) return true;
  const isSameBug = writeTargets(later.request).some((bug) => bugs.includes(bug));
  return isSameBug && linkedFields(later).some((field) => fields.has(field));
}

/** Fields of a write; those that a tracker changes together count as one. */
function linkedFields({ request }: KeptJob): readonly string[] {
  return stateFields(requestBody(request)).map((field) => LINKED.find((names) => names.includes(field))?.[0] ?? field);
}

const LINKED = [STATUS_FIELDS, ["product", ...PER_PRODUCT_FIELDS]];
