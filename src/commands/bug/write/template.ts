import { type Catalog, isSettable, requireField } from "../../../api/catalog/catalog.ts";
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
  const values: Record<string, string> = {};
  const custom: string[] = [];
  const seen = new Set<string>();
  for (const [at, line] of lines.entries())
    try {
      const { api, isCustom, value } = lineTarget(line, catalog);
      if (seen.has(api)) throw usageError(`${api} is set twice`, "separate values by commas");
      seen.add(api);
      if (value !== "" && isCustom) custom.push(`${api}=${value}`);
      else if (value !== "") values[commandFlagName(api)] = value;
    } catch (error) {
      if (!(error instanceof BtError)) throw error;
      throw new BtError(error.kind, `${file}:${at + 1}: ${error.message}`, error.facts);
    }
  return custom.length === 0 ? values : { ...values, field: custom };
}

/** The field that a line sets, and its value as typed. */
function lineTarget(line: string, catalog: Catalog): { api: string; isCustom: boolean; value: string } {
  const [, named = "", text = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
  const [name, value] = [named.trim(), text.trim()];
  if (name === "") {
    const hint = "fields are lines such as product: Lantern; the description follows after an empty line";
    throw usageError(`expected a field and its value, not ${JSON.stringify(line)}`, hint);
  }
  const field = NAMES.includes(name) || name === "description" ? undefined : requireField(catalog, name);
  const api = field?.api ?? name;
  if (field && isSettable(field)) return { api, isCustom: true, value };
  if (NAMES.includes(api)) return { api, isCustom: false, value };
  if (api === "description")
    throw usageError("the description is not a field", "it follows the fields after an empty line");
  throw usageError(`${name} cannot be set on a new bug`, `valid names: ${NAMES.join(", ")}, and custom fields`);
}

const NAMES: readonly string[] = CREATE_BUG.parameters.map(({ name }) => name).filter((name) => name !== "description");
