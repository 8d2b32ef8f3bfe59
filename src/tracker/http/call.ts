import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Store } from "../store/store.ts";
import type { Requester } from "../users/requester.ts";
import type { ServerParameters } from "./server-parameters.ts";

/** What a tracker takes from outside: the clock, and bytes that cannot be guessed. Injected, so that tests decide both. */
export type Runtime = {
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly report?: (failure: unknown) => void; // told of what should not have happened; the requester is not
  readonly isStrict?: boolean; // refuses what a search would ignore, instead of answering more than was asked for
};

/** One request as a handler meets it: who asks for what, and everything that may be read or changed. */
export type Call = {
  readonly store: Store; // inside the request's one transaction
  readonly requester: Requester;
  readonly parameters: ServerParameters;
  readonly path: Readonly<Record<string, string>>; // the parts of the path in braces, decoded
  readonly input: JsonObject; // query and body in one; a repeated query parameter of a GET is a list of strings
  readonly headers: Readonly<Record<string, string>>; // names in lower case
  readonly now: string; // like 2026-11-20T05:57:24Z
  readonly surroundings: Runtime;
  readonly address: string; // where the request came from
};

/**
 * One row of the routes. `path` is under /rest, with parts in braces; the handler's value is the JSON that is answered (a
 * scalar is wrapped as `{result}`), and what it throws as a Fault is answered as an error.
 */
export type Route = {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly status?: 200 | 201;
  readonly credentials?: "ignored" | "optional"; // default: optional, and needed where `requirelogin` is on
  readonly writes?: boolean; // a GET that changes something
  readonly mayTakeLong?: boolean; // one request can ask for more work than others should wait for
  readonly handle: (call: Call) => Json;
};
