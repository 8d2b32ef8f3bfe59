import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Store } from "../store/store.ts";
import type { ServerParameters } from "./server-parameters.ts";

/** A user account as stored. */
export type User = {
  readonly id: number;
  readonly login: string;
  readonly real_name: string;
  readonly is_enabled: number;
  readonly disabled_text: string;
  readonly email_enabled: number;
};

/** Author of a request: a user or nobody, and the names of all their groups, inherited ones included. */
export type Requester = {
  readonly user: User | undefined;
  readonly groups: ReadonlySet<string>;
};

/** Clock, randomness and settings that a tracker gets from its process. */
export type Runtime = {
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly report?: (failure: unknown) => void; // receives unexpected exceptions; the requester sees none of their details
  readonly isStrict?: boolean; // rejects unknown search parameters and values, which Bugzilla ignores
};

/** Credentials in the input of a request. */
export type SentCredentials = {
  login: Json | undefined;
  password: Json | undefined;
  token: Json | undefined;
  api_key: Json | undefined;
};

/** One request as its handler gets it. */
export type Call = {
  readonly store: Store; // inside the request's transaction
  readonly requester: Requester;
  readonly parameters: ServerParameters;
  readonly path: Readonly<Record<string, string>>; // values of the path's placeholders, decoded
  readonly input: JsonObject; // query and body merged, no credentials; a repeated query parameter of a GET is a list of strings
  readonly credentials: SentCredentials;
  readonly now: string; // time of the request, like 2026-11-20T05:57:24Z
  readonly runtime: Runtime;
};

/**
 * One row of the routing table. `path` is relative to /rest, with placeholders in braces. `handle`
 * returns the JSON of the response (a scalar is wrapped as `{result}`) or throws a Fault.
 */
export type Route = {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly status?: 200 | 201;
  readonly credentials?: "ignored" | "optional"; // default: optional, but required where the parameter `requirelogin` is on
  readonly writes?: boolean; // a GET that writes
  readonly isAudited?: boolean; // changes the setup: its time is that of the last audit
  readonly handle: (call: Call) => Json;
};
