import type { Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { applySetup } from "../../src/tracker/setup/setup.ts";
import type { JsonObject, Request, Response } from "../../src/wire/exchange.ts";
import { type Clock, stoppedClock } from "../clock.ts";
import type { Form } from "../forms/forms.ts";
import { freshDemo } from "../fresh-demo.ts";
import { answer, type FaultServer, faultServer, type Heard } from "../servers/fault-server.ts";

/** Fate of one request: the demo behind answers it (`apply`) or never hears of it, and the socket gets what is written. */
export type Fate = (incident: Incident) => unknown;

/** A request as it meets its fate; `count` counts the requests like it (writes, or reads), from 1. */
export type Incident = {
  readonly request: Request;
  readonly count: number;
  readonly socket: Socket;
  readonly apply: () => Promise<Response>;
  readonly pass: () => Promise<void>;
};

/** A demo tracker behind a faulty way, and what came of it. */
export type FaultyTracker = Pick<FaultServer, "url" | "heard" | "connections" | "close"> & {
  readonly requests: readonly Request[];
  readonly env: Readonly<Record<string, string>>; // names the tracker and a clock, with the key of one who may edit
  readonly clock: Clock;
  readonly key: string;
  readonly login: string; // whose key it is
  readonly store: OpenedTracker["store"];
  readonly count: (sql: string) => number;
  readonly text: (sql: string) => string;
  /** Does something behind the fault, as anybody. */
  readonly as: (login: string, request: Pick<Request, "method" | "path" | "body">) => Promise<JsonObject>;
  readonly writes: () => readonly Request[];
  readonly stopListening: () => void; // connections that are there go on
};

/** The numbers of the bugs that an update names: those of the body, else the one of the path. */
export function bugsNamed({ path, body }: Request): readonly number[] {
  const { ids } = JSON.parse(String(body)) as { readonly ids?: readonly number[] };
  return ids ?? [Number(path.split("/").at(-1))];
}

/** Faults of writes and of reads; other requests go well. */
export type Faults = {
  readonly write?: Fate;
  readonly read?: Fate;
  readonly form?: Form; // of another tracker
  readonly clock?: Clock; // the tracker's, which stands at noon unless told otherwise
  readonly clientClock?: Clock; // where it is another one
  readonly clientEnv?: Readonly<Record<string, string>>;
};

/** Serves a fresh demo over raw sockets. */
export async function faultyTracker(faults: Faults = {}): Promise<FaultyTracker> {
  const clock = faults.clock ?? stoppedClock();
  const opened = freshDemo({
    now: clock.now,
    random: (bytes) => new Uint8Array(bytes).fill(0xca),
  });
  const { key, login } = opened.addFirstKey() ?? { key: "", login: "" };
  if (faults.form) applySetup(opened.store, faults.form.setup);
  const exchange = faults.form?.over(opened.tracker) ?? opened.tracker;
  const requests: Request[] = [];
  const counts = { read: 0, write: 0 };
  const server = await faultServer((socket, heard) => {
    const request = requestOf(heard);
    if (request.path === "/rest/whoami")
      return void exchange(request).then((response) => socket.write(written(response, clock))); // whose key it is, is no matter of the fault
    requests.push(request);
    const kind = request.method === "GET" ? "read" : "write";
    counts[kind] += 1;
    const apply = () => exchange(request);
    const pass = async () => void socket.write(written(await apply(), clock));
    const fate = faults[kind] ?? (({ pass: on }) => on());
    void fate({ request, count: counts[kind], socket, apply, pass });
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close().then(opened.close);
    return closed;
  };
  onTestFinished(close);
  return {
    ...server,
    close,
    requests,
    key,
    login,
    store: opened.store,
    env: { BT_BASE_URL: server.url, BT_API_KEY: key, ...(faults.clientClock ?? clock).env, ...faults.clientEnv },
    clock,
    count: (sql) => Number(Object.values(opened.store.get(sql) ?? {})[0]),
    text: (sql) => String(Object.values(opened.store.get(sql) ?? {})[0]),
    as: (login, request) => as(opened, login, { ...request, query: [] }),
    writes: () => requests.filter(({ method }) => method !== "GET"),
  };
}

/** Fates, each named for what the client sees. */
export const FATES = {
  /** The answer never comes: the request was handled, then the connection is reset. */
  resetAfter: async ({ apply, socket }: Incident) => {
    await apply();
    socket.resetAndDestroy();
  },
  closedAfter: async ({ apply, socket }: Incident) => {
    await apply();
    socket.end();
  },
  silentAfter: ({ apply }: Incident) => apply(),
  badGatewayAfter: async ({ apply, socket }: Incident) => {
    await apply();
    socket.write(BAD_GATEWAY);
  },
  emptyAfter: async ({ apply, socket }: Incident) => {
    await apply();
    socket.write(answer("{}"));
  },
  loginPageAfter: async ({ apply, socket }: Incident) => {
    await apply();
    socket.write(LOGIN_PAGE);
  },
  /** The request is lost on the way: the tracker never hears of it. */
  badGatewayBefore: ({ socket }: Incident) => void socket.write(BAD_GATEWAY),
  emptyBefore: ({ socket }: Incident) => void socket.write(answer("{}")),
  loginPageBefore: ({ socket }: Incident) => void socket.write(LOGIN_PAGE),
  resetBefore: ({ socket }: Incident) => void socket.resetAndDestroy(),
  unavailable: ({ socket }: Incident) => void socket.write(answer("", { status: "503 Service Unavailable" })),
  patience: ({ socket }: Incident) =>
    void socket.write(answer("", { status: "503 Later", headers: { "retry-after": "30" } })),
  busy: ({ socket }: Incident) =>
    void socket.write(answer("", { status: "429 Busy", headers: { "retry-after": "1" } })),
} satisfies Record<string, Fate>;

const LOGIN_PAGE = answer("<html><title>Log in</title></html>", { headers: { "content-type": "text/html" } });
const BAD_GATEWAY = answer("<html>nginx</html>", {
  status: "502 Bad Gateway",
  headers: { "content-type": "text/html" },
});

/** Only the first request has this fate. */
export function once(fate: Fate): Fate {
  return nth(1, fate);
}

/** Only the nth request has this fate. */
export function nth(n: number, fate: Fate): Fate {
  return (incident) => (incident.count === n ? fate(incident) : incident.pass());
}

/** Every request from the nth on has this fate. */
export function from(n: number, fate: Fate): Fate {
  return (incident) => (incident.count >= n ? fate(incident) : incident.pass());
}

async function as({ store, tracker }: OpenedTracker, login: string, request: Request): Promise<JsonObject> {
  const userId = Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
  return JSON.parse((await tracker(request, userId)).body);
}

function requestOf({ head, body }: Heard): Request {
  const [first = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const { pathname, searchParams } = new URL(target, "http://tracker");
  const pairs = lines.map((line) => [line.split(":")[0]?.toLowerCase() ?? "", line.replace(/^[^:]*: */, "")]);
  const headers = Object.fromEntries(pairs);
  return { method, path: pathname, query: [...searchParams], headers, ...(body === "" ? {} : { body }) };
}

function written({ status, headers, body }: Response, clock: Clock): string {
  return answer(body, { status: `${status} OK`, headers: { ...headers, date: clock.now().toUTCString() } });
}
