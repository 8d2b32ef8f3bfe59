import { Fault } from "../fault.ts";

/** The refusal of a bug that belongs nowhere in its product. */
export function componentRequired(): Fault {
  return new Fault(400, 105, "To file this bug, you must first choose a component. If necessary, just guess.");
}
