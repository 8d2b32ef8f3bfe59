import type { Json, Request } from "../../wire/exchange.ts";
import { IDEMPOTENCY_KEY } from "../../wire/idempotency.ts";
import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import { sha256 } from "../people/secret.ts";
import { prune } from "../store/prune.ts";
import type { Answer } from "./reply.ts";

/**
 * Applies a write once per `Idempotency-Key` and user: a repetition gets the first answer, and another request under the
 * same key is refused. Runs inside the write's transaction, so that the answer is kept exactly when the write is.
 */
export function once(call: Call, request: Request, write: () => Answer): Answer {
  const key = request.headers?.[IDEMPOTENCY_KEY];
  const userId = call.requester.user?.id;
  if (key === undefined || key === "" || userId === undefined) return write();
  const digest = sha256(JSON.stringify([request.method, request.path, withoutCredentials(call)]));
  const known = call.store.get<Kept>(KNOWN, [userId, key]);
  if (known && known.request_sha256 !== digest) {
    throw new Fault(422, 32000, "This Idempotency-Key was used for another request.");
  }
  if (known) return { status: known.status, value: JSON.parse(known.body) as Json };
  const answer = write();
  prune(call.store, "answered_writes", call.now);
  call.store.run(KEEP, [userId, key, digest, call.now, answer.status, JSON.stringify(answer.value)]);
  return answer;
}

type Kept = { readonly request_sha256: string; readonly status: number; readonly body: string };

const KNOWN = "SELECT request_sha256, status, body FROM answered_writes WHERE user_id = ? AND idempotency_key = ?";
const KEEP = `
  INSERT INTO answered_writes (user_id, idempotency_key, request_sha256, time, status, body) VALUES (?, ?, ?, ?, ?, ?)`;

const CREDENTIALS = /^(Bugzilla_)?(api_key|token|login|password)$/;

function withoutCredentials({ input }: Call): Json {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !CREDENTIALS.test(name)));
}
