import type { Json } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import { asText } from "./text.ts";

/** The fields that hold hours, as their refusals name them. */
const HOURS = { estimated_time: "Orig. Est.", remaining_time: "Hours Left", work_time: "Hours Worked" } as const;

/** A field that holds hours. */
export type HoursField = keyof typeof HOURS;

const MOST = 99999.99;
const NUMBER = /^-?(\d+(\.\d*)?|\.\d+)$/;

/** Hours as they were sent: a number, or the text of one; blank is none. Only worked hours may be negative. */
export function readHours(value: Json | undefined, field: HoursField): number {
  const said = asText(value, field).trim() || "0";
  const refuse = (code: number, what: string) =>
    new Fault(400, code, `The value '${said}' in the ${HOURS[field]} field is ${what}.`);
  if (!NUMBER.test(said)) throw refuse(52, "not a numeric value");
  const hours = Number(said);
  const least = field === "work_time" ? -MOST : 0;
  if (hours < least) throw refuse(55, `less than the minimum allowable value of '${least}'`);
  if (hours > MOST) throw refuse(54, `more than the maximum allowable value of '${MOST}'`);
  return hundredths(hours);
}

/** What is left to do after some hours of work: never below nothing. */
export function hoursLeft(remaining: number, worked: number): number {
  return Math.max(0, hundredths(remaining - worked));
}

/** Hours as history says what they were: with two decimals. */
export function storedHours(hours: number): string {
  return hours.toFixed(2);
}

function hundredths(hours: number): number {
  return Math.round(hours * 100) / 100;
}
