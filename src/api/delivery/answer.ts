import { BtError } from "../../errors.ts";
import type { Request, Response } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { invalidResponseError } from "../response/failed-response.ts";
import type { Around, Outcome } from "./outcome.ts";
import { isResponseTo } from "./write-rows.ts";

/** Sends a write once. Unknown: nothing arrived, or what arrived does not say what became of the write. */
export async function sendOnce(request: Request, around: Around): Promise<Outcome> {
  let raw: Response | undefined;
  try {
    raw = await around.exchange(request);
    const response = raw;
    const isOwnError = isClientError(response) && isJsonObject(response.body) && (await around.dialect()) === "plain";
    const json = await around.read(response, request, isOwnError);
    if (isResponseTo(request, json)) return { st: "applied", response: json, raw };
    throw invalidResponseError(request, "does not match the request");
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: error.facts.changed === "unknown" && !around.isInProcess ? "unknown" : "refused", error, raw };
  }
}

function isClientError({ status }: Response): boolean {
  return status >= 400 && status < 500;
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
