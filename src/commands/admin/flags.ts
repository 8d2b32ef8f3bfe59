import type { CommandFlag } from "../../command-flag.ts";
import { BASE_URL_FLAG, PROFILE_FLAG } from "../../session/flags.ts";
import type { InputOf } from "../input.ts";

/** The flags that choose the data of a tracker. */
export const DATA_FLAGS = [
  {
    name: "data",
    value: "<file>",
    about: "SQLite file, which bt serve may be using (default that of the settings, else local:)",
    completes: "file",
    group: "Data",
  },
  BASE_URL_FLAG,
  PROFILE_FLAG,
] as const satisfies readonly CommandFlag[];

export const SETUP_EXPORT_FLAGS = [
  { name: "json", about: "print JSON instead of YAML", group: "Data" },
  ...DATA_FLAGS,
] as const satisfies readonly CommandFlag[];

export const KEY_FLAGS = [
  { name: "description", short: "d", value: "<text>", about: "description of the new key", group: "Key" },
  { name: "revoke", value: "<number>", least: 1, about: "revoke the key with this number", group: "Key" },
  ...DATA_FLAGS,
] as const satisfies readonly CommandFlag[];

/** Input of every verb of `bt admin`. */
export type DataInput = InputOf<typeof DATA_FLAGS>;

/** Input of `bt admin export`. */
export type SetupExportInput = InputOf<typeof SETUP_EXPORT_FLAGS>;

/** Input of `bt admin key`. */
export type KeyInput = InputOf<typeof KEY_FLAGS>;
