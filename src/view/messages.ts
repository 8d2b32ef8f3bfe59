import { palette } from "./palette.ts";
import { countText, escapeJson, plain } from "./text.ts";
import type { View } from "./view.ts";

/** An error under the names printed as JSON. */
export type ErrorRecord = {
  readonly kind: string;
  readonly exit_code: number;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: readonly string[] | undefined; // such as one line per failed item
  readonly request?: string | undefined; // the redacted request
  readonly changed?: "nothing" | "unknown" | "some" | undefined;
  readonly bugzilla_code?: number | undefined;
  readonly http_status?: number | undefined;
};

/** An error for the terminal: message, details, and the hint last. */
export function errorText(error: ErrorRecord, view: Pick<View, "color">): string {
  const { failed, quiet } = palette(view);
  const [message, ...more] = plainLines(error.message);
  const facts = [requestLines(error), error.changed && CHANGED[error.changed]].flatMap(plainLines);
  return [
    `${failed("bt:")} ${message ?? ""}`,
    ...[...more, ...(error.details ?? []).flatMap(plainLines)].map(indented),
    ...facts.map((fact) => quiet(indented(fact))),
    ...hintLines(error.hint, view),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

export function errorJson(error: ErrorRecord): string {
  return `${escapeJson(JSON.stringify({ error }))}\n`;
}

const CHANGED = {
  nothing: "no changes made",
  unknown: "unknown whether changes were made",
  some: "some changes were made",
} as const;

/** The request and its status; undefined for an error of Bugzilla, whose message says enough. */
function requestLines({ request, http_status, bugzilla_code }: ErrorRecord): string | undefined {
  if (bugzilla_code !== undefined) return undefined;
  const response = http_status && `HTTP ${http_status}`;
  return [request && `request: ${request}`, response && `response: ${response}`].filter(Boolean).join("\n");
}

function hintLines(hint: string | undefined, view: Pick<View, "color">): string[] {
  const [first, ...more] = plainLines(hint);
  return first === undefined ? [] : [`${palette(view).hint("hint:")} ${first}`, ...more.map((line) => `      ${line}`)];
}

function plainLines(text: string | undefined): string[] {
  return text ? plain(text.trimEnd(), "lines").split("\n") : [];
}

function indented(line: string): string {
  return `    ${line}`;
}

export function matchText(count: number): string {
  return `${countText(count, "bug")} ${count === 1 ? "matches" : "match"}`;
}
