import { bugNames } from "../../../api/bug-ref.ts";
import { commentsPlan, fetchComments, readPartsOfBugs } from "../../../api/bugs/bug-parts.ts";
import { commentOfBug, matchingComment, noCommentError } from "../../../api/bugs/comment-ref.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader } from "../../../api/catalog/enterable-products.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { partition } from "../../../api/lists.ts";
import { UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isSameLogin } from "../../../api/people.ts";
import type { BugsToChange } from "../../../api/write/change.ts";
import { checkNotEmpty } from "../../../api/write/checks.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { type BtError, usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import { applyChange } from "../../shared/changes/apply-change.ts";
import { bodyFrom, checkedBody, readValueContext } from "../../shared/changes/write-body.ts";
import { NO_MENTIONS, readBugsToChange, readTargetsOrText, reportNoTargets } from "../../shared/targets.ts";
import { readLongText } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { UpdateInput } from "./flags.ts";

/** `bt bug update`: reads the bugs, checks the whole update against them, and applies it, with the result of that. */
export async function updateBugs(input: UpdateInput, context: Context): Promise<number | undefined> {
  const { product } = input.parameters;
  const targets = await readTargetsOrText(input, context, { mayBeNone: true });
  if (input.fromText && targets.refs.length === 0) return reportNoTargets(context, NO_MENTIONS);
  const comment = await readLongText({ name: "comment", typed: input.parameters.comment }, input, context);
  if (input.private && comment === undefined) throw nothingPrivateError();
  if (input.allowNoGroups && product === undefined)
    throw usageError("--allow-no-groups requires --product", "--remove-groups GROUP makes a bug public");
  if (input.onceBy !== undefined) checkOnceBy(input.onceBy, comment);
  const { bugs, unreadable } = await readBugsToChange(targets, context);
  const [done, fresh] = input.onceBy === undefined ? [[], bugs] : await partitionByKey(bugs, input.onceBy, context);
  if (done.length > 0 && fresh.length + unreadable.length === 0)
    return applyChange({ bugs, unreadable, parts: [{ bugs, body: {} }] }, input, context);
  const fields = await readBodyOfFields(input.parameters, fresh, context);
  const body = comment === undefined ? fields : { ...fields, comment: commentOfUpdate(comment, input) };
  checkNotEmpty(body, `bt bug update ${input.args.join(" ")} --status RESOLVED -r FIXED`);
  const parts = [
    { bugs: fresh, body },
    { bugs: done, body: {} },
  ];
  return applyChange({ bugs, unreadable, parts: parts.filter((part) => part.bugs.length > 0) }, input, context);
}

function commentOfUpdate(text: string, input: UpdateInput): JsonObject {
  return { body: checkedText("comment", text), is_private: input.private === true };
}

function nothingPrivateError(): BtError {
  return usageError(
    "--private requires a comment",
    "add one with -m, or use --comment-is-private COMMENT=yes for an existing comment",
  );
}

/** Body of an update without its comment, validated against the bugs and the tracker's metadata. */
async function readBodyOfFields(
  values: UpdateInput["parameters"],
  bugs: readonly Bug[],
  context: Context,
): Promise<JsonObject> {
  const { product } = values;
  const withProduct = enterableProductLoader(context.session.send);
  const among = [...new Set(bugs.flatMap((bug) => bug.product ?? []))];
  return withCatalog(context.session, async (known) => {
    const catalog = await withProduct(known, product);
    const moved =
      product === undefined ? undefined : legalValue(requireField(catalog, "product"), product, { catalog });
    const reading = {
      ...(await readValueContext(values, context, catalog)),
      product: moved ?? (among.length === 1 ? among[0] : undefined),
      among,
    };
    const parameters = UPDATE_BUG.parameters.filter(({ name }) => name !== "comment");
    const body = await checkedBody(bodyFrom(values, parameters, reading), bugs, catalog, context);
    const privacy = body["comment_is_private"];
    if (!isObject(privacy)) return body;
    return { ...body, comment_is_private: await resolvePrivacy(privacy, bugs, context) };
  });
}

/** The `comment_is_private` of an update, with ids of comments in place of names such as `44#3`. */
async function resolvePrivacy(named: JsonObject, bugs: readonly Bug[], context: Context): Promise<JsonObject> {
  const isId = (name: string) => /^\d+$/.test(name);
  if (Object.keys(named).every(isId)) return named;
  const [bug] = bugs;
  if (bugs.length !== 1 || !bug) throw usageError("comment privacy can only be changed on one bug at a time");
  const { id } = bug;
  const comments = await fetchComments(id, context.session.send);
  const origin = { flag: "comment-is-private", bug: bugNames(bug), address: context.session.address };
  const byId: Record<string, Json> = {};
  for (const [name, isPrivate] of Object.entries(named)) {
    const place = isId(name) ? { id: Number(name) } : commentOfBug(name, origin);
    const comment = matchingComment(comments, place);
    if (!comment) throw noCommentError(id, place);
    byId[String(comment.id)] = isPrivate;
  }
  return byId;
}

/**
 * Checks that a comment ends with its key, by which the next run finds it.
 * @throws BtError of kind usage
 */
function checkOnceBy(key: string, comment: string | undefined): void {
  if (withoutEnd(key) === "") throw usageError("--once-by is empty", "is the variable set?");
  if (comment === undefined) throw usageError("--once-by requires a comment", "add one with -m");
  if (!endsWithKey(comment, key)) throw usageError(`the comment does not end with ${key}`, `-m '... ${key}'`);
}

/** The bugs with a comment of the user that ends with a key, which are noted, and those without. */
async function partitionByKey(bugs: BugsToChange["bugs"], key: string, context: Context): Promise<[Bug[], Bug[]]> {
  const me = await loginOrFail(context.session);
  const ids = bugs.map(({ id }) => String(id));
  const comments = await readPartsOfBugs(ids, commentsPlan(), context.session.send);
  const own = ({ id }: Bug) =>
    comments.get(String(id))?.find(({ creator, text }) => isSameLogin(creator, me) && endsWithKey(text, key));
  const [done, fresh] = partition(bugs, (bug) => own(bug) !== undefined);
  for (const bug of done)
    await context.io.err(`bug ${bug.id}: already done: comment ${own(bug)?.count} ends with the key\n`);
  return [done, fresh];
}

/** True if a text ends with a key, as a word of its own; marks after it do not count. */
function endsWithKey(text: string, key: string): boolean {
  const [whole, end] = [withoutEnd(text), withoutEnd(key)];
  return whole.endsWith(end) && !/[\p{L}\p{N}]$/u.test(whole.slice(0, -end.length));
}

function withoutEnd(text: string): string {
  return text.replace(/[\s\p{P}]+$/u, "");
}
