import type { IncomingMessage } from "node:http";

/** What requests that are still coming and replies that are still going hold in memory. */
export type BufferLimit = {
  readonly add: (request: IncomingMessage, bytes: number) => void;
  readonly release: (request: IncomingMessage) => void;
};

/**
 * Bounds the memory that slow clients can hold: when it is more than `most` bytes, the connection that has held some for
 * the longest is given up.
 */
export function limitBufferedBytes(most: number): BufferLimit {
  const held = new Map<IncomingMessage, number>();
  const release = (request: IncomingMessage) => void held.delete(request);
  return {
    release,
    add: (request, bytes) => {
      held.set(request, (held.get(request) ?? 0) + bytes);
      let left = [...held.values()].reduce((sum, each) => sum + each, 0) - most;
      for (const [oldest, size] of held) {
        if (left <= 0 || oldest === request) return;
        left -= size;
        release(oldest);
        oldest.socket.destroy();
      }
    },
  };
}
