import { FIELD_TYPE } from "../../fields/custom.ts";
import type { Asking, CustomField } from "../asking.ts";
import { type Sql, sql } from "../sql.ts";
import { list, own, type Source } from "./source.ts";

/** Fields whose values are worked out when they are asked for, under their chart names. */
export const COMPUTED: Readonly<Record<string, (asking: Asking) => Source>> = {
  work_time: () => ({ ...own(sql`${WORKED}`, "number"), restricted: "time trackers" }),
  percentage_complete: () => ({
    ...own(sql`CAST(coalesce(100.0 * ${WORKED} / nullif(${WORKED} + bug.remaining_time, 0), 0) AS INTEGER)`, "number"),
    restricted: "time trackers",
  }),
  days_elapsed: ({ now }) =>
    own(sql`CAST(julianday(date(${now})) - julianday(date(bug.last_change_time)) AS INTEGER)`, "number"),
  last_visit_ts: () =>
    list(sql`(SELECT bug_id, time FROM last_visits JOIN viewer USING (user_id))`, sql`item.time`, { kind: "moment" }),
  "attach_data.thedata": () => ({
    ...list(sql`visible_attachments`, sql`item.data`, { key: sql`item.id` }),
    reads: (data) => Buffer.from(data, "base64").toString("utf8"),
  }),
};

/** Where the values of a custom field are. */
export function customSource({ id, type }: CustomField): Source {
  const value = sql`(SELECT value FROM custom_values WHERE field_id = ${id} AND bug_id = bug.id)`;
  return (CUSTOM[type] ?? CUSTOM_TEXT)(value, id);
}

const WORKED = sql`(SELECT round(coalesce(sum(work_time), 0), 5) FROM comments WHERE bug_id = bug.id)`;

type Make = (value: Sql, id: number) => Source;

const CUSTOM_TEXT: Make = (value) => own(sql`coalesce(${value}, '')`);

const customNumber: Make = (value) => own(sql`coalesce(CAST(${value} AS INTEGER), 0)`, "number");

const CUSTOM: Readonly<Record<number, Make>> = {
  [FIELD_TYPE.select]: (value) => own(sql`coalesce(${value}, '---')`),
  [FIELD_TYPE.multiSelect]: (_value, id) =>
    list(sql`(SELECT bug_id, value FROM custom_choices WHERE field_id = ${id})`, sql`item.value`),
  [FIELD_TYPE.dateTime]: (value) => own(sql`coalesce(${value}, '1970-01-01T00:00:00Z')`, "moment"),
  [FIELD_TYPE.date]: (value) => own(sql`coalesce(${value}, '1970-01-01')`, "day"),
  [FIELD_TYPE.bugId]: customNumber,
  [FIELD_TYPE.integer]: customNumber,
};
