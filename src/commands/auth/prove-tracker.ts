import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { VERSION } from "../../api/operations/tracker.ts";
import { invalidResponseError } from "../../api/response/response-errors.ts";
import { askDialect } from "../../api/search/dialect.ts";
import { BtError, isNotOffered } from "../../errors.ts";
import { isObject } from "../../wire/json.ts";

/**
 * Checks that a tracker answers at the address, for a login before it prompts for secrets.
 * @throws BtError of kind reply, missing or refused if something else does
 */
export async function proveTracker(address: string, sendAsNobody: SendRequest): Promise<void> {
  const request = requestFor(VERSION);
  try {
    const response = await sendAsNobody(request);
    if (isObject(response) && typeof response["version"] === "string") return;
    throw invalidResponseError(request, "contains no version");
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    if (await maySearch(sendAsNobody)) return; // its version is no part of the interface
    throw new BtError(error.kind, `no tracker answers at ${address}`, {
      ...error.facts,
      details: [error.message],
      hint: "copy the address of its start page from the browser; it may have a path, such as /bugzilla",
    });
  }
}

async function maySearch(send: SendRequest): Promise<boolean> {
  try {
    await askDialect(send);
    return true;
  } catch (error) {
    if (error instanceof BtError) return error.kind === "auth"; // it wants a login
    throw error;
  }
}
