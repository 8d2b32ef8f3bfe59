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
  wholeFormat,
  wireColumns,
} from "../../shared/output/print.ts";
import { printFound, readTargetsToShow } from "../../shared/targets.ts";
import { readMoment } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { HistoryInput } from "../flags.ts";

/** `bt bug history`: reads the histories of all given bugs in few requests, and reports those not found. */
export async function showBugHistory(input: HistoryInput, context: Context): Promise<void> {
  const refs = await readTargetsToShow(input, context);
  const since = input.parameters["new-since"];
  const plan = historyPlan(since === undefined ? undefined : readMoment(since, context));
  const isWanted = await readChangeFilter(input, context);
  const show = async (pages: AsyncIterable<readonly BugHistory[]>) => {
    const chosen = isWanted ? mapPages(pages, (page) => page.map((one) => withChanges(one, isWanted))) : pages;
    if (isForCards(context)) return showTimelines(await collectPages(chosen), context);
    if (wholeFormat(context))
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
  const [names, logins] = [namesIn("--field", field), namesIn("--author", author)];
  if (names.length + logins.length === 0) return undefined;
  const fields =
    names.length > 0 ? await withCatalog(session, (catalog) => names.map((name) => requireField(catalog, name))) : [];
  const wire = fields.flatMap(({ api, chart }) => [api, chart]);
  const others = logins.filter((login) => login !== "@me");
  await checkLogins(others, session.send);
  const authors = others.length < logins.length ? [...others, await loginOrFail(session)] : others;
  return ({ field_name }, who) =>
    (wire.length === 0 || wire.includes(field_name)) &&
    (authors.length === 0 || authors.some((one) => isSameUser(who, one)));
}

/** The names in the values of a flag. @throws BtError of kind usage for a value without any */
function namesIn(flag: string, values: readonly string[]): string[] {
  const names = values.map(splitNames);
  if (names.some((one) => one.length === 0)) throw usageError(`${flag} is empty`);
  return names.flat();
}

/** A history with the wanted changes alone. */
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
  const texts = histories.map((one) => historyText(one, titles.get(one.id), fields, context.output.view));
  await showCards(context, texts);
}
