import type { Json } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { Fault } from "../fault.ts";
import { readPattern } from "../pattern.ts";
import { asText } from "../rules/text.ts";

/** A name for a group, which no other group (`id` is its own) has in any letter case. */
export function readName({ store }: Call, value: Json | undefined, id = 0): string {
  const name = asText(value, "name").trim();
  if (name === "") throw new Fault(400, 800, "You must enter a name for the group.");
  if (store.get("SELECT id FROM groups WHERE name = ? AND id <> ?", [name, id])) {
    throw new Fault(400, 801, `The group ${name} already exists.`);
  }
  return name;
}

/** What a group is for, in words. */
export function readDescription(value: Json | undefined): string {
  const description = asText(value, "description").trim();
  if (description === "") throw new Fault(400, 802, "You must enter a description for the group.");
  return description;
}

/** The pattern of the logins that are in a group by themselves; blank for none. */
export function readUserRegexp(value: Json | undefined): string {
  const pattern = asText(value, "user_regexp").trim();
  if (pattern !== "" && !readPattern(pattern).test) {
    throw new Fault(400, 803, "The regular expression you entered is invalid.");
  }
  return pattern;
}
