import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import { STATUS_FIELDS, stateFields } from "../delivery/write-state.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import type { KeptJob } from "./kept-write.ts";
import { mentionedNames } from "./temporary-names.ts";

/**
 * The bugs of a kept write that can only be updated after an earlier one: those of which it sets the same field. All of it
 * waits if it or its text names the new bug of the earlier one, or marks a duplicate of a bug whose status that sets.
 */
export function dependentBugs(later: KeptJob, earlier: KeptJob): "all" | readonly string[] {
  const { name } = earlier.offline;
  if (name !== undefined) return mentionedNames(later.request).includes(name) ? "all" : [];
  if (earlier.request.operation !== "Update Bug" || later.request.operation !== "Update Bug") return [];
  const bugs = new Set(openBugs(earlier));
  const fields = new Set(linkedFields(earlier));
  if (fields.has("status") && bugs.has(String(requestBody(later.request)["dupe_of"]))) return "all";
  return linkedFields(later).some((field) => fields.has(field)) ? openBugs(later).filter((bug) => bugs.has(bug)) : [];
}

function openBugs({ request, open }: KeptJob): readonly string[] {
  return open ?? writeTargets(request);
}

/** Fields of a write; those that a tracker changes together count as one. */
function linkedFields({ request }: KeptJob): readonly string[] {
  return stateFields(requestBody(request)).map((field) => LINKED.find((names) => names.includes(field))?.[0] ?? field);
}

const LINKED = [STATUS_FIELDS, ["product", ...PER_PRODUCT_FIELDS]];
