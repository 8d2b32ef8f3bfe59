import { type BatchPlan, foundThings, requestAll, requestEach } from "../../api/batch.ts";
import { collectPages } from "../../api/lists.ts";
import { idsAndNames, requestFor } from "../../api/operations/operation.ts";
import { CREATE_GROUP, GET_GROUP, UPDATE_GROUP } from "../../api/operations/tracker.ts";
import { readGroups, unexpectedShapeError } from "../../api/response/response-objects.ts";
import { checkNotEmpty } from "../../api/write/checks.ts";
import type { FlagValues } from "../../command-flag.ts";
import { usageError } from "../../errors.ts";
import { type Column, filledColumns } from "../../view/column.ts";
import { GROUP_COLUMNS, groupCard, MEMBER_COLUMNS, returnedMembers } from "../../view/people.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { Request } from "../../wire/exchange.ts";
import type { Group, Member } from "../../wire/resources.ts";
import { showCreated, showPlanned } from "../shared/change/output.ts";
import { updateThings } from "../shared/change/things.ts";
import { chosenColumns, columnsFor, isForCards, isJson, showCards, showList } from "../shared/output/print.ts";
import { printFound, reportOutcomes } from "../shared/targets.ts";
import { bodyOfFlags } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";

/** Input of `bt group list` and `bt group get`. */
type GroupsInput = {
  args: string[];
  readonly parameters: {
    readonly ids?: readonly string[] | undefined;
    readonly names?: readonly string[] | undefined;
    readonly membership?: boolean | undefined;
  };
};

/** `bt group list`: all visible groups, or those given by `--ids` and `--names`. */
export async function listGroups(input: GroupsInput, context: Context): Promise<void> {
  const { ids = [], names = [] } = input.parameters;
  const refs = [...ids, ...names].flatMap((text) => text.split(","));
  if (refs.length > 0) return getGroups({ ...input, args: refs }, context);
  const groups = readGroups(await context.session.send(requestFor(GET_GROUP, membershipQuery(input))));
  await printGroups(groups, "as a list", context);
}

/** `bt group get`: groups by id or name, as cards on a terminal. */
export async function getGroups(input: GroupsInput, context: Context): Promise<void> {
  const found = requestEach(input.args, groupPlan(membershipQuery(input)), context.session.send);
  await printFound(found, async (pages) => printGroups(await collectPages(pages), "as cards", context), "groups");
}

/** Plan for reading groups by id or name. */
function groupPlan(query: Request["query"]): BatchPlan<Group> {
  return {
    name: "group",
    isListed: true,
    codes: errorCodes("object_does_not_exist"),
    request: (refs) => requestFor(GET_GROUP, [...idsAndNames(refs), ...query]),
    read: (response) => readGroups(response).map((group) => [[String(group.id), group.name], group]),
  };
}

function membershipQuery({ parameters }: GroupsInput): Request["query"] {
  return parameters.membership ? [["membership", "1"]] : [];
}

/** Prints groups on a terminal as a list or as cards, which show members, too; for programs as a list. */
async function printGroups(groups: readonly Group[], look: "as a list" | "as cards", context: Context): Promise<void> {
  const { view } = context.output;
  const hasMembers = groups.some((group) => returnedMembers(group) !== undefined);
  if (!isForCards(context)) {
    if (hasMembers && !isJson(context)) return printMembers(groups, context);
    await showList(context, { columns: columnsFor(groups, GROUP_COLUMNS, context), pages: [groups] });
  } else if (look === "as cards" || hasMembers) {
    const cards = groups.map((group) => groupCard(group, view));
    await showCards(context, cards);
  } else await showList(context, { columns: filledColumns(GROUP_COLUMNS, groups, view), pages: [groups] });
}

/** A line per member of each group, for programs. */
async function printMembers(groups: readonly Group[], context: Context): Promise<void> {
  type Row = Member & { group: string };
  const rows = groups.flatMap((group) =>
    (returnedMembers(group) ?? []).map((member): Row => ({ ...member, group: group.name })),
  );
  const groupColumn: Column<Row> = { name: "group", heading: "Group", value: (row) => row.group };
  await showList<Row>(context, {
    columns: chosenColumns<Row>([groupColumn, ...MEMBER_COLUMNS], context),
    pages: [rows],
  });
}

/** Input of `bt group create` and `bt group update`. */
type GroupInput = { args: string[]; readonly parameters: FlagValues; readonly dryRun: boolean };

/** `bt group create`: creates a group, active by default; servers would make it inactive. */
export async function createGroup({ parameters, dryRun }: GroupInput, context: Context): Promise<void> {
  const body = await bodyOfFlags(CREATE_GROUP, parameters, context);
  const request = requestFor(CREATE_GROUP, { is_active: true, ...body });
  if (dryRun) return showPlanned([request], [], context);
  const journal = await context.session.journal();
  const { id } = Object(await journal.deliver("group create", { request }));
  if (typeof id !== "number") throw unexpectedShapeError("the number of the new group");
  const sentence = `created group ${body["name"]} (${id})`;
  await showCreated([{ id: String(id), result: "created" }], () => ({ sentence }), context);
}

/** `bt group update`: the same update of all given groups in one request. */
export async function updateGroups({ args, parameters, dryRun }: GroupInput, context: Context): Promise<void> {
  const body = await bodyOfFlags(UPDATE_GROUP, parameters, context);
  checkNotEmpty(body);
  const outcomes = await requestAll(args, groupPlan([]), context.session.send);
  reportOutcomes(outcomes, "changed", "groups");
  const things = foundThings(outcomes);
  if (things.length > 1 && body["name"] !== undefined)
    throw usageError(`--name requires a single group, not ${things.length}`);
  const titles = ({ name, description: title }: Group) => ({ name, title });
  await updateThings({ operation: UPDATE_GROUP, noun: "group", things, body, titles, dryRun }, context);
}
