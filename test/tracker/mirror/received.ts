import type { Exchange, Json, JsonObject } from "../../../src/wire/exchange.ts";
import type { ReceivedBug, ReceivedMetadata } from "../../../src/wire/mirror.ts";

/** Parameters of a request; lists repeat the parameter. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>;

/** The JSON of a GET. */
export async function get(exchange: Exchange, path: string, query: QueryValues = {}): Promise<JsonObject> {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  const reply = await exchange({ method: "GET", path: `/rest${path}`, query: pairs });
  return JSON.parse(reply.body);
}

/** Ids of the bugs that an exchange shows, all of them or those that meet criteria. */
export async function idsOf(exchange: Exchange, criteria: QueryValues = {}): Promise<readonly string[]> {
  const { bugs } = await get(exchange, "/bug", { ...criteria, include_fields: "id", limit: "0", order: "bug_id" });
  return (bugs as readonly JsonObject[]).map(({ id }) => String(id));
}

/** Bugs of a tracker as its routes return them: all that it shows, or some of them. */
export async function receiveBugs(
  exchange: Exchange,
  wanted: (id: number) => boolean = () => true,
): Promise<readonly ReceivedBug[]> {
  const ids = (await idsOf(exchange)).filter((id) => wanted(Number(id)));
  const [first = "0"] = ids;
  const [bugs, comments, histories, attachments] = await Promise.all([
    get(exchange, `/bug/${first}`, { ids, include_fields: "_all" }).then(({ bugs }) => bugs ?? []),
    get(exchange, `/bug/${first}/comment`, { ids }).then(({ bugs }) => bugs ?? {}),
    get(exchange, `/bug/${first}/history`, { ids }).then(({ bugs }) => bugs ?? []),
    get(exchange, `/bug/${first}/attachment`, { ids }).then(({ bugs }) => bugs ?? {}),
  ]);
  return ids.map((id) => ({
    bug: one(bugs, id),
    comments: list(list(comments, id), "comments"),
    history: list(one(histories, id), "history"),
    attachments: list(attachments, id),
  }));
}

function one(things: Json, id: string): JsonObject {
  return (things as readonly JsonObject[]).find((thing) => String(thing["id"]) === id) ?? {};
}

function list(things: Json, name: string): readonly JsonObject[] {
  return ((things as JsonObject)[name] ?? []) as readonly JsonObject[];
}

/** The metadata of a tracker as its routes return it. */
export async function receiveMetadata(exchange: Exchange): Promise<ReceivedMetadata> {
  const [fields, products, enterable, parameters] = await Promise.all([
    get(exchange, "/field/bug"),
    get(exchange, "/product", { type: "accessible" }),
    get(exchange, "/product_enterable"),
    get(exchange, "/parameters"),
  ]);
  return {
    fields: list(fields, "fields"),
    products: list(products, "products"),
    enterable: enterable["ids"] as readonly number[],
    parameters: parameters["parameters"] as JsonObject,
  };
}
