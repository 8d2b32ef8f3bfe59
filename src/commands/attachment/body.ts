import { requestAll } from "../../api/batch.ts";
import { bugPlan } from "../../api/bugs/bug-numbers.ts";
import { resolvePeople } from "../../api/names.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { checkFlags } from "../../api/write/flags.ts";
import { checkedText } from "../../api/write/limits.ts";
import type { FlagValues } from "../../command-flag.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ProseInput } from "../shared/flags.ts";
import { readLongText } from "../shared/text/input-text.ts";
import { bodyFrom, readValueContext } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";
import { checkContentType } from "./content-type.ts";

export type AttachmentInput = ProseInput & {
  readonly parameters: FlagValues & { readonly comment?: string | undefined };
  readonly dryRun: boolean;
};

/** Body of the flags and of the comment of an operation on attachments, checked except for its flag changes. */
export async function readAttachmentBody(
  { parameters }: Operation,
  input: AttachmentInput,
  context: Context,
): Promise<JsonObject> {
  const values = input.parameters;
  const comment = await readLongText({ name: "comment", typed: values.comment }, input, context);
  const catalog = await context.session.metadata.catalog();
  const reading = await readValueContext(values, context, catalog);
  const read = bodyFrom(
    values,
    parameters.filter(({ name }) => name !== "comment"),
    reading,
  );
  const body = await resolvePeople(read, catalog, context.session.send);
  if (typeof body["content_type"] === "string") checkContentType(body["content_type"]);
  return comment === undefined ? body : { ...body, comment: checkedText("comment", comment) };
}

/**
 * Checks flag changes against the flag types for attachments of each bug; `setOn` are the flags already set, by bug.
 * @throws BtError of kind usage for an unknown flag
 */
export async function checkAttachmentFlags(
  flags: Json | undefined,
  setOn: ReadonlyMap<number, Flag[]>,
  { session }: Context,
): Promise<void> {
  if (flags === undefined) return;
  const bugs = [...setOn.keys()].map(String);
  for (const outcome of await requestAll(bugs, bugPlan(["product", "component"]), session.send)) {
    if ("error" in outcome) throw outcome.error;
    const set = setOn.get(outcome.thing.id) ?? [];
    await checkFlags(flags, { ...outcome.thing, flags: set, target: "attachment" }, session.send);
  }
}
