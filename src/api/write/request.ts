import { BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import { segment, write } from "../operation.ts";

/**
 * One update of several bugs. A server takes the bugs from `ids` alone when the body has them, and applies a change as often
 * as a bug is named, so every bug stands in `ids` exactly once, the one in the path too.
 */
export function updateRequest(ids: readonly number[], body: JsonObject): Request {
  const [first] = ids;
  if (first === undefined) throw new BtError("internal", "an update of no bugs");
  return write("PUT", `/rest/bug/${segment(first)}`, { ids: [...new Set(ids)], ...body });
}

/** Refuses what only makes sense for one bug, before anything is sent. */
export function checkSingleBugRules(bugs: readonly Bug[], body: JsonObject): void {
  if (bugs.length < 2) return;
  const name = ["alias", "comment_is_private", "dupe_of"].find((one) => body[one] !== undefined);
  if (name === undefined) return;
  throw usage(
    `${name.replaceAll("_", " ")} can be changed on one bug at a time, not on ${bugs.length}`,
    "update the bugs one by one",
  );
}

/** Refuses an update that would change nothing because nothing was asked. */
export function checkNotEmpty(body: JsonObject, example = "bt bug update 12 --status RESOLVED -r FIXED"): void {
  if (Object.keys(body).length > 0) return;
  throw usage("nothing to change was given", `${example}; --help lists the flags`);
}
