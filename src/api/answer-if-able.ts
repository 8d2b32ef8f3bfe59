import { BtError, type ErrorKind } from "../errors.ts";
import type { Json, Request } from "../wire/exchange.ts";
import type { SendRequest } from "./operations/operation.ts";
import { INTERNAL_ERROR_CODE } from "./response/response-errors.ts";

/**
 * Response, or the error of a tracker that does not offer the operation.
 * @throws BtError for any other error
 */
export async function answerIfAble(request: Request, ask: SendRequest): Promise<Json | BtError> {
  try {
    return await ask(request);
  } catch (error) {
    if (error instanceof BtError && isUnable(error)) return error;
    throw error;
  }
}

/** True for an unknown or broken operation; Bugzilla 5.2 fails inside when it is asked for visits. */
function isUnable({ kind, facts }: BtError): boolean {
  return UNABLE.includes(kind) || facts.bugzillaCode === INTERNAL_ERROR_CODE;
}

const UNABLE: readonly ErrorKind[] = ["missing", "refused", "reply"];
