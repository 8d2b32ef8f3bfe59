import type { Json, JsonObject, Reply, Request } from "../../wire/exchange.ts";
import { Fault } from "./fault.ts";
import type { RequestOrigin, Tracker } from "./tracker.ts";
import { decodeCall, encodeFault, encodeResult } from "./xml-rpc-format.ts";

/**
 * XML-RPC reply to a call at `/xmlrpc.cgi`, for clients older than REST. The call is translated to the equivalent REST
 * request; an error becomes an XML-RPC fault with REST's error code.
 * @see Bugzilla/WebService/Server/XMLRPC.pm
 */
export async function handleXmlRpc(tracker: Tracker, request: Request, origin: RequestOrigin): Promise<Reply> {
  try {
    const { method, params } = decodeCall(String(request.body ?? ""));
    const toRequest = Object.hasOwn(XML_RPC_METHODS, method) ? XML_RPC_METHODS[method] : undefined;
    if (toRequest === undefined) throw new Fault(404, 32601, `There is no method named '${method}'.`);
    const [parameters = {}] = params;
    const reply = await tracker(toRequest(parameters as JsonObject), origin);
    return xml(encodedReply(JSON.parse(reply.body) as Json));
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault(500, 32000, "The call failed.");
    return xml(encodeFault(fault.code, fault.message));
  }
}

function encodedReply(answer: Json): string {
  const { error, code, message } = (answer ?? {}) as JsonObject;
  return error === true ? encodeFault(Number(code), String(message)) : encodeResult(unwrapped(answer));
}

// REST wraps a scalar as `{result}`.
function unwrapped(answer: Json): Json {
  const [name, ...more] = Object.keys(answer ?? {});
  return name === "result" && more.length === 0 ? ((answer as JsonObject)["result"] ?? null) : answer;
}

function xml(body: string): Reply {
  return { status: 200, headers: { "content-type": "text/xml; charset=UTF-8" }, body };
}

/** XML-RPC methods, each with its equivalent REST request. */
const XML_RPC_METHODS: Readonly<Record<string, (params: JsonObject) => Request>> = {
  "Bugzilla.version": (params) => read("/rest/version", params),
  "Bugzilla.extensions": (params) => read("/rest/extensions", params),
  "Bugzilla.parameters": (params) => read("/rest/parameters", params),
  "Bugzilla.time": (params) => read("/rest/time", params),
  "Bug.get": (params) => read("/rest/bug/", params),
  "Bug.search": (params) => read("/rest/bug", renamed(params)),
  "Bug.create": (params) => write("POST", "/rest/bug", params),
  "Bug.update": (params) => write("PUT", `/rest/bug/${first(params["ids"])}`, params),
  "Bug.history": (params) => read(`/rest/bug/${first(params["ids"])}/history`, params),
  "Bug.comments": ({ ids, ...rest }) =>
    ids === undefined
      ? read(`/rest/bug/comment/${first(rest["comment_ids"])}`, rest)
      : read(`/rest/bug/${first(ids)}/comment`, { ids, ...rest }),
  "Bug.add_comment": (params) => write("POST", `/rest/bug/${first(params["id"])}/comment`, params),
  "Bug.attachments": ({ ids, attachment_ids, ...rest }) =>
    ids === undefined
      ? read(`/rest/bug/attachment/${first(attachment_ids)}`, rest)
      : read(`/rest/bug/${first(ids)}/attachment`, { ids, ...rest }),
  "Bug.add_attachment": (params) => write("POST", `/rest/bug/${first(params["ids"])}/attachment`, params),
  "Bug.fields": (params) => read("/rest/field/bug", params),
  "User.get": (params) => read("/rest/user", params),
  "User.login": (params) => read("/rest/login", params),
  "User.logout": (params) => read("/rest/logout", params),
  "User.valid_login": (params) => read("/rest/valid_login", params),
  "Product.get": (params) => read("/rest/product", params),
  "Product.get_accessible_products": (params) => read("/rest/product_accessible", params),
  "Product.get_enterable_products": (params) => read("/rest/product_enterable", params),
  "Product.get_selectable_products": (params) => read("/rest/product_selectable", params),
};

function write(method: "POST" | "PUT", path: string, body: JsonObject): Request {
  return { method, path, query: [], body };
}

function read(path: string, params: JsonObject): Request {
  return { method: "GET", path, query: pairs(params) };
}

function pairs(params: JsonObject): Request["query"] {
  return Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: Json) => [name, plain(one)] as const),
  );
}

function plain(value: Json): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The parameters with `reporter` under its present name, `creator`. */
function renamed({ reporter, ...params }: JsonObject): JsonObject {
  return reporter === undefined ? params : { ...params, creator: reporter };
}

function first(ids: Json | undefined): string {
  return encodeURIComponent(plain(Array.isArray(ids) ? (ids[0] ?? "") : (ids ?? "")));
}
