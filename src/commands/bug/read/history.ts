import { splitNames } from "../../../api/bug-ref.ts";
import { historyPlan, requestParts } from "../../../api/bugs.ts";
import { requireField } from "../../../api/catalog/catalog.ts";
import { collectPages } from "../../../api/lists.ts";
import { checkLogins } from "../../../api/names.ts";
import { isSameUser } from "../../../api/people.ts";
import { readBugTitles } from "../../../api/search/searches.ts";
import { usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import { HISTORY_COLUMNS, historyRows, historyText } from "../../../view/changes.ts";
import type { BugHistory, FieldChange } from "../../../wire/resources.ts";
import {
  chosenColumns,
  isForCards,
  mapPages,
  showCards,
  showList,
  wholeJsonFormat,
  wireColumns,
} from "../../shared/output/print.ts";
import { printFound, readTargetsToShow } from "../../shared/targets.ts";
import { readMoment } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { HistoryInput } from "../flags.ts";

/** `bt bug history`: prints the histories of the given bugs, and reports bugs that are not found. */
export async function showBugHistory(input: HistoryInput, context: Context): Promise<void> {
  const refs = await readTargetsToShow(input, context);
  const since = input.parameters["new-since"];
  const plan = historyPlan(since === undefined ? undefined : readMoment(since, context));
  const isWanted = await readChangeFilter(input, context);
  const show = async (pages: AsyncIterable<readonly BugHistory[]>) => {
    const chosen = isWanted ? mapPages(pages, (page) => page.map((history) => withChanges(history, isWanted))) : pages;
    if (isForCards(context)) return showTimelines(await collectPages(chosen), context);
    if (wholeJsonFormat(context))
      await showList(context, { columns: wireColumns<BugHistory>(["id", "alias", "history"]), pages: chosen });
    else
      await showList(context, {
        columns: chosenColumns(HISTORY_COLUMNS, context),
        pages: mapPages(chosen, historyRows),
      });
  };
  await printFound(requestParts(refs, plan, context.session.send), show);
}

type ChangeFilter = (change: FieldChange, who: string) => boolean;

/** Test for the changes that `--field` and `--author` choose; undefined without them. */
async function readChangeFilter(
  { field, author }: HistoryInput,
  { session }: Context,
): Promise<ChangeFilter | undefined> {
  const [names, logins] = [splitFlag("--field", field), splitFlag("--author", author)];
  if (names.length + logins.length === 0) return undefined;
  const fields =
    names.length > 0 ? await withCatalog(session, (catalog) => names.map((name) => requireField(catalog, name))) : [];
  const fieldNames = fields.flatMap(({ api, chart }) => [api, chart]); // a history has either
  const authors = logins.filter((login) => login !== "@me");
  await checkLogins(authors, session.send);
  if (logins.includes("@me")) authors.push(await loginOrFail(session));
  return ({ field_name }, who) =>
    (fieldNames.length === 0 || fieldNames.includes(field_name)) &&
    (authors.length === 0 || authors.some((login) => isSameUser(who, login)));
}

/** The names in the values of a flag, split at commas. @throws BtError of kind usage for an empty value */
function splitFlag(flag: string, values: readonly string[]): string[] {
  return values.flatMap((value) => {
    const names = splitNames(value);
    if (names.length === 0) throw usageError(`${flag} is empty`);
    return names;
  });
}

/** A history with only its wanted changes. */
function withChanges({ history, ...bug }: BugHistory, isWanted: ChangeFilter): BugHistory {
  const entries = history.map(({ changes, ...entry }) => {
    return { ...entry, changes: changes.filter((change) => isWanted(change, entry.who)) };
  });
  return { ...bug, history: entries.filter(({ changes }) => changes.length > 0) };
}

async function showTimelines(histories: readonly BugHistory[], context: Context): Promise<void> {
  const ids = histories.map(({ id }) => id);
  const [{ received: fields }, titles] = await Promise.all([
    context.session.catalog(),
    readBugTitles(ids, context.session.searches),
  ]);
  const texts = histories.map((history) => historyText(history, titles.get(history.id), fields, context.output.view));
  await showCards(context, texts);
}
