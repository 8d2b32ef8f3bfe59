import { quoted } from "../../../api/nearest.ts";
import { flagValues } from "../../../session/flags.ts";
import { readRepositoryFile } from "../../../session/repository/repository-file.ts";
import { plain } from "../../../view/text.ts";
import { criteriaGiven } from "../../shared/criteria-flags.ts";
import type { Context } from "../../verb.ts";
import type { SearchInput } from "./input.ts";

/** On a terminal, a search without criteria is for the open bugs of the default product, or of all. */
export async function withDefaultSearch(
  input: SearchInput,
  context: Context,
): Promise<{ input: SearchInput; note: string[] }> {
  const isOther = input.count || input.by !== undefined || input.explain || input.web;
  if (isOther || !isBareSearch(input)) return { input, note: [] };
  const { settings } = context.session;
  const repository = await readRepositoryFile(context.io, settings);
  const { product, sort } = { ...settings, ...(repository?.product ? { product: repository.product.value } : {}) };
  const source = repository?.product ? ` (${plain(repository.path)})` : "";
  const parameters = {
    ...input.parameters,
    status: ["@open"],
    ...(product === undefined ? {} : { product: [quoted(product)] }), // else a list of products
  };
  const which = `open bugs${product === undefined ? "" : ` of ${plain(product)}${source}`}`;
  const sorted = input.sort.length === 0 && sort === undefined ? "newest " : "";
  return {
    input: { ...input, parameters },
    note: [`${sorted}${which}; is:open --all lists all open bugs, --help the criteria`],
  };
}

/** True for a search without any criterion, limit or `--all`. */
function isBareSearch(input: SearchInput): boolean {
  const given = Object.values(criteriaGiven(input)).some((value) => flagValues(value).length > 0);
  return input.args.length === 0 && !given && !input.all;
}
