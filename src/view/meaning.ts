import type { Role } from "./palette.ts";

/** The colour of a status: by name where it is a common one, else by whether it is open. */
export function statusRole(status: string | null | undefined, isOpen?: boolean | null): Role | undefined {
  const known = STATUS[status?.toUpperCase() ?? ""];
  if (known || typeof isOpen !== "boolean") return known;
  return isOpen ? "open" : "closed";
}

/** The colour of a priority or severity: what must not be overlooked stands out, what can wait steps back. */
export function urgencyRole(word: string | null | undefined): Role | undefined {
  return URGENCY.find(([pattern]) => pattern.test(word ?? ""))?.[1];
}

const STATUS: Readonly<Record<string, Role>> = {
  UNCONFIRMED: "fresh",
  NEW: "open",
  CONFIRMED: "open",
  REOPENED: "open",
  ASSIGNED: "moving",
  IN_PROGRESS: "moving",
  RESOLVED: "closed",
  VERIFIED: "closed",
  CLOSED: "closed",
};

const URGENCY: readonly (readonly [RegExp, Role])[] = [
  [/^(?:highest|urgent|immediate|blocker|critical|p1|s1)$/i, "urgent"],
  [/^(?:high|major|p2|s2)$/i, "warn"],
  [/^(?:low|lowest|minor|trivial|enhancement|p4|p5|s4|n\/a|-+)$/i, "quiet"],
];
