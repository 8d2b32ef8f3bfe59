import { type Catalog, isSettable, requireField } from "../../../api/catalog/catalog.ts";
import { enterableProductLoader } from "../../../api/catalog/enterable-products.ts";
import { commandFlagName, type Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError, usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { bodyFrom, readValueContext } from "../../shared/changes/write-body.ts";
import { readSource } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { CreateInput, NewBugValues } from "./flags.ts";
import { valuesFromFlags } from "./new-bug.ts";

/** Values that a new bug begins with, and those over them. */
export type StartingValues = { readonly start: NewBugValues; readonly given: NewBugValues };

/**
 * The values of the template, which begin a new bug, and those of the flags.
 * @throws BtError of kind usage with file and line
 */
export async function readStartingValues(input: CreateInput, context: Context): Promise<StartingValues> {
  const given = valuesFromFlags(input);
  return { start: input.template === undefined ? {} : await readTemplate(input.template, given, context), given };
}

/**
 * The values that a file stands for. They are validated, except those that are also given.
 * @throws BtError of kind usage with file and line
 */
async function readTemplate(file: string, given: NewBugValues, context: Context): Promise<NewBugValues> {
  const { fields, description } = parseTemplate(await readSource(file, context), file);
  const typed = await readLineValues(file, fields, given, context);
  return description === undefined ? typed : { ...typed, description };
}

/** A line of a template: a field and its value, as typed. */
type TemplateLine = { readonly line: number; readonly name: string; readonly value: string };

/** The fields of a template, and the description below them; undefined if it has none. */
type Template = { readonly fields: readonly TemplateLine[]; readonly description: string | undefined };

async function readLineValues(
  file: string,
  fields: readonly TemplateLine[],
  given: NewBugValues,
  context: Context,
): Promise<NewBugValues> {
  return withCatalog(context.session, async (catalog) => {
    const named = fields.map((one) => ({
      ...one,
      target: checkLine(file, one.line, () => requireTarget(one, catalog)),
    }));
    const used = named.filter(({ target }) => given[target.flag] === undefined || target.flag === "field");
    const own = used.find(({ target }) => target.flag === "product")?.value;
    const product = flagValue(given.product) ?? own ?? context.session.settings.product;
    const known = await enterableProductLoader(context.session.send)(catalog, product);
    const reading = { ...(await readValueContext(newBugValues(used), context, known)), product };
    for (const one of used) {
      const parameters = one.target.parameter ? [one.target.parameter] : [];
      checkLine(file, one.line, () => bodyFrom(newBugValues([one]), parameters, reading));
    }
    return newBugValues(used);
  });
}

/**
 * Parses `name: value` lines up to the first empty line, and the description below it. Lines without a value are left
 * out.
 * @throws BtError of kind usage with file and line
 */
function parseTemplate(text: string, file: string): Template {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.findIndex((line) => line.trim() === "");
  const [head, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end + 1)];
  const fields = head.map((line, at) => parseTemplateLine(line, at + 1, file));
  const names = new Set<string>();
  for (const { name, line } of fields) {
    if (names.has(name)) throw usageError(`${file}:${line}: ${name} is set twice`, "separate values by commas");
    names.add(name);
  }
  const description = rest.join("\n").trimEnd();
  return {
    fields: fields.filter(({ value }) => value !== ""),
    description: description === "" ? undefined : description,
  };
}

function parseTemplateLine(text: string, line: number, file: string): TemplateLine {
  const [, name = "", value = ""] = /^([^:]+):(.*)$/.exec(text) ?? [];
  if (name !== "") return { line, name: name.trim(), value: value.trim() };
  const hint = "fields are lines such as product: Lantern; the description follows after an empty line";
  throw usageError(`${file}:${line}: expected a field and its value, not ${JSON.stringify(text)}`, hint);
}

/** The flag that a line stands for, with its parameter; custom fields have `field`. */
type Target = { flag: string; parameter?: Parameter; custom?: string };

/** A line with what it sets. */
type TargetedLine = TemplateLine & { target: Target };

function requireTarget({ name }: TemplateLine, catalog: Catalog): Target {
  const own = parameterNamed(name);
  const field = own ? undefined : requireField(catalog, name);
  if (field && isSettable(field)) return { flag: "field", custom: field.api };
  const parameter = own ?? parameterNamed(field?.api ?? "");
  if (parameter?.name === "description")
    throw usageError("the description is not a field", "it follows the fields after an empty line");
  if (parameter) return { flag: commandFlagName(parameter.name), parameter };
  throw usageError(`${name} cannot be set on a new bug`, `valid names: ${NAMES.join(", ")}, and custom fields`);
}

const NAMES = CREATE_BUG.parameters.map(({ name }) => name).filter((name) => name !== "description");

function parameterNamed(name: string): Parameter | undefined {
  return CREATE_BUG.parameters.find((one) => one.name === name);
}

function newBugValues(lines: TargetedLine[]): NewBugValues {
  const values: Record<string, string> = {};
  const custom: string[] = [];
  for (const { target, value } of lines) {
    if (target.custom) custom.push(`${target.custom}=${value}`);
    else values[target.flag] = value;
  }
  return custom.length > 0 ? { ...values, field: custom } : values;
}

/** Runs a check of a line, whose errors get file and line. */
function checkLine<Result>(file: string, line: number, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    throw new BtError(error.kind, `${file}:${line}: ${error.message}`, error.facts);
  }
}
