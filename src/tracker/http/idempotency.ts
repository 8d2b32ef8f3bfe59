import { IDEMPOTENCY_KEY, type Json, type Request } from "../../wire/exchange.ts";
import { pruneOldest } from "../store/prune.ts";
import { sha256 } from "../users/passwords.ts";
import type { Call } from "./call.ts";
import { Fault } from "./fault.ts";
import type { JsonResponse } from "./response.ts";

/**
 * Applies a write once per `Idempotency-Key` and user: a repetition gets the stored response. Runs inside the write's
 * transaction, so that the response is stored exactly if the write is.
 * @throws Fault 32000 (422) if the key was used for a different request
 */
export function applyOnce(call: Call, request: Request, write: () => JsonResponse): JsonResponse {
  const key = request.headers?.[IDEMPOTENCY_KEY];
  const userId = call.requester.user?.id;
  if (key === undefined || key === "" || userId === undefined) return write();
  const digest = sha256(JSON.stringify([request.method, request.path, withoutCredentials(call)]));
  const stored = call.store.get<StoredResponse>(FIND_RESPONSE, [userId, key]);
  if (stored && stored.request_sha256 !== digest) {
    throw new Fault(422, 32000, "This Idempotency-Key was used for another request.");
  }
  if (stored) return { status: stored.status, value: JSON.parse(stored.body) as Json };
  const response = write();
  pruneOldest(call.store, "answered_writes", call.now);
  call.store.run(STORE_RESPONSE, [userId, key, digest, call.now, response.status, JSON.stringify(response.value)]);
  return response;
}

type StoredResponse = { request_sha256: string; status: number; body: string };

const FIND_RESPONSE =
  "SELECT request_sha256, status, body FROM answered_writes WHERE user_id = ? AND idempotency_key = ?";
const STORE_RESPONSE = `
  INSERT INTO answered_writes (user_id, idempotency_key, request_sha256, time, status, body) VALUES (?, ?, ?, ?, ?, ?)`;

const CREDENTIALS = /^(Bugzilla_)?(api_key|token|login|password)$/;

function withoutCredentials({ input }: Call): Json {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !CREDENTIALS.test(name)));
}
