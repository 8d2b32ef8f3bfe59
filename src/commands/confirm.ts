import type { Io } from "../io.ts";
import type { Input } from "./verb.ts";

/** Prompt for a confirmation; undefined without a terminal. If stdin is the list of ids, the terminal is read itself. */
export function confirmationPrompt({ args }: Input, io: Io): ((question: string) => Promise<boolean>) | undefined {
  const isList = args.includes("-");
  if (!io.terminal.stderr || !(isList ? io.terminal.control : io.terminal.stdin)) return undefined;
  return async (question) => {
    const answer = await io.prompt(question, isList ? { control: true } : {});
    return /^y(es)?$/i.test(answer.trim());
  };
}
