import { type NameMap, readNameMap } from "../../api/migrate/name-map.ts";
import { BtError, usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import { flagsNaming } from "../../session/named-tracker.ts";
import { moveFile } from "../../session/results/move-log.ts";
import { checkResultsName } from "../../session/results/results-log.ts";
import { sourceText } from "../input-text.ts";
import type { ConnectsBy, Context, Input } from "../verb.ts";

/** The tracker of the command's own session: the target. */
export const toTarget: ConnectsBy = async ({ flags }, { io }) => flagsNaming("to", flags, io);

/** A move: the trackers, and the map of names. */
export type Moving = {
  readonly input: Input;
  readonly source: Context;
  readonly target: Context;
  readonly map: NameMap;
};

/**
 * Uses the source in addition to the target.
 * @throws BtError of kind usage if both are the same tracker
 */
export async function withMoving(input: Input, target: Context, use: (moving: Moving) => Promise<void>): Promise<void> {
  const flags = flagsNaming("from", input.flags, target.io);
  checkResultsName(flagValue(flags["results"]));
  const map = await givenMap(input, target);
  const { session, close } = await target.connect(flags);
  try {
    const [from, to] = [session.address, target.session.address];
    if (from === to && from !== "demo:") throw usage(`--from and --to are the same tracker: ${from}`);
    if (target.session.mirror) throw target.session.mirror.readOnly();
    await use({ input: { ...input, flags }, source: { ...target, session }, target, map });
  } finally {
    await close();
  }
}

/** True if the bugs go into the data of a local tracker as they are. */
export function isExact({ target }: Moving): boolean {
  return target.session.address.startsWith("local:");
}

/** The results file of a move, given or in the data folder. */
export function resultsFile({ input, source, target }: Moving): string {
  const given = flagValue(input.flags["results"]);
  return given ?? moveFile(source.session.address, target.session.address, target.io);
}

/** Hint after a move that was not completed. */
export const CONTINUE_MOVE = "run the same command again to continue; nothing is sent twice";

/** @throws BtError of kind local once a move is interrupted */
export function checkInterrupted({ target }: Moving): void {
  if (target.io.signal.aborted) throw new BtError("local", "interrupted", { hint: CONTINUE_MOVE, changed: "some" });
}

async function givenMap({ flags }: Input, context: Context): Promise<NameMap> {
  const file = flagValue(flags["map"]);
  if (file === undefined) return {};
  if (file === "") throw usage("--map is empty", "use --map FILE");
  const text = await sourceText(file, context);
  return readNameMap(text.replace(/^\ufeff/, ""), file === "-" ? "stdin" : file);
}
