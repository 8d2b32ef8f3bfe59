import type { Request } from "./exchange.ts";

/** Whether a request only reads, so that sending it again cannot change anything. */
export function isRead({ method }: Pick<Request, "method">): boolean {
  return READING.includes(method);
}

const READING: readonly string[] = ["GET", "HEAD", "OPTIONS"];
