import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { bugFlagTypes } from "../flags/settable.ts";
import { isGiven } from "../input.ts";
import { findPerson } from "../people/find.ts";
import { mayGrantFlags, maySee } from "../people/others.ts";
import type { Bug, Person } from "../rules/bug.ts";
import { unique, without } from "../rules/edit.ts";
import { type FlagWish, flagged } from "../rules/flags.ts";
import { asText } from "../rules/text.ts";
import { type Step, withBug } from "./draft.ts";
import { isObject } from "./edits.ts";

/** The flags of a bug. Who is newly asked about it is kept informed too. */
export const flags: Step = ({ call, input, user }, draft) => {
  const wishes = readWishes(call, input["flags"]);
  const { before, after } = draft;
  const scene = {
    types: bugFlagTypes(call, after),
    setter: user,
    refuseRequestee: (person: Person, type: { readonly id: number; readonly name: string }) =>
      refuseRequestee(call, { person, type, bug: before }),
  };
  const changed = wishes.reduce((list, wish) => flagged(list, wish, scene), after.flags);
  const asked = without(changed, after.flags, (flag) => `${flag.id} ${flag.requestee?.id ?? ""}`);
  const cc = [...after.cc, ...asked.flatMap(({ requestee }) => (requestee ? [requestee] : []))];
  return withBug(draft, { flags: changed, cc: unique(cc, ({ id }) => id) });
};

function readWishes(call: Call, value: Json | undefined): readonly FlagWish[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw faults.wrongShape("flags", "a list of objects");
  return value.map((item: Json) => readWish(call, item));
}

function readWish(call: Call, item: Json): FlagWish {
  if (!isObject(item)) throw faults.wrongShape("flags", "a list of objects");
  const part = (name: string) => asText(item[name], `flags.${name}`).trim();
  const login = part("requestee");
  return {
    ...named(item, part),
    status: part("status"),
    requestee: login === "" ? null : findPerson(call, login),
    isNew: isGiven(item, "new"),
  };
}

function named(item: JsonObject, part: (name: string) => string): Pick<FlagWish, "id" | "type_id" | "name"> {
  return Object.fromEntries(
    ["id", "type_id", "name"].filter((name) => isGiven(item, name)).map((name) => [name, part(name)]),
  );
}

type Asked = {
  readonly person: Person;
  readonly type: { readonly id: number; readonly name: string };
  readonly bug: Bug;
};

function refuseRequestee(call: Call, { person, type, bug }: Asked): void {
  if (!maySee(call, person, bug)) {
    throw new Fault(
      400,
      32000,
      `You asked ${nameOf(call, person)} for ${type.name} on bug ${bug.id}, but that bug has been restricted to users in certain groups, and the user you asked isn't in all the groups to which the bug has been restricted. Please choose someone else to ask, or make the bug accessible to users on its CC: list and add that user to the list.`,
    );
  }
  if (!mayGrantFlags(call, person, type.id)) {
    throw new Fault(
      400,
      32000,
      `${nameOf(call, person)} does not have permission to set the flag ${type.name}. Please choose someone else to ask.`,
    );
  }
}

function nameOf({ store }: Call, { id, login }: Person): string {
  const name = String(store.get("SELECT real_name FROM users WHERE id = ?", [id])?.["real_name"] ?? "");
  return name === "" ? login : `${name} <${login}>`;
}
