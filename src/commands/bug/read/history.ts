import { requestEach } from "../../../api/batch.ts";
import { splitNames } from "../../../api/bug-ref.ts";
import { historyPlan } from "../../../api/bugs.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import { collectPages } from "../../../api/lists.ts";
import { checkLogins } from "../../../api/names.ts";
import { isSameUser } from "../../../api/people.ts";
import { readBugTitles } from "../../../api/search/searches.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import { HISTORY_COLUMNS, historyRows, historyText } from "../../../view/changes.ts";
import type { BugHistory, FieldChange, HistoryEntry } from "../../../wire/resources.ts";
import {
  chosenColumns,
  isForCards,
  mapPages,
  showCards,
  showList,
  wholeFormat,
  wireColumns,
} from "../../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../../shared/targets.ts";
import { readMoment } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { HistoryInput } from "../flags.ts";

/** `bt bug history`: reads the histories of all given bugs in few requests, and reports those not found. */
export async function showBugHistory(input: HistoryInput, context: Context): Promise<void> {
  const refs = await readTargetsOrText(input, context);
  const since = input.parameters["new-since"];
  const plan = historyPlan(since === undefined ? undefined : readMoment(since, context));
  const isWanted = await readChangeFilter(input, context);
  const chosen = (pages: AsyncIterable<readonly BugHistory[]>) => (isWanted ? filterChanges(pages, isWanted) : pages);
  await printFound(requestEach(refs, plan, context.session.send), (pages) => printHistories(chosen(pages), context), {
    identity: ({ id }) => id,
  });
}

type ChangeFilter = (change: FieldChange, entry: HistoryEntry) => boolean;

/** Test for the changes that `--field` and `--author` choose; undefined without them. */
async function readChangeFilter(
  { field, author }: HistoryInput,
  { session }: Context,
): Promise<ChangeFilter | undefined> {
  const [names, logins] = [splitNonEmpty("--field", field), splitNonEmpty("--author", author)];
  if (names.length + logins.length === 0) return undefined;
  const wire = new Set<string>();
  if (names.length > 0) {
    const fields = await withCatalog(session, (catalog) => names.map((name) => requireField(catalog, name)));
    for (const { api, chart } of fields) wire.add(api).add(chart);
  }
  await checkLogins(
    logins.filter((login) => login !== "@me"),
    session.send,
  );
  const me = logins.includes("@me") ? await loginOrFail(session) : undefined;
  const authors = logins.map((login) => (login === "@me" ? (me ?? login) : login));
  return (change, { who }) =>
    (wire.size === 0 || wire.has(change.field_name)) &&
    (authors.length === 0 || authors.some((one) => isSameUser(who, one)));
}

/**
 * The names in the values of an option.
 * @throws BtError of kind usage for a value without any
 */
function splitNonEmpty(option: string, values: readonly string[]): string[] {
  const names = values.map(splitNames);
  if (names.some((one) => one.length === 0)) throw usageError(`${option} is empty`);
  return names.flat();
}

/** The histories with the wanted changes alone. */
async function* filterChanges(
  pages: AsyncIterable<readonly BugHistory[]>,
  isWanted: ChangeFilter,
): AsyncGenerator<BugHistory[]> {
  for await (const page of pages) {
    yield page.map((one) => {
      const history = one.history.map((entry) => ({
        ...entry,
        changes: entry.changes.filter((change) => isWanted(change, entry)),
      }));
      return { ...one, history: history.filter(({ changes }) => changes.length > 0) };
    });
  }
}

/** A timeline on a terminal, the response as JSON, else one line per change. */
async function printHistories(histories: AsyncIterable<readonly BugHistory[]>, context: Context): Promise<void> {
  if (isForCards(context)) return showTimelines(await collectPages(histories), context);
  if (wholeFormat(context)) {
    await showList(context, { columns: wireColumns<BugHistory>(["id", "alias", "history"]), pages: histories });
    return;
  }
  await showList(context, {
    columns: chosenColumns(HISTORY_COLUMNS, context),
    pages: mapPages(histories, historyRows),
  });
}

async function showTimelines(histories: readonly BugHistory[], context: Context): Promise<void> {
  const [{ received: fields }, titles] = await Promise.all([
    context.session.catalog(),
    readBugTitles(
      histories.map(({ id }) => id),
      context.session.searches,
    ),
  ]);
  const texts = histories.map((one) => historyText(one, titles.get(one.id), fields, context.output.view));
  await showCards(context, texts);
}
