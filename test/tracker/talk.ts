import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import type { Json, JsonObject } from "../../src/wire/exchange.ts";
import { recordedStore } from "./state.ts";

/** An answer with its body read. */
export type Heard = { readonly status: number; readonly body: never };

/** A conversation with a tracker that holds the recorded server's data; every request is a second later than the last. */
export type Talk = {
  readonly store: Store;
  readonly get: (as: string, path: string) => Promise<Heard>;
  readonly post: (as: string, path: string, body: JsonObject) => Promise<Heard>;
  readonly put: (as: string, path: string, body: JsonObject) => Promise<Heard>;
  readonly say: (as: string, request: Said) => Promise<Heard>;
};

/** Opens a conversation; users are named by the first part of their logins, "anonymous" is nobody. */
export function talk(parameters: Readonly<Record<string, string>> = {}): Talk {
  const store = recordedStore();
  for (const [name, value] of Object.entries(parameters)) {
    store.run(
      "INSERT INTO parameters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [name, value],
    );
  }
  let second = 0;
  const now = () => new Date(Date.UTC(2026, 10, 21, 12, 0, second++));
  const ask = createTracker(store, {
    now,
    random: (bytes) => new Uint8Array(bytes),
    report: (failure) => {
      throw failure;
    },
  });
  const say = async (as: string, request: Said): Promise<Heard> => {
    const [path = "", query = ""] = request.path.split("?");
    const asked: [string, string][] = [...new URLSearchParams(query)];
    const key: [string, string][] = as === "anonymous" ? [] : [["api_key", `{${as}_key}`]];
    const reply = await ask({ ...request, path, query: [...asked, ...key] });
    return { status: reply.status, body: JSON.parse(reply.body) as never };
  };
  return {
    store,
    get: (as, path) => say(as, { method: "GET", path }),
    post: (as, path, body) => say(as, { method: "POST", path, body }),
    put: (as, path, body) => say(as, { method: "PUT", path, body }),
    say,
  };
}

/** A request as conversations say it: the query is part of the path. */
export type Said = {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A bug that satisfies every rule of the recorded data. */
const BUG = {
  product: "Firefox",
  component: "General",
  version: "121",
  op_sys: "Linux",
  platform: "PC",
  summary: "Toolbar vanishes",
} as const;

/** Files a bug and gives its number. */
export async function file(to: Talk, as: string, body: JsonObject = {}): Promise<number> {
  const { body: made } = await to.post(as, "/rest/bug", { ...BUG, ...body });
  return (made as { readonly id: number }).id;
}

/** The only bug of an answer. */
export function bugOf({ body }: Heard): Readonly<Record<string, Json>> {
  return (body as { readonly bugs: readonly Readonly<Record<string, Json>>[] }).bugs[0] ?? {};
}
