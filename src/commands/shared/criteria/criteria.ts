import { type Catalog, standardFields } from "../../../api/catalog/catalog.ts";
import { flagsToTree } from "../../../api/query/flags.ts";
import { parseTerms } from "../../../api/query/parse.ts";
import { needsOwnLogin, resolveQuery } from "../../../api/query/resolve.ts";
import type { Pair } from "../../../api/query/rows.ts";
import { allOf, EVERY_BUG, type QueryContext } from "../../../api/query/tree.ts";
import type { Search } from "../../../api/search/search.ts";
import { readSort } from "../../../api/search/sort.ts";
import { noConditions, readWeb, urlPairs } from "../../../api/search/web.ts";
import { flagValues, wholeNumber } from "../../../command-flag.ts";
import { usageError } from "../../../errors.ts";
import { noteDate } from "../../../session/note.ts";
import { ownLogin, withCatalog } from "../../../session/session.ts";
import { pagesAddress, parsedUrl } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import type { CriteriaInput } from "./flags.ts";

/** Criteria of a search, its order, and the part of the result that a URL asks for. */
export type Criteria = Search & { readonly page: { readonly limit?: number; readonly offset?: number } };

/**
 * Reads the criteria of a command line. Metadata is only loaded if there is something to check.
 * @throws BtError of kind usage for a search without criteria or `--all`
 */
export async function readCriteria(given: CriteriaInput, context: Context): Promise<Criteria> {
  const { session, io } = context;
  const input = withUrl(given);
  const { args, where = [], sort = [], parameters } = input;
  const terms = [...(args.length > 0 ? [parseTerms(args)] : []), ...where.map((text) => parseTerms([text]))];
  const web = webPairs(input, session.address);
  const { limit: _, offset: __, quicksearch, ...others } = parameters;
  if (quicksearch?.trim() === "") throw usageError("--quicksearch is empty");
  const flags = Object.entries(others).map(([flag, value]) => [flag.replaceAll("-", "_"), flagValues(value)] as const);
  const hasConditions = terms.length > 0 || web.length > 0 || flags.length > 0;
  if (!hasConditions && quicksearch === undefined && !input.all)
    throw usageError(
      "no criteria",
      `for example is:open${input.all === undefined ? "" : ", or --all"}; --help lists all criteria`,
    );
  const usual = io.terminal.stdout ? session.settings.sort : undefined;
  const keys = sort.length > 0 || usual === undefined ? sort : [usual];
  const read = async (catalog: Catalog): Promise<Criteria> => {
    const fromWeb = web.length > 0 ? readWebCriteria(web, input, catalog) : undefined;
    const tree = allOf([flagsToTree(Object.fromEntries(flags), catalog), ...terms, fromWeb?.tree ?? EVERY_BUG]);
    const me = needsOwnLogin(tree, catalog) ? await ownLogin(session) : undefined;
    const query = resolveQuery(tree, queryContext(catalog, me, context));
    const quick: readonly Pair[] = quicksearch === undefined ? [] : [["quicksearch", quicksearch]];
    const order = keys.length > 0 ? keys : (fromWeb?.sort ?? []);
    return {
      query,
      passed: [...(fromWeb?.passed ?? []), ...quick],
      order: order.length > 0 ? readSort(order, catalog) : undefined,
      page: fromWeb?.page ?? {},
    };
  };
  return hasConditions || keys.length > 0 ? withCatalog(session, read) : read(standardFields());
}

/** The URL of a search page as a term is `--from-url`. */
function withUrl(given: CriteriaInput): CriteriaInput {
  const url = given.args.find((term) => /^https?:\/\//i.test(term));
  if (url === undefined || given.fromUrl !== undefined) return given;
  return { ...given, fromUrl: url, args: given.args.filter((term) => term !== url) };
}

function queryContext(catalog: Catalog, me: string | undefined, { io, output, session }: Context): QueryContext {
  return {
    catalog,
    me,
    now: io.now(),
    get zone() {
      return output.view.timeZone; // takes 6 ms, and few searches have a date
    },
    note: (sentence) => noteDate(io, sentence),
    nobody: session.settings.nobody,
  };
}

/** The pairs of a URL of the tracker's search page, or of `--param`. */
function webPairs({ fromUrl, param = [] }: CriteriaInput, address: string): readonly Pair[] {
  if (fromUrl === undefined) return param.map(namedPair);
  if (param.length > 0) throw usageError("--from-url and --param cannot be used together");
  checkOrigin(fromUrl, address);
  const pairs = urlPairs(fromUrl);
  if (pairs.length === 0) throw noConditions();
  return pairs;
}

/** Rejects a URL of another tracker, also on the same host: its names and ids differ. A query string alone is of this one. */
function checkOrigin(url: string, address: string): void {
  const given = parsedUrl(url);
  if (given === undefined || !/^https?:/i.test(url) || !/^https?:/i.test(address)) return;
  const other = given.origin + given.pathname.replace(/(?:\/rest)?\/[^/]*$/, "");
  if (other === pagesAddress(address)) return;
  throw usageError(`--from-url is a search of ${other}, not of ${address}`, `use --base-url ${other}`);
}

function namedPair(text: string): Pair {
  const at = text.indexOf("=");
  if (at < 1) throw usageError(`--param ${JSON.stringify(text)} is not name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The conditions, order and page of pairs; `passed` are pairs of the search page, which the tracker reads. */
function readWebCriteria(web: readonly Pair[], { fromUrl }: CriteriaInput, catalog: Catalog) {
  const [, order] = web.find(([name, value]) => name === "order" && value !== "") ?? [];
  const bounds = web.filter(([name, value]) => /^(?:limit|offset)$/.test(name) && value !== "" && value !== "0");
  return {
    ...readWeb(web, catalog, fromUrl === undefined),
    sort: order === undefined ? [] : [PAGE_ORDERS[order.toLowerCase()] ?? order],
    page: Object.fromEntries(bounds.map(([name, value]) => [name, wholeNumber(name, value)])),
  };
}

/** Orders that the search page offers by name. */
const PAGE_ORDERS: Readonly<Record<string, string>> = {
  "bug number": "id",
  importance: "priority,severity",
  assignee: "assigned_to,status,priority",
  "last changed": "last_change_time,status,priority",
};
