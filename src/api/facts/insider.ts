import { isDenied } from "../../errors.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";

/**
 * True if the login may search for private comments, which only those may who see and write them; undefined if the tracker
 * rejects such a search for another reason.
 */
export async function isInsider(send: SendRequest): Promise<boolean | undefined> {
  const row = [["f1", "longdescs.isprivate"] as const, ["o1", "equals"] as const, ["v1", "1"] as const];
  try {
    await send(requestFor(SEARCH_BUGS, [...row, ["include_fields", "id"], ["limit", "1"]]));
    return true;
  } catch (error) {
    if (isDenied(error)) return error.kind === "auth" ? false : undefined;
    throw error;
  }
}
