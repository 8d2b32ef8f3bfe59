import { type Catalog, catalogOf, findField } from "../../api/catalog.ts";
import { enterableProducts } from "../../api/enterable-products.ts";
import { legalNames } from "../../api/legal-values.ts";
import { addToCensus, type Census, emptyCensus, noteNumbers } from "../../api/migrate/census.ts";
import { attachmentOf, type SourceBug } from "../../api/migrate/moved-bug.ts";
import { UNMOVED_DUPLICATE, unusedEntries } from "../../api/migrate/name-map.ts";
import { CHOSEN, type GroupMembers, missingGroups, planRows } from "../../api/migrate/plan.ts";
import type { PlanRow } from "../../api/migrate/plan-row.ts";
import { readTarget, type Target } from "../../api/migrate/target.ts";
import { suggestNames } from "../../api/nearest.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELDS } from "../../api/operations/tracker.ts";
import { readFields } from "../../api/response/response-objects.ts";
import { BtError, usage } from "../../errors.ts";
import type { MoveLog } from "../../session/results/move-log.ts";
import { plain } from "../../view/text.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { Comment } from "../../wire/resources.ts";
import type { Context } from "../verb.ts";
import { sourceMembers } from "./setup.ts";
import { sourceBugs } from "./source.ts";
import { isDoneStep } from "./steps.ts";
import { isExact, type Moving } from "./trackers.ts";

/** Subject of a move: its bugs, the target as it is, and the plan. */
export type Survey = {
  readonly ids: readonly number[];
  readonly pending: ReadonlySet<number>; // bugs with comments or attachments that are not in the target
  readonly census: Census;
  readonly target: Target;
  readonly rows: readonly PlanRow[];
  readonly members: GroupMembers; // of groups that are created in the data of a tracker
};

/** Reads the source in full, and the target's state of its names. */
export async function surveyOf(ids: readonly number[], earlier: EarlierMoves, moving: Moving): Promise<Survey> {
  const { source, map } = moving;
  const fields = (await source.session.catalog()).fields.filter(({ type, isCustom }) => isCustom && CHOSEN.has(type));
  const census = emptyCensus(earlier, new Set(fields.map(({ api }) => api)));
  const pending = new Set<number>();
  for await (const portion of sourceBugs(ids, source, { histories: true })) {
    if (source.io.signal.aborted) throw new BtError("local", "interrupted", { changed: "nothing" });
    for (const whole of portion) {
      const one = earlier.left(whole);
      noteNumbers(census, whole);
      addToCensus(census, one, map);
      noteAuthors(one, census.used, moving);
      if (one.comments.length + one.attachments.length > 0) pending.add(one.bug.id);
    }
  }
  const sourceNames = await source.session.catalog();
  const unused = unusedEntries(map, census.used);
  checkMap(unused, sourceNames);
  await noteUnused(
    unused.filter(({ field }) => namesOf(field, sourceNames).length === 0),
    source.io,
  );
  return { ids, pending, census, ...(await compareTarget(moving, census)) };
}

/** Adds the logins that only a move into the data of a tracker maps: of authors, of changes, and of those who set flags. */
function noteAuthors({ bug, comments, attachments, history }: SourceBug, used: Census["used"], moving: Moving): void {
  if (!isExact(moving)) return;
  const flags = [bug, ...attachments].flatMap((one) => one.flags ?? []);
  const logins = [
    ...[...comments, ...attachments].map(({ creator }) => creator),
    ...history.map(({ who }) => who),
    ...flags.flatMap(({ setter }) => setter ?? []),
  ];
  for (const login of logins) used.add(`users\0${login}`);
}

/** Bugs that earlier runs moved. */
export type EarlierMoves = {
  readonly has: (bug: number) => boolean; // true: complete, but for what is new
  readonly left: (bug: SourceBug) => SourceBug; // without the comments and attachments that were moved
};

/** Bugs that earlier runs moved, by their steps. */
export function earlierSteps(entries: MoveLog["entries"]): EarlierMoves {
  return { has: (bug) => isDoneStep(entries, bug, "end"), left: (bug) => unmoved(bug, entries) };
}

type Compared = Pick<Survey, "target" | "rows" | "members">;

/** Reads the target's state of the names in a census, and makes the plan. */
export async function compareTarget(moving: Moving, census: Census): Promise<Compared> {
  const { target, map } = moving;
  const { session } = target;
  const { ask } = session;
  const catalog = catalogOf(readFields(await ask(requestFor(GET_FIELDS))));
  const me = await session.login();
  const hasMoments = catalog.fields.some(({ isCustom, type }) => isCustom && type === FIELD_TYPE.dateTime);
  const zones = hasMoments ? (await session.zone()).possible : [];
  const found = await readTarget(census, { ask, catalog, withProduct: enterableProducts(ask), me, zones });
  const sendsMail = /^https?:/.test(session.address);
  const members = isExact(moving) ? await sourceMembers(missingGroups(census, found), moving) : new Map();
  const rows = planRows(census, found, { isExact: isExact(moving), sendsMail, map, members });
  return { target: found, rows, members };
}

/**
 * Refuses names of a map that the source does not have; other names may be those of bugs that do not move.
 * @throws BtError of kind usage
 */
function checkMap(unused: ReturnType<typeof unusedEntries>, catalog: Catalog): void {
  for (const { field, name } of unused) {
    const names = namesOf(field, catalog);
    const isKnown = names.some((one) => name === one || isPlaced(name, one, catalog));
    if (names.length === 0 || isKnown || name === UNMOVED_DUPLICATE) continue;
    throw usage(`--map: unknown ${field} ${JSON.stringify(name)} in the source`, suggestNames(name, names));
  }
}

/** The names that a field can have; none if the tracker has no list of them. */
function namesOf(field: string, catalog: Catalog): readonly string[] {
  const known = findField(catalog, field);
  return (known && legalNames(known)) ?? [];
}

/** True for "Product/Value" and "Product/Component" with a product and a component that exist. */
function isPlaced(name: string, known: string, catalog: Catalog): boolean {
  const has = (field: string, value: string) => {
    const found = findField(catalog, field);
    return ((found && legalNames(found)) ?? [value]).includes(value);
  };
  if (name.endsWith(`/${known}`) && has("product", name.slice(0, -known.length - 1))) return true;
  return name.startsWith(`${known}/`) && has("component", name.slice(known.length + 1));
}

/** Reports names of a map that no bug has, of fields without a list of those that exist, such as logins and groups. */
async function noteUnused(unused: ReturnType<typeof unusedEntries>, { err }: Context["io"]): Promise<void> {
  const list = unused.map(({ field, name }) => `${field} ${JSON.stringify(name)}`).join(", ");
  if (list !== "") await err(`${plain(`--map: not used by any moved bug: ${list}`)}\n`);
}

/** A bug without the comments and attachments that were moved before. */
function unmoved({ bug, comments, attachments, history }: SourceBug, entries: MoveLog["entries"]): SourceBug {
  const isMoved = isDoneStep(entries, bug.id, "end");
  const stepOf = (comment: Comment) => {
    const attachment = attachmentOf(comment, attachments);
    if (attachment) return `attachment ${attachment.id}`;
    return comment.count === 0 ? "create" : `comment ${comment.id}`;
  };
  return {
    bug,
    history: isMoved ? [] : history,
    comments: comments.filter((comment) => !isDoneStep(entries, bug.id, stepOf(comment))),
    attachments: attachments.filter(
      ({ id, size }) => !(isMoved && size === 0) && !isDoneStep(entries, bug.id, `attachment ${id}`),
    ),
  };
}
