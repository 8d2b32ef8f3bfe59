import { type Catalog, requireField } from "../../api/catalog.ts";
import { legalNames, legalValues } from "../../api/legal-values.ts";
import { flagName, type Parameter } from "../../api/operations/operation.ts";
import { CREATE_BUG } from "../../api/operations/write-bugs.ts";
import { BtError, withFacts } from "../../errors.ts";
import { matching } from "../../prompt/question.ts";
import { flagValue } from "../../session/flags.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context, Input } from "../verb.ts";

/**
 * The input completed with the required fields of a new bug: from the flags, the configuration, or prompts.
 * @throws BtError of kind usage without a terminal, naming all missing fields and their values
 */
export async function withRequired(input: Input, context: Context, catalog: Catalog): Promise<Input> {
  const flags: Record<string, string | readonly string[] | true | undefined> = { ...input.flags };
  for (const [name, value] of Object.entries(defaultsIn(context.session.settings))) flags[flagName(name)] ??= value;
  const missing = CREATE_BUG.parameters.filter(({ name, required }) => required && flags[flagName(name)] === undefined);
  const { stdin, stdout, stderr } = context.io.terminal;
  const canAsk = stdin && stdout && stderr;
  if (missing.length > 0 && !canAsk) throw tooLittle(missing, catalog, flagValue(flags["product"]));
  for (const parameter of missing) {
    flags[flagName(parameter.name)] = await answer(
      parameter,
      offeredFor(parameter.name, catalog, flagValue(flags["product"])),
      context,
    );
  }
  return { ...input, flags };
}

/**
 * Completes a refusal for a missing value with all such fields and their values; servers name one of them. Other errors
 * are unchanged.
 */
export function withDefaulted(error: unknown, body: JsonObject, catalog: Catalog): unknown {
  const left = DEFAULTED.filter((name) => body[name] === undefined);
  if (!(error instanceof BtError) || error.facts.bugzillaCode !== REQUIRED || left.length === 0) return error;
  const details = left.map(
    (name) => `--${flagName(name)}: ${(legalNames(requireField(catalog, name)) ?? []).join(", ")}`,
  );
  return withFacts(error, {
    details: ["this tracker may require:", ...details],
    hint: "bt config set op_sys and platform stores defaults",
  });
}

const REQUIRED = 50; // code of a missing value
const DEFAULTED = ["op_sys", "platform", "priority", "severity"];

/** Settings that are also parameters of a new bug. */
function defaultsIn({
  product,
  component,
  version,
  op_sys,
  platform,
}: Context["session"]["settings"]): Readonly<Record<string, string>> {
  const own = { product, component, version, op_sys, platform };
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Value of a required field: the only legal one, or the one that the user chooses. */
async function answer({ name }: Parameter, choices: readonly string[], context: Context): Promise<string> {
  const { plain } = await import("../../view/text.ts");
  const word = name.replaceAll("_", " ");
  const [first, ...others] = choices;
  if (first !== undefined && others.length === 0) {
    await context.io.err(`${word}: ${plain(first)} (the only one)\n`);
    return first;
  }
  if (first === undefined) {
    const check = (text: string) => (text.trim() === "" ? `${word} is required` : undefined);
    return (await context.io.prompt({ kind: "line", message: word, check })).trim();
  }
  const list = choices.map((value) => ({ value, name: plain(value) }));
  return context.io.prompt({ kind: "search", message: word, find: async (term) => matching(list, term) });
}

/** Active values, of the product if values belong to products. */
function offeredFor(name: string, catalog: Catalog, product: string | undefined): readonly string[] {
  if (name === "summary") return [];
  const field = requireField(catalog, name);
  if (name === "product") return legalNames(field) ?? [];
  return product === undefined
    ? []
    : legalValues(field, product).flatMap((value) => (value.is_active === false ? [] : [value.name]));
}

function tooLittle(missing: readonly Parameter[], catalog: Catalog, product: string | undefined): BtError {
  const details = missing.map(({ name }) => {
    const names = offeredFor(name, catalog, product);
    return `--${flagName(name)}${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
  });
  return new BtError("usage", `missing required fields: ${missing.map(({ name }) => name).join(", ")}`, {
    details,
    hint: "bt bug create --product P --component C --version V --summary '...'; bt config set stores defaults",
    changed: "nothing",
  });
}
