import { palette, type Role } from "./palette.ts";
import { plain } from "./text.ts";
import { absoluteTime } from "./times.ts";
import { type View, viewSigns } from "./view.ts";
import { cut, width } from "./wrap.ts";

/** An event of a watch. `who` and `when` are null for a bug that entered or left without a change. */
export type WatchEvent = {
  readonly event: "entered" | "left" | "changed" | "commented";
  readonly id: number;
  readonly summary: string | null;
  readonly when: string | null;
  readonly who: string | null;
  readonly field?: string;
  readonly old?: string;
  readonly new?: string;
  readonly attachment_id?: number | undefined;
  readonly comment?: number; // its id
  readonly count?: number; // its number on the bug
  readonly is_private?: boolean;
  readonly text?: string;
};

export function eventText(event: WatchEvent, view: View): string {
  const { id, when, who, summary } = event;
  const paint = palette(view);
  const { dot } = viewSigns(view);
  const line = plain(
    [`#${id} ${eventDescription(event, view)}`, ...[who, summary].filter((one) => one)].join(` ${dot} `),
  );
  const time = when === null ? "" : `${absoluteTime(when, view)} `;
  return `${paint.quiet(time)}${paint[ROLE_BY_EVENT[event.event]](cut(line, view.width - width(time), view))}\n`;
}

function eventDescription(event: WatchEvent, view: View): string {
  if (event.event === "changed")
    return `${event.field}: ${event.old || "-"} ${viewSigns(view).arrow} ${event.new || "-"}`;
  if (event.event === "commented")
    return `comment ${event.count}${event.is_private ? " (private)" : ""}: ${event.text}`;
  return event.event;
}

const ROLE_BY_EVENT = {
  entered: "added",
  left: "removed",
  changed: "title",
  commented: "moving",
} as const satisfies Readonly<Record<WatchEvent["event"], Role>>;
