import type { Json, JsonObject } from "../wire/exchange.ts";
import { type CardRow, cardRows, cardTitle } from "./card.ts";
import { exactText } from "./column.ts";
import type { Role } from "./palette.ts";
import { plain } from "./text.ts";
import { timeText } from "./times.ts";
import type { View } from "./view.ts";

export type JobCard = {
  job: string;
  status: string; // one word
  state: string; // outcome of its writes
  what: string;
  started: string;
  tracker: string;
  user: string | null;
  writes: CardWrite[];
  next?: string | undefined; // the command that goes on with an open one
};

type CardWrite = {
  request: { method: string; path: string; body?: Json | undefined };
  result: string;
  time?: string;
  message?: string;
};

export function jobCard(card: JobCard, view: View): string {
  const title = cardTitle({ text: card.job }, { text: plain(card.what) }, view);
  const [only, second] = card.writes;
  const rows: CardRow[] = [
    ["Status", [{ text: statusText(card), role: ROLE_BY_STATE[card.status] }]],
    ["Started", timeText(card.started, view)],
    ["By", card.user ?? ""],
    ["Tracker", card.tracker],
    ...(only && !second ? valueRows(only.request.body) : []),
    ["Requests", card.writes.map((write) => ({ text: writeText(write) }))],
    ["Next", card.next ?? ""],
  ];
  return `${title}\n${cardRows(rows, view)}`;
}

function statusText({ status, state }: JobCard): string {
  return state.split(/[^\w-]/)[0] === status ? state : `${status} (${state})`;
}

function writeText({ request, result, message }: CardWrite): string {
  return exactText([`${request.method} ${request.path}: ${result}`, message].filter(Boolean).join(": "));
}

const ROLE_BY_STATE: Readonly<Record<string, Role>> = { unknown: "failed", unfinished: "warn" };

/** Values that the request sends, without the ids that are shown above. */
function valueRows(body: Json | undefined): CardRow[] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.entries(body as JsonObject)
    .filter(([name]) => name !== "ids")
    .map(([label, value]) => [label, exactText(value ?? null)] as const);
}
