import { closeSync, mkdtempSync, openSync, readSync, rmdirSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BtError } from "./errors.ts";
import { fileReason } from "./file-reason.ts";
import type { Io } from "./io.ts";
import type { Sheet } from "./pager.ts";

/**
 * A sheet that hands on nothing before all of it is there, for text of which a part is worth nothing. It is kept in memory up
 * to `most` bytes, then in a file that only its owner may read and that has no name any more, so that nothing stays behind
 * however the process ends. What the disk does not take is a local error, and nothing is handed on.
 */
export function spooled(target: Sheet, io: Pick<Io, "hide">, most = 16 * 1024 * 1024): Sheet {
  let kept: Buffer[] = [];
  let size = 0;
  let file: number | undefined;
  const lengths: number[] = []; // of the parts in the file, which are handed on as they came
  const store = () => {
    file ??= openUnnamed();
    for (const part of kept) writeWhole(file, part);
    lengths.push(...kept.map((part) => part.length));
    kept = [];
    size = 0;
  };
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    write: async (text) => {
      const part = Buffer.from(io.hide(text)); // a file must hold no secrets either
      kept.push(part);
      size += part.length;
      if (file !== undefined || size > most) onDisk(store);
    },
    end: async () => {
      try {
        if (file !== undefined) for (const part of partsOf(file, lengths)) await target.write(part.toString());
        for (const part of kept) await target.write(part.toString());
      } finally {
        close();
      }
      await target.end();
    },
    cut: async () => {
      close();
      return false;
    },
  };
}

/** A new file in a folder of its own, both without a name from the start. */
function openUnnamed(): number {
  const folder = mkdtempSync(join(tmpdir(), "bt-"));
  const name = join(folder, "spool");
  try {
    const file = openSync(name, "wx+", 0o600);
    unlinkSync(name);
    return file;
  } finally {
    rmdirSync(folder);
  }
}

function writeWhole(file: number, part: Buffer): void {
  for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
}

function* partsOf(file: number, lengths: readonly number[]): Generator<Buffer> {
  let position = 0;
  for (const length of lengths) {
    const part = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; )
      done += onDisk(() => readSync(file, part, done, length - done, position + done));
    position += length;
    yield part;
  }
}

function onDisk<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw new BtError("local", `the output could not be kept in ${tmpdir()}: ${fileReason(cause)}`, {
      cause,
      hint: "TMPDIR names another folder; --format ndjson is written as it comes",
    });
  }
}
