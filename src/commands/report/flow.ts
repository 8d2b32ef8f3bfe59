import { type IsoWeek, lastWeeks } from "../../api/iso-week.ts";
import { wireMoment } from "../../api/query/dates.ts";
import { receivedMs } from "../../api/response/response-objects.ts";
import { flagValue, wholeNumber } from "../../session/flags.ts";
import {
  AGE_COLUMNS,
  FLOW_COLUMNS,
  type Flow,
  type FlowAge,
  type FlowWeek,
  flowRecord,
  flowText,
} from "../../view/flow-report.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { HistoryEntry } from "../../wire/resources.ts";
import { historiesOf } from "../bug/thread.ts";
import { chosenColumns, isForCards, jsonText, outputFormat, showList, showText } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { reportedBugs } from "./reported-bugs.ts";

/** `bt report flow`: bugs opened and closed each week, and the ages of open ones. */
export async function reportFlow(input: Input, context: Context): Promise<void> {
  const { flags } = input;
  const count = wholeNumber("weeks", flagValue(flags["weeks"]) ?? DEFAULT_WEEKS, 1);
  const ages = flags["ages"] ? chosenColumns(AGE_COLUMNS, context) : undefined;
  const columns = flags["ages"] ? FLOW_COLUMNS : chosenColumns(FLOW_COLUMNS, context);
  const flow = await readFlow(input, count, context);
  if (outputFormat(context) === "json" && !context.output.fields)
    return showText(context, jsonText(flowRecord(flow), context));
  if (ages) await showList(context, { columns: ages, pages: [flow.ages] });
  else if (isForCards(context)) await showText(context, flowText(flow, context.output.view));
  else await showList(context, { columns, pages: [flow.weeks] });
}

const DEFAULT_WEEKS = "12";

/** The flow of the last weeks. Histories are read for the bugs that changed in them, page by page. */
async function readFlow(input: Input, count: number, context: Context): Promise<Flow> {
  const now = context.io.now().getTime();
  const weeks = lastWeeks(context.output.view.timeZone, now, count);
  const start = weeks[0]?.from ?? now;
  const events: FlowEvent[] = [];
  const created: number[] = []; // creation times of open bugs
  const fields = ["is_open", "creation_time", "last_change_time", "resolution"];
  for await (const page of reportedBugs(input, fields, context)) {
    created.push(...page.filter(({ is_open }) => is_open).map(({ creation_time }) => receivedMs(creation_time)));
    const changed = page.filter((bug) => receivedMs(bug.last_change_time) >= start);
    const histories = await historiesOf(changed, wireMoment(start - 1000), context); // the time itself is left out
    const all = changed.flatMap((bug) => eventsOf(bug, histories.get(bug.id ?? 0) ?? []));
    events.push(...all.filter(({ moment }) => moment >= start));
  }
  const ages = created.map((moment) => Math.max(0, now - moment) / DAY).sort((one, other) => one - other);
  return { weeks: flowOf(weeks, events, ages.length), ages: groupsOf(ages), ...summaryOf(ages) };
}

/** Events by week, with the number of open bugs at the end of each, counted back from the present one. */
function flowOf(
  weeks: readonly (IsoWeek & { readonly from: number })[],
  events: readonly FlowEvent[],
  openNow: number,
): readonly FlowWeek[] {
  const counts = weeks.map(({ week, start }) => ({ week, start, ...NOTHING }));
  for (const { kind, moment } of events) {
    const at = weeks.findLastIndex(({ from }) => from <= moment);
    const count = counts[at];
    if (count) count[kind] += 1;
  }
  let open = openNow;
  for (const count of counts.toReversed()) {
    count.open = open;
    open -= count.opened + count.reopened - count.closed;
  }
  return counts;
}

const NOTHING = { opened: 0, reopened: 0, closed: 0, open: 0 };
const DAY = 24 * 60 * 60 * 1000;

type FlowEvent = { readonly kind: "opened" | "reopened" | "closed"; readonly moment: number };

/**
 * Times at which a bug was opened, closed and reopened, by its recorded changes; a bug filed as closed is closed at
 * once.
 */
function eventsOf(bug: Bug, history: readonly HistoryEntry[]): readonly FlowEvent[] {
  const created = receivedMs(bug.creation_time);
  const changes = history.flatMap(({ when, changes: all }) =>
    all
      .filter(({ field_name }) => field_name === "resolution")
      .map((change) => ({ ...change, moment: receivedMs(when) })),
  );
  const first = changes[0] ? changes[0].removed : (bug.resolution ?? "");
  return [
    { kind: "opened", moment: created },
    ...(first === "" ? [] : [{ kind: "closed", moment: created } as const]),
    ...changes.flatMap(({ removed, added, moment }): readonly FlowEvent[] => {
      if ((removed === "") === (added === "")) return [];
      return [{ kind: added === "" ? "reopened" : "closed", moment }];
    }),
  ];
}

const AGES = [0, 7, 30, 90, 365];

function groupsOf(ages: readonly number[]): readonly FlowAge[] {
  return AGES.map((from_days, at) => {
    const to_days = AGES[at + 1] ?? null;
    const isInside = (age: number) => age >= from_days && (to_days === null || age < to_days);
    return { from_days, to_days, open: ages.filter(isInside).length };
  });
}

function summaryOf(ages: readonly number[]): Pick<Flow, "open" | "median_age_days"> {
  const median = ages[ages.length >> 1];
  return { open: ages.length, median_age_days: median === undefined ? null : Math.floor(median) };
}
