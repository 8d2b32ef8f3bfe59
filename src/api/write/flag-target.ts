import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Flag } from "../../wire/shape.ts";
import { isObject } from "../read.ts";

/**
 * Picks, for flag changes by name, the one set flag that is meant, so that the tracker has no choice left to make. A name
 * that several set flags bear is refused with the ways to say which one.
 */
export function aimFlags(bug: Bug, flags: Json): Json {
  return Array.isArray(flags) ? flags.map((flag) => (isObject(flag) ? aim(bug, flag) : flag)) : flags;
}

function aim(bug: Bug, wish: JsonObject): JsonObject {
  if (wish["new"] || wish["id"] !== undefined) return wish;
  const set = (bug.flags ?? []).filter((flag) =>
    wish["type_id"] === undefined ? flag.name === wish["name"] : flag.type_id === wish["type_id"],
  );
  const meant = narrowed(set, wish);
  if (meant.length > 1) throw ambiguous(bug, meant);
  const [only] = meant;
  if (!only || (wish["requestee"] !== undefined && only.requestee !== wish["requestee"])) return wish;
  const { name: _name, type_id: _type, ...rest } = wish;
  return { id: only.id, ...rest };
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
