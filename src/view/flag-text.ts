import type { Flag } from "../wire/shape.ts";

/** A flag as it is typed and as the tracker's own histories write it: "review?(bob@example.org)". */
export function flagText({ name, status, requestee }: Flag): string {
  return `${name}${status}${requestee ? `(${requestee})` : ""}`;
}
