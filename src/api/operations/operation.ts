import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { Parameter } from "./parameter.ts";

/**
 * One operation of the interface as a value: its name and place in the specification, its parameters, and nothing that
 * sends. Flags, help, completion and the reference read the parameters; `path` shows the route for the reference and the
 * test that every request meets a route.
 */
export type Operation = {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly parameters: readonly Parameter[];
};

/** A GET request with the pairs of its query. */
export function getRequest(path: string, query: Request["query"] = []): Request {
  return { method: "GET", path, query };
}

/** A write with a JSON body; everything travels in the body, since a query would override it. */
export function writeRequest(method: "POST" | "PUT", path: string, body: JsonObject): Request {
  return { method, path, query: [], body };
}

/** A word as one segment of a path. */
export function pathSegment(word: string | number): string {
  return encodeURIComponent(String(word));
}

/** Sends a request and gives the JSON of its answer; an error answer is thrown as a `BtError`. */
export type SendRequest = (request: Request) => Promise<Json>;
