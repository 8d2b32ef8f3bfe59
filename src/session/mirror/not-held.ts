import { BtError } from "../../errors.ts";
import type { MirrorCoverage } from "../../tracker/mirror/question.ts";

/** Noun of an object that requests name by id. */
export type ObjectNoun = "bug" | "comment" | "attachment";

/** An object that a mirror does not answer for: its id, or the alias of a bug. */
export type AbsentObject = { readonly noun: ObjectNoun; readonly name: string; readonly bugzillaCode?: number };

/** A mirror as errors about its objects name it. */
export type LackingMirror = {
  readonly name: string;
  readonly tracker: string; // address of the mirrored tracker
  readonly without: string; // "without --offline": how the same command reaches the tracker
  readonly coverage: Pick<MirrorCoverage, "kept">;
  readonly lacks: string; // "product = Lantern": the part of the tracker that it has; "" for all that its login saw
};

/**
 * Error for an object that is not in a mirror: of kind missing if the tracker did not show it to the login of the mirror,
 * of kind usage if only the tracker knows.
 */
export function notHeld(object: AbsentObject, mirror: LackingMirror): BtError {
  const kept = object.noun === "bug" ? mirror.coverage.kept(object.name) : undefined;
  const isUnreadable = kept?.state === "stub" && kept.reason !== null;
  if (isUnreadable || (kept === undefined && mirror.lacks === "")) return missing(object, mirror);
  const { message, details } = sentence(object, mirror, kept);
  return new BtError("usage", message, { ...factsOf(mirror), details });
}

function factsOf({ without }: LackingMirror) {
  return { hint: `run the command ${without}`, changed: "nothing", beyondMirror: "object" } as const;
}

function missing(object: AbsentObject, mirror: LackingMirror): BtError {
  const { bugzillaCode = NO_SUCH_BUG } = object;
  const message = `${objectText(object)} is not in the mirror ${mirror.name} of ${mirror.tracker}`;
  return new BtError("missing", message, { ...factsOf(mirror), bugzillaCode });
}

const NO_SUCH_BUG = 101;

function sentence(object: AbsentObject, { name, tracker, lacks }: LackingMirror, kept: Kept) {
  const text = objectText(object);
  if (kept?.state === "failed")
    return { message: `${text} could not be read by the syncs of the mirror ${name}`, details: [kept.reason ?? ""] };
  const details = [`mirror: ${lacks}`];
  if (kept === undefined)
    return { message: `${text} is not in the mirror ${name}, which has only a part of ${tracker}`, details };
  return { message: `${text} is in the mirror ${name} without its comments, history and attachments`, details };
}

type Kept = ReturnType<LackingMirror["coverage"]["kept"]>;

function objectText({ noun, name }: AbsentObject): string {
  if (noun !== "bug") return `${noun} ${name}`;
  return /^\d+$/.test(name) ? `bug #${name}` : `'${name}'`;
}
