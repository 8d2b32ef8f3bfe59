import type { Json } from "../../wire/exchange.ts";
import type { Write } from "./outcome.ts";
import type { OpenJob } from "./send-all.ts";

/** A command that writes, with what it is going to write; `key` is what the command finds it by again, such as a checksum. */
export type Plan = JobFacts & {
  readonly command: string;
  readonly writes: readonly Write[];
  readonly key?: string | undefined;
};

/** What a later command has to know of a job. */
export type JobFacts = {
  readonly exposes?: true; // the user agreed that bugs may lose their last group
  readonly guarded?: true; // a bug that was modified since it was read stays as it is
  readonly edits?: readonly string[] | undefined; // fields of which items were edited, sent as a whole
};

/** The way of all writes to a tracker: each command that writes is a job, whose lines are on disk before the first request. */
export type Journal = {
  readonly begin: <Result>(plan: Plan, use: (job: OpenJob) => Promise<Result>) => Promise<Result>;
  /**
   * Sends one write as a job of its own; returns its response.
   * @throws BtError of a write that is not known to be applied
   */
  readonly deliver: (command: string, write: Write) => Promise<Json>;
  /** The writes that `deliver` has applied. */
  readonly delivered: readonly DeliveredWrite[];
  /** Stores a write that is not sent; returns the name of the job. */
  readonly draft: (command: string, write: Write) => Promise<string>;
};

export type DeliveredWrite = Write & { readonly response: Json };
