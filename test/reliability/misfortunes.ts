import { FATES, type Fate, type Faults, type Incident } from "../faults/faulty-tracker.ts";
import { answer } from "../servers/fault-server.ts";
import { KEY, keyIn, spelled } from "./planted-places.ts";

/** Fate of the reads and writes of a command that has a key; `elsewhere` is the address of a host that has no business with it. */
export type Misfortune = (elsewhere: string) => Faults;

/** Faults between a command and its tracker, and ways in which a tracker may repeat what it was told. */
export const MISFORTUNES = {
  nothing: () => ({}),
  redirected: (elsewhere) =>
    everything(({ socket, request }) => socket.write(redirect(`${elsewhere}${request.path}?${query(request)}`))),
  quoted: () => everything(({ socket, count, request }) => socket.write(quoting(count, request))),
  page: () => everything(({ socket, request }) => socket.write(page(request))),
  parroted: () => everything(parroted),
  lost: () => ({ write: FATES.resetAfter }),
  "lost for good": () => ({ write: FATES.badGatewayBefore }),
  reset: () => everything(FATES.resetBefore),
  unavailable: () => everything(FATES.unavailable),
  silent: () => everything(() => undefined),
} as const satisfies Readonly<Record<string, Misfortune>>;

function everything(fate: Fate): Faults {
  return { read: fate, write: fate };
}

function redirect(location: string): string {
  return answer("", { status: "307 Elsewhere", headers: { location } });
}

/** True if a tracker can know the key by now: before that, nobody knows what to redact. */
function hasKey(request: Incident["request"]): boolean {
  return keyIn(JSON.stringify(request));
}

function query({ query: pairs }: Incident["request"]): string {
  return String(new URLSearchParams(pairs.map(([...pair]) => pair)));
}

/** An error that repeats the key of its request in one of the ways a server may write it, after so much text that it is cut anywhere. */
function quoting(count: number, request: Incident["request"]): string {
  const message = `${"-".repeat((count * 37) % 520)}${hasKey(request) ? spelled(count) : ""}`;
  return answer(JSON.stringify({ error: true, code: 999, message }), { status: "400 No" });
}

/** A page that repeats the query, and the key if the request has one. */
function page(request: Incident["request"]): string {
  const key = hasKey(request) ? KEY : "";
  return answer(`<html><title>${query(request)} ${key}</title></html>`, { headers: { "content-type": "text/html" } });
}

/** A good answer in which every object repeats the key of its request. */
async function parroted({ apply, socket, count, request }: Incident): Promise<void> {
  const { body } = await apply();
  const heard = hasKey(request) ? { said: spelled(count) } : {};
  const said = JSON.parse(body, (_, value) => (isObject(value) ? { ...value, ...heard } : value));
  socket.write(answer(JSON.stringify(said)));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
