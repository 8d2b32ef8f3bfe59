import type { Asking } from "../asking.ts";
import { type Row, row } from "../condition.ts";
import { phrase } from "./words.ts";

/** Where a plain word is looked for: anywhere that a person might mean by it; `P1` and `P1-3` are priorities. */
export function defaultRows(asking: Asking, word: string): readonly Row[] {
  const priorities = prioritiesOf(asking, word);
  if (priorities) return [{ ...row("priority", "anyexact", priorities.join(",")), items: priorities }];
  const isKeyword = asking.store.get("SELECT id FROM keywords WHERE name = ?", [word]) !== undefined;
  const name = word.toLowerCase();
  return [
    ...(word.length > 2 && !AMBIGUOUS_IN_PRODUCTS.has(name) ? [row("product", "substring", word)] : []),
    ...(word.length > 2 && !AMBIGUOUS_IN_COMPONENTS.has(name) ? [row("component", "substring", word)] : []),
    ...(isKeyword ? [row("keywords", "substring", word)] : []),
    row("alias", "substring", word),
    row("short_desc", "substring", word),
    row("status_whiteboard", "substring", word),
    row("content", "matches", phrase(word)),
    ...(ADDRESS.test(word) ? [row("bug_file_loc", "substring", word)] : []),
  ];
}

// Words that say more in a summary than in the names of products and components.
const AMBIGUOUS_IN_PRODUCTS: ReadonlySet<string> = new Set(["row", "new"]);
const AMBIGUOUS_IN_COMPONENTS: ReadonlySet<string> = new Set(["hang"]);

const ADDRESS = /\d+\.\d+\.\d+\.\d+|^[a-z]+(?:\.[a-z]+)+|:[\\/][\\/]|localhost|mailto/i;

/** The priorities of that name, or else those that stand there in the list of priorities. */
function prioritiesOf({ store }: Asking, word: string): readonly string[] | undefined {
  const [, start, end = start] = /^P(\d{1,9})(?:-(\d{1,9}))?$/i.exec(word) ?? [];
  if (start === undefined) return undefined;
  const legal = store.all<{ readonly name: string }>(PRIORITIES).map(({ name }) => name);
  const place = (number: string | undefined) => {
    const named = legal.indexOf(`P${number}`);
    return named >= 0 ? named : Math.min(Math.max(Number(number), 1), legal.length) - 1;
  };
  const [from, to] = [place(start), place(end)];
  return legal.slice(Math.min(from, to), Math.max(from, to) + 1);
}

const PRIORITIES = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'priority' ORDER BY field_values.sort_key, field_values.name`;
