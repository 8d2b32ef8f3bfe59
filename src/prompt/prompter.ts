import type { PromptLook, Question } from "./question.ts";

/** The terminal of a prompt. */
export type Terminal = {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  jobControl?: JobControl | undefined; // absent where no shell continues a process
};

/** Stops the process as Ctrl-Z does; calls back once it is continued. */
type JobControl = { stop: () => void; onResume: (callback: () => void) => void };

/** Implementation of prompts; rejects with `Interrupted` for Ctrl-C as a key. */
export type Prompter = (question: Question, look: PromptLook, terminal: Terminal) => Promise<string>;

/** Rejection of a prompter for Ctrl-C as a key. */
export class Interrupted extends Error {}
