import { isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Context } from "../../verb.ts";

/**
 * A duration of a flag: `90s`, `30m`, `1h`, `2d`; in milliseconds. Undefined if it is not given.
 * @throws BtError of kind usage
 */
export function readDuration(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (MS[unit ?? ""] ?? 0);
  if (ms > 0) return ms;
  throw usageError(`--${flag} ${JSON.stringify(text)} is not a duration`, "use 90s, 30m, 1h or 2d");
}

const MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reports an error that passes by itself, as while a tracker cannot be reached; throws any other. */
export async function reportUnreachable(error: unknown, { io }: Context): Promise<void> {
  if (!isKind(error, "network", "busy") || io.signal.aborted) throw error;
  await note(io, `${error.message}; checking again`);
}
