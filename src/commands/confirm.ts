import type { Io } from "../io.ts";
import type { Input } from "./verb.ts";

/** Prompt for a confirmation; undefined without a terminal. If stdin is the list of ids, the terminal is read itself. */
export function confirmationPrompt({ args }: Input, io: Io): ((message: string) => Promise<boolean>) | undefined {
  const control = args.includes("-");
  if (!io.terminal.stderr || !(control ? io.terminal.control : io.terminal.stdin)) return undefined;
  return async (message) => (await io.prompt({ kind: "confirm", message, control })) === "yes";
}
