import { isNotOffered } from "../../errors.ts";
import { hasCode } from "../response/response-errors.ts";

/**
 * What a tracker returns that offers an operation; undefined if it does not, or if the operation is broken: Bugzilla 5.2 fails
 * inside when it is asked for visits.
 * @throws BtError for any other error
 */
export async function unlessNotOffered<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotOffered(error) || hasCode(error, "internal")) return undefined;
    throw error;
  }
}
