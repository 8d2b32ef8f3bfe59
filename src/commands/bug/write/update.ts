import { bugNames, commentIn, commentOfBug } from "../../../api/bug-ref.ts";
import { commentsPlan, fetchComments, readPartsOfBugs } from "../../../api/bugs.ts";
import { legalValue, requireField, withEnterableProduct } from "../../../api/catalog/catalog.ts";
import { UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isSameLogin } from "../../../api/people.ts";
import { checkNotEmpty } from "../../../api/write/checks.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import type { Comment } from "../../../wire/resources.ts";
import { changeBugs } from "../../shared/change/change.ts";
import { editsOf } from "../../shared/change/edits.ts";
import type { ChangeResult } from "../../shared/change/result.ts";
import { NO_MENTIONS, readBugsToChange, readTargetsOrText, reportNoTargets } from "../../shared/targets.ts";
import { bodyFrom, checkedBody, readCommentBody, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { UpdateInput } from "../flags.ts";

/** `bt bug update`: sets parameters on bugs, but not on those with a comment of `--once-by`. */
export async function updateBugs(input: UpdateInput, context: Context): Promise<readonly ChangeResult[] | undefined> {
  const { parameters, onceBy } = input;
  const refs = await readTargetsOrText(input, context);
  if (refs.length === 0) return reportNoTargets(context, input.fromText ? NO_MENTIONS : undefined);
  const comment = await readCommentBody({ ...input, comment: parameters.comment }, context);
  if (onceBy !== undefined) checkKey(onceBy, comment);
  const named = await readBugsToChange(refs, context);
  const done = onceBy === undefined ? undefined : await readCommentsByKey(named.bugs, onceBy, context);
  const fresh = named.bugs.filter(({ id }) => !done?.has(id));
  const body = { ...(await readBodyOfFields(parameters, fresh, context)), ...comment };
  checkNotEmpty(body);
  if (fresh.length > 1 && body["alias"] !== undefined)
    throw usageError(`an alias can be changed on one bug at a time, not on ${fresh.length}`);
  const edits = editsOf(named, (bug) => {
    const count = done?.get(bug.id);
    return count === undefined ? { bug, body } : { bug, why: `comment ${count} ends with the key` };
  });
  return changeBugs(edits, input, context);
}

/** @throws BtError of kind usage if the comment of an update does not end with its key */
function checkKey(key: string, { comment }: JsonObject): void {
  if (withoutEndMarks(key) === "") throw usageError("--once-by is empty", "is the variable set?");
  if (!endsWithKey(String(Object(comment).body ?? ""), key))
    throw usageError(`--once-by requires a comment that ends with ${key}`, `-m '... ${key}'`);
}

/** The numbers of the comments of the user that end with a key, by bug. */
async function readCommentsByKey(
  bugs: readonly Bug[],
  key: string,
  { session }: Context,
): Promise<ReadonlyMap<number, number>> {
  const me = await loginOrFail(session);
  const ids = bugs.map(({ id }) => String(id));
  const comments = await readPartsOfBugs(ids, commentsPlan(), session.send);
  const isOwn = ({ creator, text }: Comment) => isSameLogin(creator, me) && endsWithKey(text, key);
  return new Map([...comments].flatMap(([id, all]) => all.filter(isOwn).map(({ count }) => [Number(id), count])));
}

/** True if a text ends with the whole key ("1.2" is not whole in "2.1.2"), apart from marks. */
function endsWithKey(text: string, key: string): boolean {
  const [whole, end] = [withoutEndMarks(text), withoutEndMarks(key)];
  return whole.endsWith(end) && !/[\p{L}\p{N}][._-]?$/u.test(whole.slice(0, -end.length));
}

function withoutEndMarks(text: string): string {
  return text.replace(/[\s\p{P}]+$/u, "");
}

/** Body of an update without its comment, validated against the bugs and the tracker's metadata. */
async function readBodyOfFields(
  values: UpdateInput["parameters"],
  bugs: readonly Bug[],
  context: Context,
): Promise<JsonObject> {
  const among = [...new Set(bugs.flatMap((bug) => bug.product ?? []))];
  return withCatalog(context.session, async (known) => {
    const catalog = await withEnterableProduct(known, values.product, context.session.send);
    const moved = values.product && legalValue(requireField(catalog, "product"), values.product, {});
    const product = moved ?? (among.length === 1 ? among[0] : undefined);
    const reading = { ...(await readValueContext(values, context, catalog)), product };
    const parameters = UPDATE_BUG.parameters.filter(({ name }) => name !== "comment");
    const body = await checkedBody(bodyFrom(values, parameters, reading), bugs, catalog, context);
    const { comment_is_private: privacy, ...others } = body;
    if (!isObject(privacy)) return body;
    const changed = await changedPrivacy(privacy, bugs, context);
    // alone it stays, since an empty body is an error
    const isLeftOut = Object.keys(changed).length === 0 && Object.keys(others).length > 0;
    return isLeftOut ? others : { ...others, comment_is_private: changed };
  });
}

/** The new privacy of comments by id, without comments that have it; names such as `44#3` become ids. */
async function changedPrivacy(named: JsonObject, bugs: readonly Bug[], context: Context): Promise<JsonObject> {
  const [bug] = bugs;
  if (bugs.length !== 1 || !bug) throw usageError("comment privacy can only be changed on one bug at a time");
  const comments = await fetchComments(bug.id, context.session.send);
  const byId: Record<string, Json> = {};
  for (const [name, isPrivate] of Object.entries(named)) {
    const word = /^\d+$/.test(name) ? `c:${name}` : name;
    const comment = commentIn(comments, commentOfBug(word, bugNames(bug), context.session.address), bug.id);
    if (comment.is_private !== isPrivate) byId[String(comment.id)] = isPrivate;
  }
  return byId;
}
