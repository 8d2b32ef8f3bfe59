import type { ParsedInput } from "../commands/input.ts";
import { unknownColumnError } from "../commands/shared/flags.ts";
import { columnNames, type Output, type Verb } from "../commands/verb.ts";
import { usageError } from "../errors.ts";
import { columnsFromEnv, type Io } from "../io.ts";
import type { Redactor } from "../secret.ts";
import { printedZone } from "../session/flags.ts";
import { pagedOutput, pagerCommand } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { Format } from "../view/view.ts";
import { cut } from "../view/wrap.ts";

/** Output as the flags of a command want it, else the settings, else as it suits a terminal or a pipe. */
export function chooseOutput(input: ParsedInput, io: Io, session: Session | undefined): Output {
  const { fields = [] } = input;
  const settings = session?.settings ?? {};
  const { env, terminal } = io;
  const chosen = chosenFormat(input, terminal.stdout ? settings.format : undefined);
  const format = chosen ?? (terminal.stdout ? "table" : "tsv");
  const names = fields.length === 0 ? undefined : fields.flatMap(splitFieldNames);
  const hasPager = terminal.stdout && !input.noPager && input.jq === undefined;
  return {
    format,
    isChosen: chosen !== undefined || names !== undefined,
    fields: names,
    view: {
      terminal: format === "table" || terminal.stdout,
      color: wantsColor(input.color ?? settings.color ?? "", terminal.stdout, env),
      isAscii: isAsciiOnly(io),
      width: terminal.stdout ? io.size().columns : widthInPipe(format, env),
      get web() {
        return session?.webAddress();
      },
      isRaw: input.raw === true,
      serverZone: settings.server_zone,
      get now() {
        return io.now();
      },
      get timeZone() {
        return printedZone(io, settings);
      },
    },
    open: () => {
      const pager = hasPager ? pagerCommand(io, settings.pager) : undefined;
      return pager ? pagedOutput(io, pager) : { write: io.out, end: async () => undefined };
    },
  };
}

/** Columns of a table in a pipe, by `COLUMNS`; other output is not cut. */
function widthInPipe(format: Format, env: Env): number {
  return (format === "table" ? columnsFromEnv(env) : undefined) ?? Infinity;
}

/**
 * The given format, or the format of the settings (`usual`); `--json` and `--jq` are JSON.
 * @throws BtError of kind usage for flags that contradict each other
 */
function chosenFormat({ format, json, jq, fields = [] }: ParsedInput, usual?: string): Format | undefined {
  if (format === "ids" && fields.length > 0)
    throw usageError("--format ids and --fields cannot be used together", "--format tsv prints the fields");
  if (format === "ndjson" && jq !== undefined && !json) return format;
  if (json || jq !== undefined) {
    if (format === undefined || format === "json") return "json";
    throw usageError(`--${json ? "json" : "jq"} and --format ${format} cannot be used together`);
  }
  return format ?? (usual as Format | undefined);
}

function splitFieldNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes(""))
    throw usageError(
      "empty name in --fields",
      "for example: --fields id,summary; _default, _custom and _all are groups of fields",
    );
  return names;
}

/**
 * Checks the columns that a write prints before anything is sent; the columns of a read are checked
 * when it prints.
 * @throws BtError of kind usage for an unknown column
 */
export async function checkColumnsOfWrite({ output }: Verb, fields: readonly string[]): Promise<void> {
  if (output === undefined) return;
  const known = await columnNames(output);
  const unknown = fields.find((name) => !known.includes(name));
  if (unknown === undefined || known.length === 0) return;
  throw unknownColumnError(unknown, known);
}

type Env = Io["env"];

/**
 * True if text is coloured: by `when` (auto, always or never), else by the variables, else on a
 * terminal.
 * @see https://no-color.org and https://force-color.org
 */
export function wantsColor(when: string, terminal: boolean, env: Env): boolean {
  if (when && when !== "auto") return when === "always";
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  return terminal || !["", "0", undefined].includes(env["FORCE_COLOR"]);
}

/** Last value of a flag, read from the raw arguments, which may be invalid; "" if absent. */
export function rawValue(argv: readonly string[], flag: string): string {
  const words = argv.flatMap((word) => (word.startsWith(`${flag}=`) ? word.split("=") : [word]));
  return words.includes(flag) ? (words[words.lastIndexOf(flag) + 1] ?? "") : "";
}

/** True on a terminal that may show ASCII only: no UTF-8 locale, or TERM=dumb. */
export function isAsciiOnly({ env }: Pick<Io, "env">): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return env["TERM"] === "dumb" || !/utf-?8/.test(locale.toLowerCase());
}

/**
 * The process around a command, with prompts in the look of the terminal: stderr loses everything that looks like a secret,
 * stdout only known secrets.
 */
export function commandIo(io: Io, secrets: Redactor, argv: readonly string[]): Io {
  return {
    ...io,
    out: (text) => io.out(secrets.hide(text)),
    hide: secrets.hide,
    err: (text) => io.err(secrets.redact(text)),
    prompt: async (question) => {
      const { palette } = await import("../view/palette.ts"); // which only a terminal needs
      const color = wantsColor(rawValue(argv, "--color"), io.terminal.stderr, io.env);
      const isAscii = isAsciiOnly(io);
      return io.prompt(question, {
        isPlain: io.env["TERM"] === "dumb",
        isAscii,
        cut: (text, columns) => cut(text, columns, { isAscii }),
        paint: palette({ color }),
      });
    },
  };
}
