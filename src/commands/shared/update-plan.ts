import { previewChanges } from "../../api/write/preview.ts";
import { groupsAfter } from "../../api/write/product-move.ts";
import type { UpdatePart } from "../../api/write/update-part.ts";
import { changingParts, updateRequest } from "../../api/write/update-request.ts";
import { plain } from "../../view/text.ts";
import type { Context } from "../verb.ts";
import { showPlan } from "./changes.ts";
import { exposureOf } from "./move-groups.ts";

/** Prints the request and the expected changes of each part of an update, for `--dry-run`. */
export async function showPlans(parts: readonly UpdatePart[], context: Context): Promise<void> {
  for (const part of parts) {
    const { bugs, body, target, moments } = part;
    const ids = bugs.map(({ id }) => id);
    const request = changingParts([part]).length > 0 ? updateRequest(ids, body) : undefined;
    const previews = bugs.map((bug) => ({
      bug,
      changes: previewChanges(bug, { ...body, ...moments }, groupsAfter(bug, body, target)),
      part,
    }));
    await showPlan(request, previews, context);
    for (const line of exposureOf([part]))
      await context.io.err(`bt: ${plain(line)}; this requires --allow-no-groups\n`);
  }
}
