import type { Json, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { isCumulative, requestBody, writeTargets } from "../write/update-request.ts";
import {
  commentsBeforeAttachmentUpdate,
  isCreatedResponse,
  matchingAttachmentsBefore,
  verifyAttachmentCreate,
  verifyAttachmentUpdate,
} from "./verify-attachment.ts";
import { isTagsResponse, matchingCommentsBefore, verifyCommentCreate, verifyTags } from "./verify-comment.ts";
import { matchingBugsBefore, verifyBugCreate } from "./verify-create.ts";
import { verifyGroupCreate, verifyGroupUpdate } from "./verify-group.ts";
import { commentsBeforeUpdate, verifyUpdate } from "./verify-update.ts";
import type { FindMatchesBefore, SentWrite, Verification, VerifyContext, VerifyWrite } from "./write.ts";

/** One kind of write: its name, its valid responses, and how to verify it. */
export type WriteKind = {
  readonly command: string | undefined; // command that sends it; undefined for requests of `bt api`
  readonly describe: (request: Request) => string; // label in messages, such as "the bug creation"
  /** True if a response belongs to this very write. */
  readonly isResponse: (response: Json, request: Request) => boolean;
  readonly verify: VerifyWrite;
  /** Finds, before sending, existing objects that a verification must not mistake for the result. */
  readonly findMatchesBefore?: FindMatchesBefore;
};

/** Kind of a write by its operation; unknown writes have a kind that cannot be verified. */
export function writeKind({ operation }: Request): WriteKind {
  return WRITE_KIND_BY_OPERATION.get(operation) ?? UNKNOWN_KIND;
}

const UNKNOWN_KIND: WriteKind = {
  command: undefined,
  describe: ({ method, path }) => `${method} ${path}`,
  isResponse: () => true,
  verify: async () => ({ status: "unverifiable" }),
};

const WRITE_KIND_BY_OPERATION: ReadonlyMap<Request["operation"], WriteKind> = new Map<Request["operation"], WriteKind>([
  [
    "Create Bug",
    {
      command: "bug create",
      describe: () => "the bug creation",
      isResponse: hasId,
      verify: verifyBugCreate,
      findMatchesBefore: matchingBugsBefore,
    },
  ],
  [
    "Create Comments",
    {
      command: "comment add",
      describe: (request) => `the comment on bug ${writeTargets(request)[0]}`,
      isResponse: hasId,
      verify: verifyCommentCreate,
      findMatchesBefore: matchingCommentsBefore,
    },
  ],
  [
    "Create Attachment",
    {
      command: "attachment add",
      describe: (request) => `the attachment on bug ${writeTargets(request)[0]}`,
      isResponse: isCreatedResponse,
      verify: verifyAttachmentCreate,
      findMatchesBefore: matchingAttachmentsBefore,
    },
  ],
  [
    "Update Attachment",
    {
      command: "attachment update",
      describe: (request) => `the update of ${describeTargets("attachment", writeTargets(request))}`,
      isResponse: (response, request) => reportsAll("attachments", response, request),
      verify: verifyAttachmentUpdate,
      findMatchesBefore: commentsBeforeAttachmentUpdate,
    },
  ],
  [
    "Update Comment Tags",
    {
      command: "tag update",
      describe: (request) => `the tag update of comment ${writeTargets(request)[0]}`,
      isResponse: isTagsResponse,
      verify: verifyTags,
    },
  ],
  [
    "Update Bug",
    {
      command: "bug update",
      describe: (request) => `the update of ${describeTargets("bug", writeTargets(request))}`,
      isResponse: (response, request) => reportsAll("bugs", response, request),
      verify: verifyUpdate,
      findMatchesBefore: commentsBeforeUpdate,
    },
  ],
  [
    "Create Group",
    {
      command: "group create",
      describe: (request) => `the creation of group ${requestBody(request)["name"]}`,
      isResponse: hasId,
      verify: verifyGroupCreate,
    },
  ],
  [
    "Update Group",
    {
      command: "group update",
      describe: (request) => `the update of ${describeTargets("group", writeTargets(request))}`,
      isResponse: (response, request) => reportsAll("groups", response, request),
      verify: verifyGroupUpdate,
    },
  ],
]);

/** True if a write adds something each time it is sent. */
export function addsEachTime(request: Request): boolean {
  return request.method === "POST" || isCumulative(requestBody(request));
}

function hasId(response: Json): boolean {
  return isObject(response) && Number.isSafeInteger(response["id"]) && Number(response["id"]) > 0;
}

/**
 * True if a response reports changes for every target; one that is an alias or name matches any reported item. The
 * changes themselves are not checked, since trackers null, omit and add parts.
 */
function reportsAll(name: string, response: Json, request: Request): boolean {
  const list = isObject(response) ? response[name] : undefined;
  if (!Array.isArray(list)) return false;
  const items = (list as Json[]).filter((item) => isObject(item) && item["changes"] !== undefined);
  const reported = new Set(items.map((item) => (isObject(item) ? String(item["id"]) : "")));
  return writeTargets(request).every((target) =>
    /^\s*\d+\s*$/.test(target) ? reported.has(String(Number(target))) : reported.size > 0,
  );
}

function describeTargets(noun: string, names: string[]): string {
  if (names.length === 1) return `${noun} ${names[0]}`;
  return names.length <= 3 ? `${noun}s ${names.join(", ")}` : `${names.length} ${noun}s`;
}

/** User who began a job, as far as the journal records it. */
export type JobOwner = { readonly user: string | undefined };

/** Verifies a write that may have been made by the requester or by the job's owner. A match by another user proves nothing. */
export async function verifyAs(
  jobOwner: JobOwner | undefined,
  sent: SentWrite,
  context: VerifyContext,
): Promise<Verification> {
  const { verify } = writeKind(sent.request);
  if (jobOwner === undefined) return verify(sent, context);
  for (const me of new Set([context.me, jobOwner.user])) {
    const verification = me === undefined ? undefined : await verify(sent, { ...context, me });
    if (verification?.status === "applied") return verification;
  }
  const verification = await verify(sent, { ...context, me: undefined });
  return verification.status === "applied" ? { status: "ambiguous", details: [BY_ANOTHER] } : verification;
}

const BY_ANOTHER = "the same change was made by another user";
