import type { Io } from "../io.ts";
import { plain } from "../view/text.ts";
import { MINUTE_MS } from "../wire/time.ts";

/** Before each note; errors begin with `bt: `. */
export const NOTE = "note: ";

/** Reports a sentence on stderr as one line, safe for a terminal. */
export async function note(io: Io, sentence: string): Promise<void> {
  await io.err(`${NOTE}${plain(sentence)}\n`);
}

/** Reports how a date was understood, once in a command, on a terminal. */
export function noteDate(io: Io, sentence: string): void {
  const before = DATES.get(io) ?? new Set();
  if (!io.terminal.stderr || before.has(sentence)) return;
  DATES.set(io, before.add(sentence));
  void note(io, sentence);
}

const DATES = new WeakMap<Io, Set<string>>();

/** Progress of long work on stderr: on a terminal a line that overwrites itself, else a note a minute. */
export function openProgress(io: Io) {
  let shownAt = io.ticks();
  let isShown = false;
  const clear = () => (isShown ? io.err(CLEAR_LINE) : undefined);
  const show = async (text: string) => {
    if (io.terminal.stderr) {
      isShown = true;
      await io.err(`${CLEAR_LINE}${plain(text)}`);
    } else if (io.ticks() - shownAt >= MINUTE_MS) {
      shownAt = io.ticks();
      await note(io, text);
    }
  };
  return { show, clear };
}

const CLEAR_LINE = "\r\u001b[K";
