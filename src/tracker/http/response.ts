import type { Json, JsonObject, Request, Response } from "../../wire/exchange.ts";
import { storeProblem } from "../store/database.ts";
import { Fault } from "./fault.ts";

const JSON_TYPE = "application/json; charset=UTF-8";
const DOCUMENTATION = "https://bugzilla.readthedocs.org/en/5.0/api/";

/** JSON value and status of a response, before it is encoded. */
export type JsonResponse = {
  status: number;
  value: Json;
  headers?: Readonly<Record<string, string>>;
};

export function encodeResponse({ method }: Request, { status, value, headers = {} }: JsonResponse): Response {
  const json = value === null || typeof value !== "object" ? { result: value } : value;
  const body = method === "HEAD" ? "" : JSON.stringify(json);
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body };
}

/** Error response of a fault; any other exception becomes a 500 without details, or a 503 if the store is unavailable. */
export function faultResponse(error: unknown): JsonResponse {
  const fault = error instanceof Fault ? error : asFault(error);
  const value: JsonObject = { error: true, code: fault.code, message: fault.message, documentation: DOCUMENTATION };
  return { status: fault.status, value };
}

function asFault(error: unknown): Fault {
  const problem = storeProblem(error);
  return problem === undefined
    ? new Fault("internal", "Internal error of the tracker; no changes made.")
    : new Fault("other", `${problem} No changes made.`, 503);
}
