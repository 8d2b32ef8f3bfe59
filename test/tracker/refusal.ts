import { Fault } from "../../src/tracker/values.ts";

/** Refusal of a rule, as `status/code: message`; the result as JSON when it does not refuse. */
export function outcome(rule: () => unknown): string {
  try {
    return JSON.stringify(rule()) ?? "nothing";
  } catch (error) {
    if (error instanceof Fault) return `${error.status}/${error.code}: ${error.message}`;
    throw error;
  }
}
