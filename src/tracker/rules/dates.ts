import { Fault } from "../fault.ts";

/** A day as it was sent, as YYYY-MM-DD; blank stays blank. */
export function readDay(text: string): string {
  const said = text.trim();
  if (said !== "" && !isDay(said)) throw notADay(text);
  return said;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?$/;

/** A moment as it was sent, `YYYY-MM-DD` with or without `HH:MM[:SS]`; blank stays blank. */
export function readMoment(text: string): string {
  const said = text.trim();
  const [, day = ""] = MOMENT.exec(said) ?? [];
  if (said !== "" && (!isDay(day) || Number.isNaN(Date.parse(storedMoment(said))))) throw notADay(text);
  return said;
}

/** A moment as it is stored: `2026-11-02` is 2026-11-02T00:00:00Z. */
export function storedMoment(said: string): string {
  const [, day = "", time = ""] = MOMENT.exec(said) ?? [];
  return `${day}T${`${time}:00:00`.replace(/^:/, "00:").slice(0, 8)}Z`;
}

/** A stored moment as people and history say it. */
export function saidMoment(stored: string): string {
  return stored.replace("T", " ").replace(/Z$/, "");
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function notADay(text: string): Fault {
  return new Fault(400, 56, `'${text}' is not a legal date. Please use the format 'YYYY-MM-DD'.`);
}
