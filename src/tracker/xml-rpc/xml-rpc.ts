/**
 * The interface in the dress that clients before REST speak: a call of XML-RPC at `/xmlrpc.cgi` is read, asked of the
 * tracker as the request that does the same, and its answer written as XML. Nothing here knows a rule of the tracker.
 */
import type { Json, JsonObject, Reply, Request } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import type { Origin, Tracker } from "../tracker.ts";
import { decodeCall } from "./decode.ts";
import { encodeAnswer, encodeFault } from "./encode.ts";
import { METHODS } from "./methods.ts";

/** Answers one call, whatever it is: what goes wrong is a fault in XML, with the number that REST has for it. */
export async function answerCall(tracker: Tracker, request: Request, origin: Origin): Promise<Reply> {
  try {
    const { method, params } = decodeCall(String(request.body ?? ""));
    const toRequest = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (toRequest === undefined) throw new Fault(404, 32601, `There is no method named '${method}'.`);
    const [given = {}] = params;
    const reply = await tracker(toRequest(given as JsonObject), origin);
    return xml(answerOf(JSON.parse(reply.body) as Json));
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault(500, 32000, "The call failed.");
    return xml(encodeFault(fault.code, fault.message));
  }
}

function answerOf(answer: Json): string {
  const { error, code, message } = (answer ?? {}) as JsonObject;
  return error === true ? encodeFault(Number(code), String(message)) : encodeAnswer(unwrapped(answer));
}

// REST puts a value that is no object into one, as its result.
function unwrapped(answer: Json): Json {
  const [name, ...more] = Object.keys(answer ?? {});
  return name === "result" && more.length === 0 ? ((answer as JsonObject)["result"] ?? null) : answer;
}

function xml(body: string): Reply {
  return { status: 200, headers: { "content-type": "text/xml; charset=UTF-8" }, body };
}
