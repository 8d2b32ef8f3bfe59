import { IDEMPOTENCY_KEY, type Json, type Request } from "../../wire/exchange.ts";
import { pruneOldest } from "../store/prune.ts";
import { sha256 } from "../users/passwords.ts";
import type { Call } from "./call.ts";
import { Fault } from "./fault.ts";
import type { JsonResponse } from "./response.ts";

/**
 * Applies a write once per `Idempotency-Key` and user: a repetition gets the first answer, and another request under the
 * same key is refused. Runs inside the write's transaction, so that the answer is kept exactly when the write is.
 */
export function applyOnce(call: Call, request: Request, write: () => JsonResponse): JsonResponse {
  const key = request.headers?.[IDEMPOTENCY_KEY];
  const userId = call.requester.user?.id;
  if (key === undefined || key === "" || userId === undefined) return write();
  const digest = sha256(JSON.stringify([request.method, request.path, withoutCredentials(call)]));
  const known = call.store.get<StoredResponse>(FIND_RESPONSE, [userId, key]);
  if (known && known.request_sha256 !== digest) {
    throw new Fault(422, 32000, "This Idempotency-Key was used for another request.");
  }
  if (known) return { status: known.status, value: JSON.parse(known.body) as Json };
  const answer = write();
  pruneOldest(call.store, "answered_writes", call.now);
  call.store.run(STORE_RESPONSE, [userId, key, digest, call.now, answer.status, JSON.stringify(answer.value)]);
  return answer;
}

type StoredResponse = { readonly request_sha256: string; readonly status: number; readonly body: string };

const FIND_RESPONSE =
  "SELECT request_sha256, status, body FROM answered_writes WHERE user_id = ? AND idempotency_key = ?";
const STORE_RESPONSE = `
  INSERT INTO answered_writes (user_id, idempotency_key, request_sha256, time, status, body) VALUES (?, ?, ?, ?, ?, ?)`;

const CREDENTIALS = /^(Bugzilla_)?(api_key|token|login|password)$/;

function withoutCredentials({ input }: Call): Json {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !CREDENTIALS.test(name)));
}
