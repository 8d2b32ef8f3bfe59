import type { Jq, JqResult } from "jq-wasm";
import { keyNamed } from "../api/nearest.ts";
import { COLUMNS } from "../commands/columns.ts";
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
 * Sends JSON through a jq expression: a whole document, or with `isByLine` each line as it comes. Texts are printed raw,
 * other results as JSON, on a terminal indented. jq sees neither the environment nor files of this machine.
 * @throws BtError of kind usage with the words of jq, before anything is run, for an invalid expression
 * @see https://jqlang.org/manual/
 */
export async function jqOutput(
  expression: string,
  io: Io,
  { isByLine, ofBugs }: { isByLine: boolean; ofBugs: boolean },
): Promise<JqOutput> {
  const jq = await loadJq();
  if (isByLine && /(?<![.\w$"])inputs?\b/.test(expression)) {
    throw usageError("input and inputs cannot be used with ndjson, where each line is a document", "use --json");
  }
  if (/(?<![.\w"])(?:env(?!\s*:)|\$ENV)\b/.test(expression))
    throw usageError(
      "--jq has no environment, as variables may be secrets",
      "pipe --json to jq, or let the shell put the value in",
    );
  checkExpression(expression, jq);
  if (ofBugs) checkKeys(expression);
  const flags = io.terminal.stdout ? [RAW] : [RAW, "--compact-output"];
  const print = async (document: string) => {
    const { stdout, stderr } = resultOrError(jq.raw(io.hide(document), expression, flags));
    if (stderr !== "") await io.err(`${plain(stderr, { lines: true })}\n`); // of debug and stderr
    const results = stdout.replaceAll("\0", "\n");
    await io.out(io.terminal.stdout ? plain(results, { lines: true }) : results);
  };
  let kept = "";
  return {
    write: async (text) => {
      kept += text;
      if (kept.length > MAX_INPUT) throw tooLargeError();
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

/** Raw texts, each ended by NUL: of ends of lines, jq-wasm drops those at the end. */
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

/** Words alone are those of somebody for whom `-q` is a search. */
function checkExpression(expression: string, jq: Jq): void {
  const { exitCode, stderr } = jq.raw("", expression);
  if (exitCode === 0) return;
  const isWords = /^[\w-]+( [\w-]+)*$/.test(expression);
  const hint = isWords
    ? `-q is --jq, such as -q '.[].id'; a search takes words without a flag: bt bug search ${expression}`
    : undefined;
  throw new BtError("usage", `invalid --jq expression ${JSON.stringify(expression)}`, {
    details: linesOf(stderr),
    hint,
  });
}

/** Rejects keys that are other names of fields, for which jq gives null: `.title`. Keys that the expression makes are its own. */
function checkKeys(expression: string): void {
  for (const [, name = ""] of expression.matchAll(/(?<![\w"\\.$])\.([a-z]\w*)/gi)) {
    const key = keyNamed(name);
    const isMade = new RegExp(`[{,]\\s*"?${name}"?\\s*:`).test(expression);
    if (key === undefined || key === name || isMade || KNOWN_KEYS.has(name)) continue;
    throw usageError(`bugs in JSON have no "${name}"`, `did you mean .${key}?`);
  }
}

/** Keys of bugs, and of their comments. */
const KNOWN_KEYS = new Set<string>([...COLUMNS.bugs, ...COLUMNS.comments]);

function linesOf(stderr: string): string[] {
  return stderr.split("\n").flatMap((line) => plain(line) || []);
}

function resultOrError(result: JqResult): JqResult {
  if (result.exitCode === 0) return result;
  const [first = "jq: the expression failed", ...details] = linesOf(result.stderr);
  const hint = first.includes("Cannot index array")
    ? "the result is an array: use .[0] or .[], or --format ndjson"
    : undefined;
  throw new BtError("usage", first, { details, hint });
}

function tooLargeError(): BtError {
  return usageError(
    `--jq reads at most ${MAX_INPUT / 1e6} MB`,
    "use --format ndjson, which runs the expression on each line",
  );
}
