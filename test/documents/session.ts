import { main } from "../../src/main.ts";
import { ioFor, words } from "../bt.ts";
import { shell } from "../process/real.ts";

/** State that a session goes on from: its home, what was exported before, and how many lines there were. */
export type Before = {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lines: number;
  readonly color?: boolean;
};

/** Width of the terminal. */
export const COLUMNS = 100;

/** A session as the terminal shows it, and what is exported after it. */
export type Told = { readonly text: string; readonly env: Before["env"] };

/**
 * Types lines that begin with `$ ` and gives them back with what they said. The clock stands at noon of one day and goes on
 * by a minute a line; lines with a pipe are run by a real shell.
 */
export async function session(lines: readonly string[], before: Before): Promise<Told> {
  let { env } = before;
  const told: string[] = [];
  for (const [at, line] of lines.entries()) {
    const [, name, value] = /^\$ export (\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) env = { ...env, [name]: value ?? "" };
    const said = name === undefined ? await typed(line.slice(2), { ...before, env, lines: before.lines + at }) : "";
    told.push(`${line}\n${said}`);
  }
  return { text: told.join(""), env };
}

async function typed(line: string, { home, env, lines, color = false }: Before): Promise<string> {
  const folders = {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
  };
  if (line.includes(" | ")) return (await shell(line, { env: { ...folders, ...env } })).out;
  const now = new Date(Date.parse("2026-11-20T12:00:00Z") + lines * 60_000).toISOString();
  const around = { env: { ...folders, ...env }, now, terminal: true, columns: COLUMNS, rows: 200, color };
  const screen = oneScreen();
  await main(words(line).slice(1), ioFor(around, screen));
  return screen.text.replace(/^ +$/gm, "").replaceAll(home, "/home/ada");
}

/** Both streams of a process as they come together on a terminal. */
function oneScreen() {
  const screen = {
    text: "",
    get out() {
      return "";
    },
    set out(text: string) {
      screen.text += text;
    },
    get err() {
      return "";
    },
    set err(text: string) {
      screen.text += text;
    },
  };
  return screen;
}
