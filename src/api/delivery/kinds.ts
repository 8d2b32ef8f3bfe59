import type { Json, Request } from "../../wire/exchange.ts";
import { isObject } from "../read.ts";
import { commentsBeforeChange, lookAtBugs } from "./look-at-bugs.ts";
import { lookAtGroups, lookForGroup } from "./look-at-groups.ts";
import { isTagsAnswer, lookAtTags } from "./look-at-tags.ts";
import { bugsBefore, lookForBug } from "./look-for-bug.ts";
import { commentsBefore, lookForComment } from "./look-for-comment.ts";
import { bodyOf, type Look, type LookBefore, targetsOf } from "./write.ts";

/** One kind of write: what it is called, which requests are of it, what answers it, and how its outcome is found out. */
export type WriteKind = {
  readonly operation: string | undefined; // the command that sends it; undefined for what only `bt api` does
  readonly what: (request: Request) => string; // "the new bug"; what messages call it
  readonly method: "POST" | "PUT";
  readonly path: RegExp;
  /** Whether an answer is one to this very write. */
  readonly isAnswer: (answer: Json, request: Request) => boolean;
  readonly look: Look;
  /** What must be known before, so that the look takes nothing older for the work of this write. */
  readonly alikeBefore?: LookBefore;
};

/** The kind of a write. Every write has one, if only the one of which nothing is known. */
export function kindOf({ method, path }: Pick<Request, "method" | "path">): WriteKind {
  return KINDS.find((kind) => kind.method === method && kind.path.test(path)) ?? UNKNOWN_KIND;
}

const KINDS: readonly WriteKind[] = [
  {
    operation: "bug create",
    what: () => "the new bug",
    method: "POST",
    path: /^\/rest\/bug$/,
    isAnswer: hasId,
    look: lookForBug,
    alikeBefore: bugsBefore,
  },
  {
    operation: "comment add",
    what: (request) => `the comment on bug ${targetsOf(request)[0]}`,
    method: "POST",
    path: /^\/rest\/bug\/[^/]+\/comment$/,
    isAnswer: hasId,
    look: lookForComment,
    alikeBefore: commentsBefore,
  },
  {
    operation: "tag update",
    what: ({ path }) => `the tags of comment ${/\d+(?=\/tags$)/.exec(path)}`,
    method: "PUT",
    path: /^\/rest\/bug\/comment\/\d+\/tags$/,
    isAnswer: isTagsAnswer,
    look: lookAtTags,
  },
  {
    operation: "bug update",
    what: (request) => `the change of ${named("bug", targetsOf(request))}`,
    method: "PUT",
    path: /^\/rest\/bug\/[^/]+$/,
    isAnswer: (answer, request) => reportsAll("bugs", answer, request),
    look: lookAtBugs,
    alikeBefore: commentsBeforeChange,
  },
  {
    operation: "group create",
    what: (request) => `the new group ${bodyOf(request)["name"]}`,
    method: "POST",
    path: /^\/rest\/group$/,
    isAnswer: hasId,
    look: lookForGroup,
  },
  {
    operation: "group update",
    what: (request) => `the change of ${named("group", targetsOf(request))}`,
    method: "PUT",
    path: /^\/rest\/group\/[^/]+$/,
    isAnswer: (answer, request) => reportsAll("groups", answer, request),
    look: lookAtGroups,
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
  return targetsOf(request).every((target) =>
    /^\s*\d+\s*$/.test(target) ? reported.has(String(Number(target))) : reported.size > 0,
  );
}

function named(noun: string, names: readonly string[]): string {
  if (names.length === 1) return `${noun} ${names[0]}`;
  return names.length <= 3 ? `${noun}s ${names.join(", ")}` : `${names.length} ${noun}s`;
}
