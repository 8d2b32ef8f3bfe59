import { Fault, faults } from "../../fault.ts";
import { isIn } from "../../people/requester.ts";
import type { Asking } from "../asking.ts";
import { COMPUTED, customSource } from "./computed.ts";
import type { Source } from "./source.ts";
import { FIELDS } from "./table.ts";

/** Whether rows may name a field; what this requester may not know of does not exist. */
function isField(asking: Asking, name: string): boolean {
  return SPECIAL.has(name) || isSeen(asking, sourceNamed(asking, name));
}

/** Refuses a name that is none of a field. */
export function checkField(asking: Asking, name: string): void {
  if (!isField(asking, name)) throw new Fault(400, 108, `Can't use "${name}" as a field name.`);
}

/** Where the values of a field are that rows may name. */
export function sourceOf(asking: Asking, name: string): Source {
  checkField(asking, name);
  const source = sourceNamed(asking, name);
  if (!source) throw notComparable(name);
  const { insidergroup } = asking.parameters;
  if (source.restricted === "insiders" && !isIn(asking.requester, insidergroup)) {
    throw faults.notInGroup(insidergroup, `search the "${name}" field`);
  }
  return source;
}

/** The names of all fields that rows may name. */
export function fieldsSeen(asking: Asking): readonly string[] {
  return [...Object.keys(FIELDS), ...Object.keys(COMPUTED), ...SPECIAL, ...asking.custom.keys()].filter((name) =>
    isField(asking, name),
  );
}

/** The refusal of an operator that a field does not have. */
export function notComparable(name: string): Fault {
  return new Fault(400, 32000, `The "${name}" field cannot be searched with that operator.`);
}

// Fields that have no values of their own; special.ts says what their rows mean.
const SPECIAL: ReadonlySet<string> = new Set(["content", "owner_idle_time"]);

function sourceNamed(asking: Asking, name: string): Source | undefined {
  const custom = asking.custom.get(name);
  if (custom) return customSource(custom);
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : computed(asking, name);
}

function computed(asking: Asking, name: string): Source | undefined {
  return Object.hasOwn(COMPUTED, name) ? COMPUTED[name]?.(asking) : undefined;
}

function isSeen({ requester, parameters }: Asking, source: Source | undefined): boolean {
  return (
    source !== undefined && (source.restricted !== "time trackers" || isIn(requester, parameters.timetrackinggroup))
  );
}
