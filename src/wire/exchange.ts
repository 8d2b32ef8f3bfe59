/** Any JSON value, as both sides of the wire speak it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * One request to a tracker as plain data. `path` starts with `/rest` and is already percent-encoded; `query` holds decoded
 * pairs in the order they are sent, repeats kept; a `body` that is text goes out exactly as it stands, an object as JSON.
 * Header names are lower-case.
 */
export type Request = {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject | string;
};

/** What came back: the status, lower-case headers, and the whole decoded body as text. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The only way to a tracker: the network is one, the embedded tracker is one, a canned reply in a test is one. */
export type Exchange = (request: Request) => Promise<Reply>;
