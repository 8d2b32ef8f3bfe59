import type { Json, JsonObject } from "../wire/exchange.ts";
import { type CardRow, cardRows, cardTitle } from "./card.ts";
import { exactText } from "./column.ts";
import type { Role } from "./palette.ts";
import { plain } from "./text.ts";
import { timeText } from "./times.ts";
import type { View } from "./view.ts";

/** A job with its request and attempts, as printed. */
export type JobCard = {
  job: string;
  status: string;
  state: string;
  what: string;
  started: string;
  tracker: string;
  user: string | null;
  request: { method: string; path: string; body?: Json | undefined };
  done: number[];
  open: number[];
  attempts: Readonly<Record<string, Json>>[];
};

/** A job as a card: its state, the values that it sends, and the result of each request. */
export function jobCard(card: JobCard, view: View): string {
  const title = cardTitle({ text: card.job }, { text: plain(card.what) }, view);
  const rows: CardRow[] = [
    { label: "Status", facts: [{ text: statusText(card), role: ROLES[card.status] }] },
    { label: "Started", facts: [{ text: timeText(card.started, view) }] },
    { label: "By", facts: [{ text: card.user ?? "" }] },
    { label: "Tracker", facts: [{ text: card.tracker }] },
    { label: "Request", facts: [{ text: `${card.request.method} ${card.request.path}` }] },
    ...(card.done.length + card.open.length > 1 ? progressRows(card) : []),
    ...valueRows(card.request.body),
    { label: "Requests", facts: card.attempts.map((attempt) => ({ text: attemptText(attempt, view) })) },
  ];
  return `${title}\n${cardRows(rows, view)}`;
}

/** Bugs of a job of several. */
function progressRows({ done, open }: JobCard): CardRow[] {
  return [
    { label: "Done", facts: [{ text: done.join(", ") }] },
    { label: "Left", facts: [{ text: open.join(", ") }] },
  ];
}

function statusText({ status, state }: JobCard): string {
  return beginsWith(state, status) ? state : `${status} (${state})`;
}

/** True if the first word of a text is this one. */
function beginsWith(text: string, word: string): boolean {
  return text.split(/[^\w-]/)[0] === word;
}

const ROLES: Readonly<Record<string, Role>> = { unknown: "failed", interrupted: "warn" };

/** Values that the request sends, without the ids that are shown above. */
function valueRows(body: Json | undefined): CardRow[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.entries(body as JsonObject)
    .filter(([name]) => name !== "ids")
    .map(([label, value]) => ({ label, facts: [{ text: exactText(value ?? null) }] }));
}

function attemptText({ time, result, message = "" }: Readonly<Record<string, Json>>, view: View): string {
  const [word, text] = [String(result).toLowerCase(), exactText(message)];
  const entry = beginsWith(text, word) ? text : [word, text].filter(Boolean).join(": ");
  return `${timeText(String(time), view)}  ${entry}`;
}
