import { dayIn } from "../../api/time-zone.ts";
import { readMarks } from "../../session/memory/read-marks.ts";
import type { Column } from "../../view/column.ts";
import { stableMember } from "../../view/stable.ts";
import { plain } from "../../view/text.ts";
import { TODO_COLUMNS, TODO_SECTIONS, TODO_USUAL_COLUMNS, type TodoItem, todoText } from "../../view/todo.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { loginOrFail } from "../bug/write/moves.ts";
import { chosenColumns, isForCards, isJson, jsonText, outputFormat, showList, showText } from "../shared/output.ts";
import { searchTools } from "../shared/search-tools.ts";
import type { Context } from "../verb.ts";
import { collectTodo } from "./collect.ts";
import type { TodoInput } from "./input.ts";

/** `bt todo`: what waits for the user, in sections. */
export async function showTodo({ days = 30 }: TodoInput, context: Context): Promise<void> {
  const { io, session, output } = context;
  const columns = chosenColumns(isJson(context) || output.fields ? TODO_COLUMNS : TODO_USUAL_COLUMNS, context);
  const login = await loginOrFail(context);
  const now = io.now();
  const scope = { login, now, days, today: dayIn(output.view.timeZone, now.getTime()) };
  const { items, notices } = await collectTodo(
    { ...scope, marks: await readMarks(session.facts.memory) },
    searchTools(context),
  );
  await showItems(items, columns, context);
  for (const notice of notices) await io.err(`bt: ${plain(notice)}\n`);
  if (items.length === 0 && io.terminal.stdout) await io.err("nothing to do\n");
}

async function showItems(
  items: readonly TodoItem[],
  columns: readonly Column<TodoItem>[],
  context: Context,
): Promise<void> {
  const format = outputFormat(context);
  if (isForCards(context)) await showText(context, todoText(items, context.output.view));
  else if (format === "json") await showText(context, jsonText(sectionsOf(items, columns), context));
  else await showList(context, { columns, pages: [format === "ids" ? eachBugOnce(items) : items] });
}

/** A bug may be in several sections; as ids for another command it counts once. */
function eachBugOnce(items: readonly TodoItem[]): TodoItem[] {
  return [...new Map(items.map((item) => [item.bug.id, item])).values()];
}

/** An object with a list for each section. */
function sectionsOf(items: readonly TodoItem[], columns: readonly Column<TodoItem>[]): JsonObject {
  const shown = columns.filter(({ name }) => name !== "section");
  const record = (item: TodoItem) =>
    Object.fromEntries(
      shown.flatMap(({ name, value }) => {
        const told = value(item);
        return told === undefined ? [] : [[name, stableMember(told, name)] as const];
      }),
    );
  return Object.fromEntries(
    TODO_SECTIONS.map((name) => [name, items.filter(({ section }) => section === name).map(record)] as const),
  );
}
