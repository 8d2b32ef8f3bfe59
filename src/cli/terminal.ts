import { columnsFromEnv, type Io } from "../io.ts";
import { type PagedOutput, pagedOutput } from "../session/pager.ts";
import { viewSigns } from "../view/view.ts";
import { cut } from "../view/wrap.ts";

type Env = Io["env"];

/**
 * True if text is coloured: by `when` (auto, always or never), else by the variables, else on a
 * terminal.
 * @see https://no-color.org and https://force-color.org
 */
export function wantsColor(when: string, terminal: boolean, env: Env): boolean {
  if (when !== "auto") return when === "always";
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  return terminal || isSwitchedOn(env["FORCE_COLOR"]);
}

/** Value of --color; read from the raw arguments, which may be invalid. */
export function colorFlag(argv: readonly string[]): string | undefined {
  const words = argv.flatMap((word) => (word.startsWith("--color=") ? word.split("=") : [word]));
  return words.includes("--color") ? (words[words.lastIndexOf("--color") + 1] ?? "auto") : undefined;
}

/** True on a terminal that may show ASCII only: no UTF-8 locale, or TERM=dumb. */
export function isAsciiOnly({ env }: Pick<Io, "env">): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return env["TERM"] === "dumb" || !/utf-?8/.test(locale.toLowerCase());
}

/** Views that only a terminal needs, loaded on use. */
export const TERMINAL_VIEWS = {
  palette: async () => (await import("../view/palette.ts")).palette,
};

/**
 * The process with the look of its prompts, and with stdout as a terminal if `BT_FORCE_TTY` is set:
 * to its width in columns, or to any value but 0.
 */
export function terminalIo(io: Io, argv: readonly string[]): Io {
  const { env, size } = io;
  const prompt: Io["prompt"] = async (question) => {
    const palette = await TERMINAL_VIEWS.palette();
    const color = wantsColor(colorFlag(argv) ?? "auto", io.terminal.stderr, env);
    const isPlain = env["TERM"] === "dumb";
    const isAscii = isAsciiOnly(io);
    const { ellipsis } = viewSigns({ isAscii });
    const shorten = (text: string, width: number) => cut(text, width, ellipsis);
    return io.prompt(question, { isPlain, isAscii, cut: shorten, paint: palette({ color }) });
  };
  const forced = env["BT_FORCE_TTY"];
  if (!isSwitchedOn(forced)) return { ...io, prompt };
  const columns = columnsFromEnv({ COLUMNS: forced });
  const { stdin, stdout, stderr, control } = io.terminal;
  return {
    ...io,
    prompt,
    env: stdout ? env : { ...env, BT_PAGER: "" }, // a pager needs a real terminal
    terminal: { stdin, stdout: true, stderr, control },
    size: () => ({ ...size(), ...(columns === undefined ? {} : { columns }) }),
  };
}

/** Output of a command; through a pager if it is longer than the screen. */
export function outputVia(pager: string | undefined, io: Io): PagedOutput {
  return pager ? pagedOutput(io, pager) : { write: io.out, end: async () => undefined, cut: async () => true };
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0";
}
