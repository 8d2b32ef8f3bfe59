import { usage } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { type Catalog, fieldOf } from "../catalog.ts";
import { legalNames, statusNames } from "../legal-value.ts";
import { DUPLICATE, textIn } from "./moves.ts";
import { tieRefusal } from "./ties.ts";

/**
 * Refuses to file a bug that cannot begin so: in a status with which none begins, with a resolution that does not go with
 * it, or tied to others in a circle. What the tracker does not say of its statuses, the tracker decides.
 */
export function checkStart(body: JsonObject, catalog: Catalog): void {
  const status = textIn(body, "status");
  if (status !== undefined) checkStatus(status, body, catalog);
  checkResolution(status, textIn(body, "resolution"), catalog);
  const tie = tieRefusal({}, body);
  if (tie) throw usage(tie.why, tie.hint);
}

function checkStatus(status: string, body: JsonObject, { starts }: Catalog): void {
  const hasDescription = (textIn(body, "description") ?? "").trim() !== "";
  const start = starts.find(({ name }) => name === status);
  if (starts.length > 0 && !start) {
    throw usage(`a new bug cannot begin as ${status}`, `it can begin as ${starts.map(({ name }) => name).join(", ")}`);
  }
  if (start?.comment_required && !hasDescription) {
    throw usage(`a new bug needs a description to begin as ${status}`, "say what happens with --description");
  }
}

function checkResolution(status: string | undefined, resolution: string | undefined, catalog: Catalog): void {
  if (resolution === DUPLICATE) {
    throw usage(`a new bug cannot begin as ${DUPLICATE}`, "file it, then: bt bug dup NUMBER ORIGINAL");
  }
  const begins = status ?? catalog.starts[0]?.name ?? "";
  if (statusNames(catalog, "closed").includes(begins) && resolution === undefined) {
    const names = (legalNames(fieldOf(catalog, "resolution")) ?? []).filter((name) => name !== DUPLICATE);
    throw usage(`a new bug needs a resolution to begin as ${begins}`, `add --resolution, one of ${names.join(", ")}`);
  }
  if (statusNames(catalog, "open").includes(begins) && resolution !== undefined) {
    throw usage(
      `a new bug that begins ${status === undefined ? "open" : `as ${status}`} has no resolution`,
      "leave out --resolution; bt bug close NUMBER closes it later",
    );
  }
}
