import { suggestNames } from "../../../api/nearest.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { GET_USERS } from "../../../api/operations/tracker.ts";
import { unexpectedShapeError } from "../../../api/response/response-objects.ts";
import { BtError, LOG_IN, usageError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { Json } from "../../../wire/exchange.ts";
import { isObject, itemsIn } from "../../../wire/json.ts";
import type { Context } from "../../verb.ts";
import type { CriteriaInput } from "./flags.ts";

/**
 * The command line with the query of the saved search that it names.
 * @throws BtError of kind usage for an unknown name, of kind missing if the tracker does not report saved searches
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#get-user
 */
export async function applySavedSearch<Input extends CriteriaInput>(
  input: Input,
  { session }: Context,
): Promise<Input> {
  const { saved: name = "", fromUrl, param = [] } = input;
  if (name.trim() === "") throw usageError("--saved is empty");
  if (fromUrl !== undefined) throw usageError("--saved and --from-url cannot be used together");
  if (param.length > 0) throw usageError("--saved and --param cannot be used together");
  const searches = await readSavedSearches(session);
  const found =
    searches.find((search) => search.name === name) ??
    searches.find((search) => search.name.toLowerCase() === name.toLowerCase());
  if (found) return { ...input, saved: undefined, fromUrl: found.query };
  const names = searches.map((search) => search.name);
  throw usageError(`unknown saved search ${JSON.stringify(name)}`, suggestNames(name, names) ?? "you have none");
}

type SavedSearch = { name: string; query: string };

/** The saved searches of the user, which only the user sees. */
async function readSavedSearches({ send, login }: Session): Promise<SavedSearch[]> {
  const me = await login();
  if (me === undefined) throw new BtError("auth", "saved searches require a login", { hint: LOG_IN });
  const response = await send(requestFor(GET_USERS, { names: [me] }));
  const [user] = itemsIn(isObject(response) ? response["users"] : undefined);
  const searches = isObject(user) ? user["saved_searches"] : undefined;
  if (searches === undefined) {
    throw new BtError("missing", "no saved searches are reported", {
      hint: "copy the URL of the search from the browser: --from-url URL",
    });
  }
  if (!Array.isArray(searches)) throw unexpectedShapeError('an array named "saved_searches"');
  return searches.map(savedSearchIn);
}

function savedSearchIn(search: Json): SavedSearch {
  if (!isObject(search)) throw unexpectedShapeError("saved searches as objects");
  return { name: String(search["name"]), query: String(search["query"]) };
}
