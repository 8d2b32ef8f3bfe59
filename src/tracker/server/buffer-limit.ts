import type { IncomingMessage } from "node:http";

/** Bytes held in memory by request bodies being received and responses being sent, per request. */
export type BufferLimit = {
  add: (request: IncomingMessage, bytes: number) => void;
  release: (request: IncomingMessage) => void;
};

/** A limit on the memory that slow clients can hold: above `maxBytes` in total, the oldest connections are closed. */
export function limitBufferedBytes(maxBytes: number): BufferLimit {
  const bufferedBytes = new Map<IncomingMessage, number>();
  const release = (request: IncomingMessage) => void bufferedBytes.delete(request);
  return {
    release,
    add: (request, bytes) => {
      bufferedBytes.set(request, (bufferedBytes.get(request) ?? 0) + bytes);
      let excess = [...bufferedBytes.values()].reduce((sum, each) => sum + each, 0) - maxBytes;
      for (const [oldest, size] of bufferedBytes) {
        if (excess <= 0 || oldest === request) return;
        excess -= size;
        release(oldest);
        oldest.socket.destroy();
      }
    },
  };
}
