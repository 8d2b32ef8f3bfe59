import { confirmedStatuses } from "../../../api/write/checks.ts";
import { loginOrFail } from "../../../session/session.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Context } from "../../verb.ts";
import type { TakeInput } from "./flags.ts";

/** `bt bug take`: assigns bugs to the user, and sets them in progress if requested. */
export async function takeBugs(input: TakeInput, context: Context): Promise<void> {
  const { named, comment } = await readBugsAndComment(input, context);
  const login = await loginOrFail(context.session);
  const status: JsonObject = input.start ? { status: confirmedStatuses(await context.session.catalog()).started } : {};
  const body = { assigned_to: login, ...status, ...comment };
  await changeBugs(
    editsOf(named, (bug) => ({ bug, body })),
    input,
    context,
  );
}
