import { resolveBugNumbers } from "../../api/bugs.ts";
import type { Catalog } from "../../api/catalog/catalog.ts";
import { checkPeople } from "../../api/names.ts";
import type { Operation, Parameter } from "../../api/operations/operation.ts";
import { writeBody } from "../../api/write/body.ts";
import { textValueIn } from "../../api/write/checks.ts";
import { checkFlags, flagsToSend } from "../../api/write/flags.ts";
import { checkedText, customBody, type ValueContext } from "../../api/write/values.ts";
import { type FlagValues, flagValues } from "../../command-flag.ts";
import { usageError } from "../../errors.ts";
import { noteDate } from "../../session/note.ts";
import { LOGIN_HINT, ownLogin } from "../../session/session.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";
import type { ProseInput } from "./flags.ts";
import { readLongText } from "./text.ts";

/** A body whose values are valid, with bugs by number and flags by id, checked against the bugs. */
export async function checkedBody(
  values: JsonObject,
  bugs: readonly Bug[],
  catalog: Catalog,
  context: Context,
): Promise<JsonObject> {
  await checkPeople(values, catalog, context.session.send);
  const body = await resolveBugNumbers(values, context.session.send);
  const { flags } = body;
  if (flags === undefined) return body;
  const [product, component] = [textValueIn(body, "product"), textValueIn(body, "component")];
  const places = new Map(bugs.map((bug) => [`${bug.product}\0${bug.component}`, bug])); // which have flag types
  for (const bug of places.values()) {
    const place = { ...bug, product: product ?? bug.product, component: component ?? bug.component };
    await checkFlags(flags, place, context.session.send);
  }
  return Array.isArray(flags) ? { ...body, flags: flagsToSend(bugs, flags) } : body;
}

/** Context for parsing the values of a write. */
export async function readValueContext(
  values: FlagValues,
  context: Context,
  catalog: Catalog,
): Promise<Omit<ValueContext, "product">> {
  const isMine = Object.values(values).some((value) => flagValues(value).some((text) => OWN_LOGIN.test(text)));
  const login = isMine ? await ownLogin(context.session) : undefined;
  return {
    catalog,
    clock: {
      now: context.io.now(),
      get zone() {
        return context.output.view.timeZone; // takes 6 ms, and few writes have a date
      },
      note: (sentence) => noteDate(context.io, sentence),
    },
    address: context.session.address,
    me: () => {
      if (login !== undefined) return login;
      throw usageError("your login on this tracker is unknown", LOGIN_HINT);
    },
  };
}

/** `@me` as a word of its own, not in the address of somebody at `me.example.org`. */
const OWN_LOGIN = /(?<![\w.+-])@me(?![\w.-])/;

/** Body of a write from the flags: parameters, and custom fields from `--field`. */
export function bodyFrom(values: FlagValues, parameters: readonly Parameter[], reading: ValueContext): JsonObject {
  const typed: Record<string, readonly string[]> = {};
  for (const [flag, value] of Object.entries(values)) if (value !== undefined) typed[flag] = flagValues(value);
  const custom = flagValues(values["field"]);
  return { ...writeBody(parameters, typed, reading), ...(custom.length > 0 ? customBody(custom, reading) : {}) };
}

/** Body of a write that is about no bug. */
export async function bodyOfFlags(
  { parameters }: Operation,
  values: FlagValues,
  context: Context,
): Promise<JsonObject> {
  return bodyFrom(values, parameters, await readValueContext(values, context, await context.session.catalog()));
}

/** Sources of the comment of a verb. */
export type CommentInput = ProseInput & { readonly comment?: string | undefined; readonly private?: boolean };

/** Body with the comment of a verb; empty without one. */
export async function readCommentBody(input: CommentInput, context: Context): Promise<JsonObject> {
  const text = await readLongText("comment", input.comment, input, context);
  if (input.private && text === undefined) throw usageError("--private requires a comment", "add one with -m");
  return commentBody(text, input.private);
}

/** Body with a comment; empty without a text. */
export function commentBody(text: string | undefined, isPrivate = false): JsonObject {
  const privacy = isPrivate ? { is_private: true } : {};
  return text === undefined ? {} : { comment: { body: checkedText("comment", text), ...privacy } };
}
