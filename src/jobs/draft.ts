import { requestBody } from "../api/write/update-request.ts";
import type { Io } from "../io.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { findJob } from "./job-files.ts";
import { ulidTime } from "./ulid.ts";

/** The draft of a bug: the name of its job, and its body. */
export type BugDraft = { readonly name: string; readonly body: JsonObject };

/** The draft of a bug on the tracker of this address by the name of its job; undefined for any other word. */
export function findBugDraft(word: string, address: string, io: Io): BugDraft | undefined {
  if (ulidTime(word.toUpperCase()) === undefined) return undefined;
  const { name, job, state, isOpen } = findJob(word, io);
  const [write] = job?.writes ?? [];
  const isDraft = isOpen && state === "draft" && write?.request.operation === "Create Bug";
  if (!isDraft || job?.head.tracker !== address) return undefined;
  return { name, body: requestBody(write.request) };
}
