import { isDenied } from "../../errors.ts";
import { fieldTest } from "../query/families.ts";
import type { Searches } from "../search/searches.ts";

/**
 * True if the login may search for private comments, which only those may who see and write them; undefined if the tracker
 * rejects such a search for another reason.
 */
export async function isInsider({ first }: Searches): Promise<boolean | undefined> {
  try {
    await first({ query: fieldTest("longdescs.isprivate", "=", "1") }, { include: ["id"], limit: 1 });
    return true;
  } catch (error) {
    if (isDenied(error)) return error.kind === "auth" ? false : undefined;
    throw error;
  }
}
