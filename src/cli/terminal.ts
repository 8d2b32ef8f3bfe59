import { columnsFromEnv, type Io } from "../io.ts";
import type { PromptLook } from "../prompt/question.ts";
import { type PagedOutput, pagedOutput } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { SessionFlags } from "../session/session-flags.ts";
import type { Theme, View } from "../view/view.ts";

type Env = Io["env"];

/**
 * True if text is coloured: by `when` (auto, always or never), else by the variables, else on a terminal.
 * @see https://no-color.org and https://bixense.com/clicolors
 */
export function wantsColor(when: string, terminal: boolean, env: Env): boolean {
  if (when !== "auto") return when === "always";
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  if (isOn(env["FORCE_COLOR"]) || isOn(env["CLICOLOR_FORCE"])) return true;
  return terminal && env["CLICOLOR"] !== "0";
}

/** Value of --color; read from the raw arguments, which may be invalid. */
export function colorFlag(argv: readonly string[]): string | undefined {
  const words = argv.flatMap((word) => (word.startsWith("--color=") ? word.split("=") : [word]));
  return words.includes("--color") ? (words[words.lastIndexOf("--color") + 1] ?? "auto") : undefined;
}

/** True on a terminal that may show ASCII only, or that cannot redraw: no UTF-8 locale, or TERM=dumb. */
export function isAsciiOnly({ env, platform }: Pick<Io, "env" | "platform">): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || platform.locale;
  return env["TERM"] === "dumb" || !/utf-?8/.test(locale.toLowerCase());
}

/** False where links of the terminal are not shown as such: on a console, and in a pipe that counts as a terminal. */
function hasLinks(env: Env): boolean {
  return env["TERM"] !== "linux" && !isOn(env["BT_FORCE_TTY"]);
}

/** Locale of dates: `de-DE` for `de_DE.UTF-8`. */
export function dateLocale(env: Env): string {
  const [name = ""] = (env["LC_ALL"] || env["LC_TIME"] || env["LANG"] || "").split(/[.@]/);
  const tag = name.replaceAll("_", "-");
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? ENGLISH;
  } catch {
    return ENGLISH; // "C" and others that are not languages
  }
}

const ENGLISH = "en";

/** The process with stdout as a terminal if `BT_FORCE_TTY` is set: to its width in columns, or to any value but 0. */
export function withForcedTerminal(io: Io): Io {
  const forced = io.env["BT_FORCE_TTY"];
  if (!isOn(forced)) return io;
  const columns = columnsFromEnv({ COLUMNS: forced });
  const { stdin, stdout, stderr, control } = io.terminal;
  return {
    ...io,
    env: stdout ? io.env : { ...io.env, BT_PAGER: "" }, // a pager needs a real terminal
    terminal: { stdin, stdout: true, stderr, control },
    size: () => ({ ...io.size(), ...(columns === undefined ? {} : { columns }) }),
  };
}

/** Colours, signs and dates of an output. */
export function lookOf(
  { color }: SessionFlags,
  io: Io,
  settings: Session["settings"],
): Pick<View, "color" | "theme" | "isAscii" | "isLinked" | "locale"> {
  const { env, terminal } = io;
  const hasColor = wantsColor(color ?? settings.color ?? "auto", terminal.stdout, env);
  return {
    color: hasColor,
    isLinked: hasColor && terminal.stdout && hasLinks(env),
    theme: settings.theme as Theme | undefined,
    isAscii: isAsciiOnly(io),
    locale: settings.date_format === "local" ? dateLocale(env) : undefined,
  };
}

/** Output of a command; through a pager if it is longer than the screen. */
export function outputVia(pager: string | undefined, io: Io): PagedOutput {
  return pager ? pagedOutput(io, pager) : { write: io.out, end: async () => undefined, cut: async () => true };
}

/** The process with messages that are filled to the width of the terminal; each is a number of whole lines. */
export function withFilledMessages(io: Io): Io {
  if (!io.terminal.stderr) return io;
  let before = Promise.resolve();
  const write = async (text: string) => {
    const { columns } = io.size();
    const isWide = text.split("\n").some((line) => line.length > columns);
    await io.err(isWide ? (await import("../view/fill.ts")).filled(text, columns) : text);
  };
  const err = (text: string) => {
    const written = before.then(() => write(text));
    before = written.catch(() => undefined); // the next message does not overtake this one
    return written;
  };
  return { ...io, err };
}

/** The process with the look of its prompts; `color` as in `wantsColor`. */
export function withPromptLook(io: Io, color: string): Io {
  const isPlain = io.env["TERM"] === "dumb" || isOn(io.env["ACCESSIBLE"]);
  const look = async (): Promise<PromptLook> => {
    const { palette } = await import("../view/palette.ts");
    const paint = palette({ color: wantsColor(color, io.terminal.stderr, io.env) });
    return { isPlain, isAscii: isAsciiOnly(io), paint };
  };
  return { ...io, prompt: async (question) => io.prompt(question, await look()) };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0";
}
