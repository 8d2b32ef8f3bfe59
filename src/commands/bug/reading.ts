import { type Catalog, findField } from "../../api/catalog.ts";
import type { Parameter } from "../../api/parameter.ts";
import { bodyOf } from "../../api/write/changes.ts";
import { customBody } from "../../api/write/custom.ts";
import type { Reading } from "../../api/write/values.ts";
import { usage } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import { type Input, listOf } from "../verb.ts";

/** What the values of a write are read against, for this requester on this tracker. */
export async function readingOf(input: Input, context: Context, catalog: Catalog): Promise<Omit<Reading, "product">> {
  const login = mentionsMe(input) ? await context.tracker.login() : undefined;
  return {
    catalog,
    clock: { now: context.io.now(), zone: context.output.view.timeZone },
    serverZones: setsTime(input, catalog) ? (await context.tracker.zone()).possible : [],
    address: context.tracker.address,
    me: () => {
      if (login !== undefined) return login;
      throw usage(
        "@me stands for your login, but bt does not know it on this tracker",
        "bt auth login, or write the login itself",
      );
    },
  };
}

/** The body of a write as the flags say it: the parameters that were given, and custom fields from `--field`. */
export function bodyFrom(input: Input, parameters: readonly Parameter[], reading: Reading): JsonObject {
  const typed = (flag: string) => (input.flags[flag] === undefined ? undefined : listOf(input.flags[flag]));
  return { ...bodyOf(parameters, typed, reading), ...customBody(listOf(input.flags["field"]), reading) };
}

/** Whether a custom field of a date with time is set, which trackers take in their own time zone. */
function setsTime({ flags }: Input, catalog: Catalog): boolean {
  const names = listOf(flags["field"]).map((pair) => pair.slice(0, Math.max(0, pair.indexOf("="))).trim());
  return names.some((name) => findField(catalog, name)?.family === "moment");
}

function mentionsMe(input: Input): boolean {
  return Object.values(input.flags).some((value) => listOf(value).some((text) => text.includes("@me")));
}
