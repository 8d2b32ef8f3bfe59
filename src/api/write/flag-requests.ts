import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import { isSameLogin } from "../people.ts";

/** Flag requests of a name to a user. */
export function flagsRequestedFrom(login: string, name: string, flags: Bug["flags"]): Flag[] {
  return openRequests(name, flags).filter(({ requestee }) => isSameLogin(requestee, login));
}

/** Flag requests of a name that a user can answer: those to the user, and those to nobody in particular. */
export function flagsWaitingFor(login: string, name: string, flags: Bug["flags"]): Flag[] {
  return openRequests(name, flags).filter(({ requestee }) => !requestee || isSameLogin(requestee, login));
}

function openRequests(name: string, flags: Bug["flags"]): Flag[] {
  return (flags ?? []).filter((flag) => flag.name === name && flag.status === "?");
}
