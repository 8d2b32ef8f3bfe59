import type { Dispatcher } from "undici";

/** A connection lent for one request; a reused one may have been closed by the server meanwhile. */
export type Lease = { readonly dispatcher: Dispatcher; readonly reused: boolean };

/** Connections to one server: idle ones wait here for the next read, all of them end with `close`. */
export type Connections = {
  readonly take: (kind: "fresh" | "any") => Promise<Lease>;
  readonly giveBack: (lease: Lease) => void;
  readonly drop: (lease: Lease) => void;
  readonly close: () => void;
};

/** Makes connections with `open`; a fresh one is not kept alive, since it serves one write and nothing else. */
export function connections(open: (keepAlive: boolean) => Promise<Dispatcher>): Connections {
  const idle: Dispatcher[] = [];
  const all = new Set<Dispatcher>();
  const end = (dispatcher: Dispatcher) => {
    all.delete(dispatcher);
    dispatcher.destroy().catch(() => undefined);
  };
  return {
    async take(kind) {
      const waiting = kind === "any" ? idle.pop() : undefined;
      const dispatcher = waiting ?? (await open(kind === "any"));
      all.add(dispatcher);
      return { dispatcher, reused: waiting !== undefined };
    },
    giveBack: ({ dispatcher }) => void idle.push(dispatcher),
    drop: ({ dispatcher }) => end(dispatcher),
    close: () => all.forEach(end),
  };
}
