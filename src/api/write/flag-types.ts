import { BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { suggest } from "../nearest.ts";
import { type Ask, get, segment } from "../operation.ts";
import { isObject, listIn } from "../read.ts";

/** A kind of flag that bugs of a product may bear; `values` are the statuses that the requester may set. */
type FlagType = {
  readonly id: number;
  readonly name: string;
  readonly values: readonly string[];
  readonly isRequesteeble: boolean;
};

/**
 * Checks flag changes against the kinds of flag that a product and component have, before anything is sent: the name, the
 * status, whether somebody can be asked, and which kind is meant where several bear one name. A tracker that does not
 * list its flag types decides itself.
 */
export async function checkFlags(
  flags: Json | undefined,
  place: Pick<Bug, "product" | "component" | "flags">,
  ask: Ask,
): Promise<void> {
  const wishes = Array.isArray(flags) ? flags.filter(isObject) : [];
  if (wishes.length === 0 || !place.product || !place.component) return;
  const types = await flagTypes(place.product, place.component, ask);
  for (const wish of wishes) if (types) checkFlag(wish, types, place);
}

async function flagTypes(product: string, component: string, ask: Ask): Promise<readonly FlagType[] | undefined> {
  try {
    const answer = await ask(get(`/rest/flag_type/${segment(product)}/${segment(component)}`));
    return listIn(answer, "bug")
      .filter(isObject)
      .filter((type) => type["is_active"] !== false)
      .map(readType);
  } catch (error) {
    if (error instanceof BtError && ["missing", "refused", "reply"].includes(error.kind)) return undefined;
    throw error;
  }
}

function readType(type: JsonObject): FlagType {
  const values = type["values"];
  return {
    id: Number(type["id"]),
    name: String(type["name"]),
    values: Array.isArray(values) ? values.map(String) : [],
    isRequesteeble: type["is_requesteeble"] !== false,
  };
}

function checkFlag(wish: JsonObject, types: readonly FlagType[], place: Pick<Bug, "flags">): void {
  if (wish["id"] !== undefined) return;
  const meant = types.filter(({ id, name }) => id === wish["type_id"] || name === wish["name"]);
  const [type] = meant;
  const isSet = (place.flags ?? []).some((flag) => flag.name === wish["name"] || flag.type_id === wish["type_id"]);
  if (!type) {
    if (isSet) return;
    const names = [...new Set(types.map(({ name }) => name))];
    const word = wish["name"] ?? `type ${String(wish["type_id"])}`;
    throw usage(`bugs here have no flag "${String(word)}"`, suggest(String(word), names) ?? "there are no flags here");
  }
  const choice = meant.map(({ id, name }) => `--flag 'type:${id}${String(wish["status"])}' (${name})`);
  if (meant.length > 1 && !isSet)
    throw usage(`${meant.length} flag types are called ${type.name}`, `say which one: ${choice.join(" or ")}`);
  checkStatus(wish, meant);
}

function checkStatus(wish: JsonObject, meant: readonly FlagType[]): void {
  const [type] = meant;
  const status = String(wish["status"]);
  const values = meant.flatMap((one) => one.values);
  if (values.length > 0 && !values.includes(status)) {
    throw usage(
      `you may not set ${type?.name}${status}`,
      `possible are ${values.map((value) => `${type?.name}${value}`).join(", ")}`,
    );
  }
  if (wish["requestee"] !== undefined && !meant.some(({ isRequesteeble }) => isRequesteeble)) {
    throw usage(`nobody in particular can be asked for ${type?.name}`, `--flag '${type?.name}?'`);
  }
}
