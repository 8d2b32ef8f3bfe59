import { withBugNumbers } from "../../api/bug-numbers.ts";
import { bugNames } from "../../api/bug-ref.ts";
import { type Catalog, findField, requireField } from "../../api/catalog.ts";
import { commentOfBug, matchingComment, noComment } from "../../api/comment-ref.ts";
import { legalValue } from "../../api/legal-values.ts";
import { GET_COMMENTS } from "../../api/operations/comments.ts";
import { type Parameter, requestFor } from "../../api/operations/operation.ts";
import { UPDATE_BUG } from "../../api/operations/write-bugs.ts";
import { isObject, readBugComments } from "../../api/response/response-objects.ts";
import { writeBody } from "../../api/write/body.ts";
import { customBody } from "../../api/write/custom-fields.ts";
import { checkFlags, targetFlags } from "../../api/write/flags.ts";
import { checkedText } from "../../api/write/limits.ts";
import { checkProductMove } from "../../api/write/product-move.ts";
import type { ValueContext } from "../../api/write/values.ts";
import { usage } from "../../errors.ts";
import { type FlagValues, flagValue, flagValues } from "../../session/flags.ts";
import { knownLogin } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Comment } from "../../wire/resources.ts";
import type { Context, Input } from "../verb.ts";

type UpdateInput = {
  readonly input: Input;
  readonly context: Context;
  readonly catalog: Catalog;
  readonly bugs: readonly Bug[];
  readonly comment: string | undefined;
};

/** Body of an update, validated against the bugs and the tracker's metadata. */
export async function updateBody({ input, context, catalog, bugs, comment }: UpdateInput): Promise<JsonObject> {
  const products = [...new Set(bugs.map(({ product }) => product ?? undefined))];
  const reading = await readingOf(input.flags, context, catalog);
  const named = flagValue(input.flags["product"]);
  const moved = named === undefined ? undefined : legalValue(requireField(catalog, "product"), named);
  const target = { ...reading, product: moved ?? (products.length === 1 ? products[0] : undefined) };
  const parameters = UPDATE_BUG.parameters.filter(({ name }) => name !== "comment");
  const body = await checkedBody(bodyFrom(input.flags, parameters, target), bugs, { context, catalog });
  const privacy = body["comment_is_private"];
  return {
    ...body,
    ...(isObject(privacy) ? { comment_is_private: await privacyById(privacy, bugs, context) } : {}),
    ...(comment === undefined
      ? {}
      : { comment: { body: checkedText("comment", comment), is_private: input.flags["private"] === true } }),
  };
}

/** A body whose values are valid, with bugs by number and flags by id, checked against the bugs. */
export async function checkedBody(
  values: JsonObject,
  bugs: readonly Bug[],
  { context, catalog }: Pick<UpdateInput, "context" | "catalog">,
): Promise<JsonObject> {
  const body = await withBugNumbers(values, context.session.send);
  if (body["product"] !== undefined) checkProductMove(bugs, body, catalog);
  for (const bug of body["flags"] === undefined ? [] : distinctPlaces(bugs))
    await checkFlags(body["flags"], { ...bug, ...placeIn(body) }, context.session.send);
  return { ...body, ...(Array.isArray(body["flags"]) ? { flags: targetFlags(bugs, body["flags"]) } : {}) };
}

/** One bug per product and component, which determine the flag types. */
export function distinctPlaces(bugs: readonly Bug[]): readonly Bug[] {
  return [...new Map(bugs.map((bug) => [`${bug.product}\0${bug.component}`, bug])).values()];
}

function placeIn({ product, component }: JsonObject): Pick<Bug, "product" | "component"> {
  return {
    ...(typeof product === "string" ? { product } : {}),
    ...(typeof component === "string" ? { component } : {}),
  };
}

/** Context for parsing the values of a write. */
export async function readingOf(
  values: FlagValues,
  context: Context,
  catalog: Catalog,
): Promise<Omit<ValueContext, "product">> {
  const login = mentionsMe(values) ? await context.session.login() : undefined;
  return {
    catalog,
    clock: { now: context.io.now(), zone: context.output.view.timeZone },
    serverZones: setsTime(values, catalog) ? (await context.session.facts.zone()).possible : [],
    address: context.session.address,
    me: () => knownLogin(login),
  };
}

/** The flag of custom fields. */
const CUSTOM_FLAG = "field";

/** Body of a write from the flags: parameters, and custom fields from `--field`. */
export function bodyFrom(values: FlagValues, parameters: readonly Parameter[], reading: ValueContext): JsonObject {
  const typed = (flag: string) => (values[flag] === undefined ? undefined : flagValues(values[flag]));
  const custom = flagValues(values[CUSTOM_FLAG]);
  return { ...writeBody(parameters, typed, reading), ...(custom.length > 0 ? customBody(custom, reading) : {}) };
}

/** True if a custom date-time is set, which trackers read in their own zone. */
function setsTime(values: FlagValues, catalog: Catalog): boolean {
  const names = flagValues(values[CUSTOM_FLAG]).map((pair) => pair.slice(0, Math.max(0, pair.indexOf("="))).trim());
  return names.some((name) => findField(catalog, name)?.family === "moment");
}

function mentionsMe(values: FlagValues): boolean {
  return Object.values(values).some((value) => flagValues(value).some((text) => text.includes("@me")));
}

/** The `comment_is_private` of an update, with ids of comments in place of names such as `44#3`. */
async function privacyById(named: JsonObject, bugs: readonly Bug[], context: Context): Promise<JsonObject> {
  const isId = (name: string) => /^\d+$/.test(name);
  if (Object.keys(named).every(isId)) return named;
  const [bug] = bugs;
  if (bugs.length !== 1 || !bug) throw usage("comment privacy can only be changed on one bug at a time");
  const { id } = bug;
  const comments = await commentsOf(id, context);
  const around = { flag: "comment-is-private", bug: bugNames(bug), address: context.session.address };
  const byId: Record<string, Json> = {};
  for (const [name, isPrivate] of Object.entries(named)) {
    const place = isId(name) ? { id: Number(name) } : commentOfBug(name, around);
    const comment = matchingComment(comments, place);
    if (!comment) throw noComment(id, place);
    byId[String(comment.id)] = isPrivate;
  }
  return byId;
}

/** All visible comments of a bug. */
export async function commentsOf(bug: number | string, context: Context): Promise<readonly Comment[]> {
  const answer = await context.session.send(requestFor(GET_COMMENTS, { id_or_alias: bug }));
  return [...readBugComments(answer).values()].flat();
}
