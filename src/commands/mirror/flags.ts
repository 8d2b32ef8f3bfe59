import type { CommandFlag } from "../../command-flag.ts";
import { TEXT_FOLDINGS } from "../../wire/mirror.ts";
import type { InputOf } from "../input.ts";

export const MIRROR_SYNC_FLAGS = [
  { name: "rate", value: "<number>", least: 1, about: "maximum number of requests per second", group: "Requests" },
] as const satisfies readonly CommandFlag[];

export const MIRROR_CREATE_FLAGS = [
  {
    name: "product",
    short: "p",
    value: "<name>",
    many: true,
    about: "only the bugs of this product (default all)",
    completes: "product",
    group: "Content",
  },
  {
    name: "attachments",
    value: "<which>",
    about: "contents of attachments to copy: none (default) or all",
    choices: ["none", "all"],
    group: "Content",
  },
  {
    name: "collation",
    value: "<name>",
    about: "what the tracker ignores in text: case, accents, or bytes as MySQL (default detected)",
    choices: TEXT_FOLDINGS,
    group: "Content",
  },
  { name: "public-only", about: "omit restricted bugs, private comments and attachments", group: "Content" },
  ...MIRROR_SYNC_FLAGS,
] as const satisfies readonly CommandFlag[];

export const MIRROR_DROP_FLAGS = [
  { name: "yes", short: "y", about: "skip the prompt", group: "Safety" },
] as const satisfies readonly CommandFlag[];

/** Input of `bt mirror create`. */
export type MirrorCreateInput = InputOf<typeof MIRROR_CREATE_FLAGS>;

/** Input of `bt mirror sync`. */
export type MirrorSyncInput = InputOf<typeof MIRROR_SYNC_FLAGS>;

/** Input of `bt mirror drop`. */
export type MirrorDropInput = InputOf<typeof MIRROR_DROP_FLAGS>;
