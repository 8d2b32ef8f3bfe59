import type { Jq, JqResult } from "jq-wasm";
import { BtError, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { plain } from "../view/text.ts";

/** The largest document that jq is given, in characters; it needs several times as much memory. */
const MAX_INPUT = 25_000_000;

/** Standard output on its way through a jq expression. */
export type JqOutput = {
  /** Replaces `Io.out` of the command. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the document and prints what the expression makes of it. */
  readonly end: () => Promise<void>;
};

/**
 * Sends JSON through a jq expression: a whole document, or with `isByLine` each line as it comes.
 * Texts are printed raw, other results as JSON, on a terminal indented. jq sees neither the
 * environment nor files of this machine.
 * @throws BtError of kind usage with the words of jq, before anything is run, for an invalid
 * expression
 * @see https://jqlang.org/manual/
 */
export async function jqOutput(expression: string, io: Io, { isByLine }: { isByLine: boolean }): Promise<JqOutput> {
  const jq = await loadJq();
  if (isByLine && READS_INPUT.test(expression))
    throw usageError("input and inputs cannot be used with ndjson, where each line is a document", "use --json");
  checkExpression(expression, jq);
  const flags = io.terminal.stdout ? [RAW] : [RAW, "--compact-output"];
  const print = async (document: string) => {
    const { stdout, stderr } = resultOrThrow(jq.raw(io.hide(document), expression, flags));
    if (stderr !== "") await io.err(`${plain(stderr, "lines")}\n`); // of debug and stderr
    const results = stdout.replaceAll("\0", "\n");
    await io.out(io.terminal.stdout ? plain(results, "lines") : results);
  };
  let kept = "";
  return {
    write: async (text) => {
      kept += text;
      if (kept.length > MAX_INPUT) {
        kept = "";
        throw usageError(
          `--jq reads at most ${MAX_INPUT / 1e6} MB`,
          "--format ndjson runs the expression on each line",
        );
      }
      const end = kept.lastIndexOf("\n") + 1;
      if (!isByLine || end === 0) return;
      const lines = kept.slice(0, end);
      kept = kept.slice(end);
      await print(lines);
    },
    end: async () => {
      const document = kept;
      kept = "";
      if (document.trim() !== "") await print(document);
    },
  };
}

/** A call of `input` or `inputs`, which are no member, variable or text here. */
const READS_INPUT = /(?<![.\w$"])inputs?\b/;

/** Raw texts, each ended by NUL, since jq-wasm drops line breaks at the end. */
const RAW = "--raw-output0";

async function loadJq(): Promise<Jq> {
  try {
    return await (await import("jq-wasm")).loadJq();
  } catch (cause) {
    throw new BtError("local", "--jq requires the optional package jq-wasm, which is not installed", {
      cause,
      hint: "install bt again without --omit=optional, or use --json and a pipe to jq",
    });
  }
}

function checkExpression(expression: string, jq: Jq): void {
  const { exitCode, stderr } = jq.raw("", expression);
  if (exitCode === 0) return;
  throw new BtError("usage", `invalid --jq expression ${JSON.stringify(expression)}`, { details: linesOf(stderr) });
}

function linesOf(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => plain(line) || []);
}

function resultOrThrow(result: JqResult): JqResult {
  if (result.exitCode === 0) return result;
  const [first = "jq: the expression failed", ...details] = linesOf(result.stderr);
  throw new BtError("usage", first, { details, hint: "--json prints what the expression reads" });
}
