import { SETTINGS, type SettingName } from "../../../config/setting.ts";
import type { Json } from "../../../wire/exchange.ts";
import type { Context } from "../../context.ts";
import { chosenColumns, showAny, wireColumns } from "../../show.ts";
import { type Input, textOf } from "../../verb.ts";
import { getSetting, listSettings, type SetSetting, setSetting, settingsPath, unsetSetting } from "./settings.ts";

/** `bt config get`. */
export async function runGet(input: Input, { io }: Context): Promise<void> {
  await io.out(`${textFor(getSetting(io, input.args[0] ?? "", profileOf(input)))}\n`);
}

/** `bt config set`. */
export async function runSet(input: Input, { io }: Context): Promise<void> {
  const [word = "", text = ""] = input.args;
  await setSetting(io, { word, text, profile: profileOf(input) });
}

/** `bt config unset`. */
export async function runUnset(input: Input, { io }: Context): Promise<void> {
  const [word = ""] = input.args;
  const wasSet = await unsetSetting(io, word, profileOf(input));
  if (!wasSet && io.terminal.stderr) await io.err(`${word} was not set\n`);
}

/** `bt config path`. */
export async function runPath(_: Input, { io }: Context): Promise<void> {
  await io.out(`${settingsPath(io)}\n`);
}

/** `bt config list`. */
export async function runList(input: Input, context: Context): Promise<void> {
  const set = listSettings(context.io, profileOf(input));
  const rows = input.flags["all"] ? [...set, ...unsetOnes(set)] : set;
  const names = input.flags["all"] ? WITH_MEANING : PLAIN;
  const described = rows.map((row): Row => ({ ...row, about: SETTINGS[row.name as SettingName].about }));
  const list = { columns: chosenColumns(wireColumns<Row>(names), context), pages: [described] };
  await showAny(context, list, "nothing is set; bt config list --all shows what can be");
}

type Row = SetSetting & { readonly about: string };

const PLAIN: readonly (keyof Row)[] = ["name", "value", "profile"];
const WITH_MEANING: readonly (keyof Row)[] = [...PLAIN, "about"];

function unsetOnes(set: readonly SetSetting[]): readonly SetSetting[] {
  const names = Object.keys(SETTINGS).filter((name) => !set.some((row) => row.name === name));
  return names.map((name) => ({ name, value: null, profile: null }));
}

function profileOf(input: Input): string | undefined {
  return textOf(input.flags["profile"]);
}

function textFor(value: Json): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
