import { quoted } from "../../../api/nearest.ts";
import { readRepositoryFile } from "../../../session/repository/repository-file.ts";
import { plain } from "../../../view/text.ts";
import type { Context, Input } from "../../verb.ts";
import { flagsGiven } from "./criteria.ts";

/** On a terminal, a search without criteria is for the open bugs of the default product, or of all. */
export async function withDefaultSearch(
  input: Input,
  context: Context,
): Promise<{ readonly input: Input; readonly note: readonly string[] }> {
  const isOther = OTHER_RESULTS.some((name) => input.flags[name] !== undefined);
  if (isOther || !isBareSearch(input)) return { input, note: [] };
  const { settings } = context.session;
  const repository = await readRepositoryFile(context.io, settings);
  const { product, sort } = { ...settings, ...(repository?.product ? { product: repository.product.value } : {}) };
  const source = repository?.product ? ` (${plain(repository.path)})` : "";
  const flags = {
    ...input.flags,
    status: ["@open"],
    ...(product === undefined ? {} : { product: [quoted(product)] }), // else a list of products
  };
  const which = `open bugs${product === undefined ? "" : ` of ${plain(product)}${source}`}`;
  const sorted = (input.flags["sort"] ?? sort) === undefined ? "newest " : "";
  return {
    input: { ...input, flags },
    note: [`${sorted}${which}; is:open --all lists all open bugs, --help the criteria`],
  };
}

/** Results that need criteria on a terminal, too. */
const OTHER_RESULTS = ["count", "by", "explain", "web"];

/** True for a search without any criterion, limit or `--all`. */
function isBareSearch(input: Input): boolean {
  return (
    input.args.length === 0 && flagsGiven(input).length === 0 && BOUNDS.every((name) => input.flags[name] === undefined)
  );
}

/** Criteria and bounds that are no parameters of fields. */
const BOUNDS = ["where", "from-url", "saved", "param", "quicksearch", "limit", "offset", "all"];
