import { bodyOf } from "../../api/delivery/write.ts";
import { readTags } from "../../api/read.ts";
import { BtError } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";

/** A tracker answers tags for a comment that does not exist with an empty list, as if nothing were wrong. */
export function checkTaken(request: Request, now: Json): void {
  const { add = [], remove = [], comment_id: id = "" } = bodyOf(request);
  const gone = new Set(remove as readonly string[]);
  if (readTags(now).length > 0 || (add as readonly string[]).every((tag) => gone.has(tag))) return;
  throw new BtError("missing", `comment ${id} did not take the tags`, {
    notApplied: request,
    hint: "is there such a comment? bt comment list BUG shows the ids",
  });
}
