/** What the configuration may see and use of the machine that `bt` runs on. */
export type Host = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  readonly uid: number | undefined; // undefined where files have no owner
  readonly isAlive: (pid: number) => boolean;
  /** What tells a process from a later one of the same number; undefined where the system does not say. */
  readonly startOf: (pid: number) => string | undefined;
};
