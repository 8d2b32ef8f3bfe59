import type { Json, Request } from "../../wire/exchange.ts";
import { isObject } from "../response/response-objects.ts";
import { isTagsResponse, matchingCommentsBefore, verifyCommentCreate, verifyTags } from "./verify-comment.ts";
import { matchingBugsBefore, verifyBugCreate } from "./verify-create.ts";
import { verifyGroupCreate, verifyGroupUpdate } from "./verify-group.ts";
import { commentsBeforeUpdate, verifyUpdate } from "./verify-update.ts";
import {
  type FindMatchesBefore,
  requestBody,
  type SentWrite,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
  writeTargets,
} from "./write.ts";

/** One kind of write: what it is called, which requests are of it, what answers it, and how its outcome is found out. */
export type WriteKind = {
  readonly operation: string | undefined; // the command that sends it; undefined for what only `bt api` does
  readonly what: (request: Request) => string; // "the new bug"; what messages call it
  readonly method: "POST" | "PUT";
  readonly path: RegExp;
  /** Whether an answer is one to this very write. */
  readonly isAnswer: (answer: Json, request: Request) => boolean;
  readonly look: VerifyWrite;
  /** What must be known before, so that the look takes nothing older for the work of this write. */
  readonly alikeBefore?: FindMatchesBefore;
};

/** The kind of a write. Every write has one, if only the one of which nothing is known. */
export function writeKind({ method, path }: Pick<Request, "method" | "path">): WriteKind {
  return KINDS.find((kind) => kind.method === method && kind.path.test(path)) ?? UNKNOWN_KIND;
}

const KINDS: readonly WriteKind[] = [
  {
    operation: "bug create",
    what: () => "the new bug",
    method: "POST",
    path: /^\/rest\/bug$/,
    isAnswer: hasId,
    look: verifyBugCreate,
    alikeBefore: matchingBugsBefore,
  },
  {
    operation: "comment add",
    what: (request) => `the comment on bug ${writeTargets(request)[0]}`,
    method: "POST",
    path: /^\/rest\/bug\/[^/]+\/comment$/,
    isAnswer: hasId,
    look: verifyCommentCreate,
    alikeBefore: matchingCommentsBefore,
  },
  {
    operation: "tag update",
    what: ({ path }) => `the tags of comment ${/\d+(?=\/tags$)/.exec(path)}`,
    method: "PUT",
    path: /^\/rest\/bug\/comment\/\d+\/tags$/,
    isAnswer: isTagsResponse,
    look: verifyTags,
  },
  {
    operation: "bug update",
    what: (request) => `the change of ${named("bug", writeTargets(request))}`,
    method: "PUT",
    path: /^\/rest\/bug\/[^/]+$/,
    isAnswer: (answer, request) => reportsAll("bugs", answer, request),
    look: verifyUpdate,
    alikeBefore: commentsBeforeUpdate,
  },
  {
    operation: "group create",
    what: (request) => `the new group ${requestBody(request)["name"]}`,
    method: "POST",
    path: /^\/rest\/group$/,
    isAnswer: hasId,
    look: verifyGroupCreate,
  },
  {
    operation: "group update",
    what: (request) => `the change of ${named("group", writeTargets(request))}`,
    method: "PUT",
    path: /^\/rest\/group\/[^/]+$/,
    isAnswer: (answer, request) => reportsAll("groups", answer, request),
    look: verifyGroupUpdate,
  },
];

const UNKNOWN_KIND: WriteKind = {
  operation: undefined,
  what: ({ method, path }) => `${method} ${path}`,
  method: "POST",
  path: /^/,
  isAnswer: () => true,
  look: async () => ({ sight: "hidden" }),
};

function hasId(answer: Json): boolean {
  return isObject(answer) && Number.isSafeInteger(answer["id"]) && Number(answer["id"]) > 0;
}

/**
 * Whether a response reports the changes of everything that was to be changed; an alias or a name stands for any one thing. What
 * the changes are is not judged: trackers null, leave out and add parts.
 */
function reportsAll(name: string, answer: Json, request: Request): boolean {
  const list = isObject(answer) ? answer[name] : undefined;
  if (!Array.isArray(list)) return false;
  const things = (list as readonly Json[]).filter((one) => isObject(one) && one["changes"] !== undefined);
  const reported = new Set(things.map((one) => (isObject(one) ? String(one["id"]) : "")));
  return writeTargets(request).every((target) =>
    /^\s*\d+\s*$/.test(target) ? reported.has(String(Number(target))) : reported.size > 0,
  );
}

function named(noun: string, names: readonly string[]): string {
  if (names.length === 1) return `${noun} ${names[0]}`;
  return names.length <= 3 ? `${noun}s ${names.join(", ")}` : `${names.length} ${noun}s`;
}

/** Who has begun a job that another user resumes, as far as the journal tells. */
export type JobOwner = { readonly user: string | undefined };

/**
 * Looks for a write that may be the work of the requester or of another user. What is there by a third one, or by nobody
 * knows whom, proves nothing; only where nobody has made it, it is absent.
 */
export async function verifyAs(
  beginner: JobOwner | undefined,
  sent: SentWrite,
  eyes: VerifyContext,
): Promise<Verification> {
  const { look } = writeKind(sent.request);
  if (beginner === undefined) return look(sent, eyes);
  for (const me of new Set([eyes.me, beginner.user])) {
    const finding = me === undefined ? undefined : await look(sent, { ...eyes, me });
    if (finding?.sight === "present") return finding;
  }
  const finding = await look(sent, { ...eyes, me: undefined });
  return finding.sight === "present" ? { sight: "contradiction", details: [BY_ANOTHER] } : finding;
}

const BY_ANOTHER = "the same was made by another user";
