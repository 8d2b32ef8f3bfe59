import { bugNames } from "../../../api/bug-ref.ts";
import { fetchComments } from "../../../api/bugs.ts";
import { enterableProductLoader, requireField } from "../../../api/catalog/catalog.ts";
import { legalValue } from "../../../api/catalog/legal-values.ts";
import { commentIn, commentOfBug } from "../../../api/comment-ref.ts";
import { UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import { bodyFrom, checkedBody, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import type { UpdateInput } from "./flags.ts";

/** Body of an update without its comment, validated against the bugs and the tracker's metadata. */
export async function readBodyOfFields(
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
      product === undefined ? undefined : legalValue(requireField(catalog, "product"), product, { isSearch: false });
    const reading = {
      ...(await readValueContext(values, context, catalog)),
      product: moved ?? (among.length === 1 ? among[0] : undefined),
    };
    const parameters = UPDATE_BUG.parameters.filter(({ name }) => name !== "comment");
    const body = await checkedBody(bodyFrom(values, parameters, reading), bugs, catalog, context);
    const { comment_is_private: privacy, ...others } = body;
    if (!isObject(privacy)) return body;
    const changed = await changedPrivacy(privacy, bugs, context);
    const isAlone = Object.keys(others).length === 0;
    return Object.keys(changed).length > 0 || isAlone ? { ...others, comment_is_private: changed } : others;
  });
}

/** The new privacy of comments by id, without comments that have it; names such as `44#3` become ids. */
async function changedPrivacy(named: JsonObject, bugs: readonly Bug[], context: Context): Promise<JsonObject> {
  const [bug] = bugs;
  if (bugs.length !== 1 || !bug) throw usageError("comment privacy can only be changed on one bug at a time");
  const comments = await fetchComments(bug.id, context.session.send);
  const origin = { flag: "comment-is-private", bug: bugNames(bug), address: context.session.address };
  const byId: Record<string, Json> = {};
  for (const [name, isPrivate] of Object.entries(named)) {
    const place = /^\d+$/.test(name) ? { id: Number(name) } : commentOfBug(name, origin);
    const comment = commentIn(comments, place, bug.id);
    if (comment.is_private !== isPrivate) byId[String(comment.id)] = isPrivate;
  }
  return byId;
}
