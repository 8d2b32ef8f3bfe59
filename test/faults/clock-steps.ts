export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** Step of a clock (ms). */
export const STEPS: Readonly<Record<string, number>> = {
  "-1 year": -365 * DAY,
  "-1 day": -DAY,
  "-1 h": -HOUR,
  "-10 s": -10 * SECOND,
  "-3 s": -3 * SECOND,
  nothing: 0,
  "+3 s": 3 * SECOND,
  "+1 h": HOUR,
  "+1 day": DAY,
  "+1 year": 365 * DAY,
};

/** Writes, and in `TRACES` what each of them leaves on the tracker. */
export const LINES = {
  create: "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t Crash -d Steps",
  comment: "comment add 43 -m ping",
  update: "bug update 43 -m ping --priority Highest",
  fields: "bug update 43 --whiteboard ping",
  hours: "bug update 43 --work-time 0.5",
} as const;

export const TRACES: Readonly<Record<keyof typeof LINES, string>> = {
  create: "SELECT count(*) FROM bugs WHERE summary = 'Crash'",
  comment: "SELECT count(*) FROM comments WHERE text = 'ping'",
  update: "SELECT count(*) FROM comments WHERE text = 'ping'",
  fields: "SELECT count(*) FROM activity WHERE bug_id = 43 AND field = 'status_whiteboard' AND added = 'ping'",
  hours: "SELECT count(*) FROM comments WHERE bug_id = 43 AND work_time = 0.5",
};
