import type { PromptLook, Question } from "./question.ts";

/** The terminal of a prompt; `interrupt` acts like Ctrl-C if the terminal itself does not. */
export type Terminal = {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
};

/** Implementation of prompts; rejects with `Interrupted` for Ctrl-C as a key. */
export type Prompter = (question: Question, look: PromptLook, terminal: Omit<Terminal, "interrupt">) => Promise<string>;

/** Rejection of a prompter for Ctrl-C as a key. */
export class Interrupted extends Error {}
