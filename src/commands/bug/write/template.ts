import { type Catalog, isSettable, requireField } from "../../../api/catalog/catalog.ts";
import { partition } from "../../../api/lists.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { BtError, usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { readSource } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { NewBugValues } from "./flags.ts";

/**
 * The values of a new bug in a file: `name: value` lines up to the first empty line, and the description below it. A line
 * without a value sets nothing.
 * @throws BtError of kind usage with file and line for a line that sets no field
 */
export async function readTemplate(file: string, context: Context): Promise<NewBugValues> {
  const lines = (await readSource(file, context)).replace(/^\ufeff/, "").split(/\r?\n/);
  const end = lines.findIndex((line) => line.trim() === "");
  const [head, rest] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end + 1)];
  const description = rest.join("\n").trimEnd();
  const fields = await withCatalog(context.session, (catalog) => readFields(head, catalog, file));
  return description === "" ? fields : { ...fields, description };
}

function readFields(lines: readonly string[], catalog: Catalog, file: string): NewBugValues {
  const fields = new Map<string, Target>();
  for (const [at, line] of lines.entries())
    atLine(`${file}:${at + 1}`, () => {
      const target = lineTarget(line, catalog);
      if (fields.has(target.api)) throw usageError(`${target.api} is set twice`, "separate values by commas");
      fields.set(target.api, target);
    });
  const [custom, own] = partition(
    [...fields.values()].filter(({ value }) => value !== ""),
    ({ isCustom }) => isCustom,
  );
  const values = Object.fromEntries(own.map(({ api, value }) => [commandFlagName(api), value]));
  return custom.length === 0 ? values : { ...values, field: custom.map(({ api, value }) => `${api}=${value}`) };
}

/** The field that a line sets, and its value as typed. */
type Target = { readonly api: string; readonly isCustom: boolean; readonly value: string };

function lineTarget(line: string, catalog: Catalog): Target {
  const [, named = "", text = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
  const [name, value] = [named.trim(), text.trim()];
  if (name === "") {
    const hint = "fields are lines such as product: Lantern; the description follows after an empty line";
    throw usageError(`expected a field and its value, not ${JSON.stringify(line)}`, hint);
  }
  const field = isParameter(name) ? undefined : requireField(catalog, name);
  if (field && isSettable(field)) return { api: field.api, isCustom: true, value };
  const api = field?.api ?? name;
  if (api === "description")
    throw usageError("the description is not a field", "it follows the fields after an empty line");
  if (isParameter(api)) return { api, isCustom: false, value };
  throw usageError(`${name} cannot be set on a new bug`, `valid names: ${NAMES.join(", ")}, and custom fields`);
}

const NAMES = CREATE_BUG.parameters.map(({ name }) => name).filter((name) => name !== "description");

function isParameter(name: string): boolean {
  return CREATE_BUG.parameters.some((one) => one.name === name);
}

/** Runs a check of a line, whose errors get its place. */
function atLine<Result>(place: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    throw new BtError(error.kind, `${place}: ${error.message}`, error.facts);
  }
}
