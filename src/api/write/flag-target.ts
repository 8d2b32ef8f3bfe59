import { BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Flag } from "../../wire/shape.ts";
import { isObject } from "../read.ts";

/**
 * Picks, for flag changes by name, the one set flag that is meant, so that the tracker has no choice left to make. A name
 * that several set flags bear is refused with the ways to say which one.
 */
export function aimFlags(bugs: readonly Bug[], flags: readonly Json[]): Json {
  const [only, second] = bugs;
  const aimed = (wish: JsonObject) => (only && !second ? aim(only, wish) : unaimed(wish));
  return flags.map((flag) => (isObject(flag) ? aimed(flag) : flag));
}

/** A flag change for several bugs at once, or for one that is not known: the tracker picks the flags by their name. */
function unaimed(wish: JsonObject): JsonObject {
  if (!isClearing(wish)) return wish;
  throw usage("a flag asked of one person can be cleared on one bug at a time");
}

function isClearing({ status, requestee }: JsonObject): boolean {
  return status === "X" && requestee !== undefined;
}

function aim(bug: Bug, wish: JsonObject): JsonObject {
  if (wish["new"] || wish["id"] !== undefined) return wish;
  const set = (bug.flags ?? []).filter((flag) =>
    wish["type_id"] === undefined ? flag.name === wish["name"] : flag.type_id === wish["type_id"],
  );
  if (isClearing(wish)) return cleared(bug, set, wish);
  const meant = narrowed(set, wish);
  if (set.length > 1 && meant.length === 0 && wish["requestee"] !== undefined) return { ...wish, new: true };
  if (meant.length > 1) throw ambiguous(bug, meant);
  const [only] = meant;
  if (!only || (wish["requestee"] !== undefined && only.requestee !== wish["requestee"])) return wish;
  const { name: _name, type_id: _type, ...rest } = wish;
  return { id: only.id, ...rest };
}

/** The one request of a name that waits for this person; without one nothing is cleared. */
function cleared(bug: Bug, set: readonly Flag[], { name, type_id, requestee, ...rest }: JsonObject): JsonObject {
  const asked = set.filter((flag) => flag.requestee?.toLowerCase() === String(requestee).toLowerCase());
  const [only] = asked;
  if (asked.length > 1) throw ambiguous(bug, asked);
  if (only) return { id: only.id, ...rest };
  const others = set.flatMap((flag) => flag.requestee ?? []);
  throw usage(
    `bug ${bug.id} has no ${String(name ?? `flag of type ${String(type_id)}`)} asked of ${String(requestee)}`,
    others.length > 0 ? `it is asked of ${others.join(", ")}` : undefined,
  );
}

/** Of several set flags of a name, those asked of the same person, and those that wait for an answer, come first. */
function narrowed(set: readonly Flag[], wish: JsonObject): readonly Flag[] {
  if (set.length < 2) return set;
  const sameRequestee = set.filter((flag) => flag.requestee === wish["requestee"]);
  if (wish["status"] === "?") return sameRequestee;
  const waiting = set.filter((flag) => flag.status === "?");
  return waiting.length === 1 ? waiting : set;
}

function ambiguous(bug: Bug, flags: readonly Flag[]): BtError {
  const [first] = flags;
  return new BtError("usage", `bug ${bug.id} has ${flags.length} flags named ${first?.name}`, {
    details: flags.map(({ id, name, status, requestee, setter }) => {
      return `#${id}  ${name}${status}${requestee ? `(${requestee})` : ""} by ${setter}`;
    }),
    hint: `say which one by its number: --flag '#${first?.id}+'`,
    changed: "nothing",
  });
}
