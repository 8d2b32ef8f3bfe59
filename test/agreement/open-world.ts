import { buildCatalog } from "../../src/api/catalog/catalog.ts";
import type { Pair } from "../../src/api/query/rows.ts";
import { userByLogin } from "../../src/tracker/http/call.ts";
import { applyDefaults, applySetup, type Setup } from "../../src/tracker/setup/setup.ts";
import { openStore } from "../../src/tracker/store/store.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import type { Comment, Field, HistoryEntry } from "../../src/wire/resources.ts";
import { applyEvents, type Story } from "./stories.ts";

/** Everything that one can know of a bug through the interface. */
export type KnownBug = {
  readonly bug: Bug & { readonly id: number };
  readonly comments: readonly Comment[];
  readonly history: readonly HistoryEntry[];
  readonly attachments: readonly Attachment[];
};

/** Facts of an attachment that a search can be about; switches come as numbers. */
type Attachment = {
  readonly file_name: string;
  readonly content_type: string;
  readonly creator: string;
  readonly is_patch: number;
  readonly is_obsolete: number;
};

/** What a world is made of; `attachments` is SQL. */
type Making = {
  readonly setup: Setup;
  readonly stories: readonly Story[];
  readonly attachments: string;
  readonly now: Date;
  readonly asker: string;
};

/** A tracker of stories as its asker uses it, its metadata as the client reads them, and all bugs, read without a search. */
export async function openWorld({ setup, stories, attachments, now, asker }: Making) {
  const store = openStore(":memory:");
  store.transaction("write", () => {
    applyDefaults(store);
    applySetup(store, setup);
    applyEvents(store, stories, now);
    store.exec(attachments);
  });
  const answer = createTracker(store, { now: () => now, random: (length: number) => new Uint8Array(length) });
  const userId = userByLogin(store, asker)?.id ?? 0;
  const exchange: Exchange = (request) => answer(request, userId);
  const ask = async <Body>(path: string, query: readonly Pair[] = []): Promise<Body> => {
    const { status, body } = await exchange({ method: "GET", path, query });
    if (status !== 200) throw new Error(`${path}?${query.join("&")}: ${body}`);
    return JSON.parse(body) as Body;
  };
  const { fields } = await ask<{ fields: readonly Field[] }>("/rest/field/bug");
  const ids = stories.map(({ id }): Pair => ["ids", String(id)]);
  return { exchange, ask, catalog: buildCatalog(fields), known: await readBugs(ask, ids) };
}

type Ask = <Body>(path: string, query: readonly Pair[]) => Promise<Body>;
type ById<Thing> = { readonly bugs: Readonly<Record<string, Thing>> };

async function readBugs(ask: Ask, ids: readonly Pair[]): Promise<readonly KnownBug[]> {
  const { bugs } = await ask<{ bugs: readonly KnownBug["bug"][] }>("/rest/bug/", [...ids, ["include_fields", "_all"]]);
  const comments = await ask<ById<{ comments: readonly Comment[] }>>("/rest/bug/1/comment", ids);
  const histories = await ask<{ bugs: readonly { id: number; history: readonly HistoryEntry[] }[] }>(
    "/rest/bug/1/history",
    ids,
  );
  const attachments = await ask<ById<readonly Attachment[]>>("/rest/bug/1/attachment", [
    ...ids,
    ["exclude_fields", "data"],
  ]);
  const history = new Map(histories.bugs.map((one) => [one.id, one.history]));
  return bugs.map((bug) => ({
    bug,
    comments: comments.bugs[bug.id]?.comments ?? [],
    history: history.get(bug.id) ?? [],
    attachments: attachments.bugs[bug.id] ?? [],
  }));
}
