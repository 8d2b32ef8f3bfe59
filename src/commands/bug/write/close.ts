import { requireField } from "../../../api/catalog/catalog.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { DUPLICATE, defaultClosedStatus, isOpen } from "../../../api/write/checks.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/plan.ts";
import { bodyFrom, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { CloseInput } from "./flags.ts";

/**
 * `bt bug close`: sets the first closed status of the workflow and a resolution. A closed bug keeps its status, and is unchanged
 * unless another resolution is given.
 */
export async function closeBugs(input: CloseInput, context: Context): Promise<void> {
  if (input.resolution?.toUpperCase() === DUPLICATE)
    throw usageError(`resolution ${DUPLICATE} requires the original bug`, "bt bug dup BUG ORIGINAL");
  const { named, comment } = await readBugsAndComment(input, context);
  const edits = await withCatalog(context.session, async (catalog) => {
    const field = requireField(catalog, "resolution");
    const resolution = legalValue(field, input.resolution ?? "FIXED", { isSearch: false });
    const reading = await readValueContext(input.parameters, context, catalog);
    const added = { ...comment, ...bodyFrom(input.parameters, WORK_TIME, reading) };
    return editsOf(named, (bug: Bug): Edit => {
      if (isOpen(bug, catalog)) return { bug, body: { status: defaultClosedStatus(catalog), resolution, ...added } };
      const isOther = input.resolution !== undefined && bug.resolution !== resolution;
      if (isOther) return { bug, body: { resolution, ...added } };
      return { bug, why: `already ${bug.status}`, dropped: Object.keys(added) };
    });
  });
  await changeBugs(edits, input, context);
}

const WORK_TIME = UPDATE_BUG.parameters.filter(({ name }) => name === "work_time");
