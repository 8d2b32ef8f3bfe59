import { expect, test } from "vitest";
import { SORT_COLUMNS } from "../../src/tracker/search/search.ts";
import { SEARCH_FIELDS } from "../../src/tracker/search/search-fields.ts";
import type { Store } from "../../src/tracker/store/store.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import type { Request } from "../../src/wire/exchange.ts";
import { OPERATORS } from "../../src/wire/search-names.ts";
import { type Chance, chance } from "../reliability/random.ts";
import { twoTrackers, zebrasOnly } from "../tracker/search/two-trackers.ts";

const { SEED = "1" } = process.env;

/** Somebody asks both trackers the same; the answers, byte for byte but for what is declared to tell of private things. */
function bothAsked({ secretive, open }: { readonly secretive: Store; readonly open: Store }) {
  const asks = [secretive, open].map((store) =>
    createTracker(store, { now: () => new Date("2026-11-20T05:58:00Z"), random: (bytes) => new Uint8Array(bytes) }),
  );
  return async (path: string, as: string): Promise<readonly string[]> => {
    const [bare = "", query = ""] = path.split("?");
    const key = as === "" ? [] : ([["api_key", `{${as}_key}`]] as const);
    const request: Request = { method: "GET", path: bare, query: [...new URLSearchParams(query), ...key] };
    const replies = await Promise.all(asks.map((ask) => ask(request)));
    return replies.map(({ status, body }) => `${status} ${body.replace(DECLARED, "")}`);
  };
}

// The mark by which a change is noticed changes with every change.
const DECLARED = /"update_token":"[^"]*"/g;

const VALUES = [
  "secret", "secret word", "zebra", "dave@example.org", "dave", "%user%", "1", "0", "3", "20002", "20004", "20005",
  "2026-11-20", "-1h", "1h", "core-security", "approval+", "approval", "mine", "later", "RESOLVED", "", ".*", "s.*t", "900",
] as const; // biome-ignore format: a list

const FIELD_NAMES = [...SEARCH_FIELDS, "content", "owner_idle_time", "cf_due", "cf_points"];
const OPERATOR_NAMES = Object.values(OPERATORS).flat();

const both = bothAsked(twoTrackers());

function randomSearch(dice: Chance): string {
  const rows = Array.from({ length: 1 + dice.below(3) }, (_, at) => {
    const value = encodeURIComponent(dice.one(VALUES));
    const isNegated = dice.number() < 0.3 ? `&n${at}=1` : "";
    return `f${at}=${dice.one(FIELD_NAMES)}&o${at}=${dice.one(OPERATOR_NAMES)}&v${at}=${value}${isNegated}`;
  });
  const plain = dice.number() < 0.3 ? [`${dice.one(FIELD_NAMES)}=${encodeURIComponent(dice.one(VALUES))}`] : [];
  const quick = dice.number() < 0.2 ? [`quicksearch=${encodeURIComponent(`ALL ${dice.one(VALUES)}`)}`] : [];
  const columns = Array.from({ length: dice.below(3) }, () => `${dice.one(SORT_COLUMNS)}${dice.one(["", " DESC"])}`);
  const page = dice.number() < 0.3 ? [`limit=${1 + dice.below(3)}`, `offset=${dice.below(3)}`] : [];
  const rest = [`order=${columns.join(",")}`, `j_top=${dice.one(["AND", "OR", "AND_G"])}`, ...page];
  const fields = dice.one(["", "&include_fields=_all", "&include_fields=id", "&include_fields=_default,_extra"]);
  return `/rest/bug?${[...rows, ...plain, ...quick, ...rest].join("&")}${fields}`;
}

const RESOURCES = [
  ...["20002", "20003", "20005", "20002?include_fields=_all", "zeb"].map((bug) => `/rest/bug/${bug}`),
  ...["20002", "20003", "20005"].flatMap((bug) =>
    ["history", "comment", "attachment"].map((part) => `/rest/bug/${bug}/${part}`),
  ),
  "/rest/bug/20002/comment?new_since=2026-11-20T05:57:45Z",
  "/rest/bug/20002/history?new_since=2026-11-20T05:57:45Z",
  ...["secret", "s", "e"].map((text) => `/rest/bug/comment/tags/${text}`),
  ...["70001", "70002"].map((comment) => `/rest/bug/comment/${comment}`),
  "/rest/bug/attachment/900",
  ...["bug", "bug/component", "bug/keywords", "bug/bug_status/values"].map((field) => `/rest/field/${field}`),
  ...["selectable", "enterable", "accessible"].map((kind) => `/rest/product_${kind}`),
  "/rest/product?names=Firefox",
  "/rest/user?names=dave@example.org",
  "/rest/group?names=core-security&membership=1",
];

test("S7 an outsider gets the same bytes as from a tracker without the private data", async () => {
  const dice = chance(Number(SEED));
  let found = 0;
  for (let n = 0; n < 300; n += 1) {
    const search = randomSearch(dice);
    const [withPrivate = "", without] = await both(search, n % 2 === 0 ? "carol" : "");
    expect(withPrivate, search).toBe(without);
    if (/^200 .*"id":/.test(withPrivate)) found += 1;
  }
  expect(found, "enough searches find something").toBeGreaterThan(20);
});

// That a comment or an attachment is there, and a bug, is told by the numbers that the others have not got.
const TOLD = /^\/rest\/bug\/(comment\/\d+|attachment\/\d+)/;

test.each(RESOURCES)("S7 %s is answered as if the private data did not exist", async (path) => {
  for (const as of ["carol", ""]) {
    const [withPrivate, without] = await both(path, as);
    if (TOLD.test(path)) expect(withPrivate).not.toContain("secret");
    else expect(withPrivate).toBe(without);
  }
});

/** Two trackers that differ only in hours. */
function withAndWithoutHours() {
  const open = zebrasOnly();
  open.exec("UPDATE bugs SET estimated_time = 0, remaining_time = 0");
  const secretive = zebrasOnly();
  secretive.exec(`
    UPDATE bugs SET estimated_time = id % 7, remaining_time = id % 5;
    UPDATE comments SET work_time = id % 3;
    INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES
      (20002, 2, '2026-11-20T05:57:42Z', 'estimated_time', '0', '3'), (20003, 2, '2026-11-20T05:57:43Z', 'work_time', '', '2'),
      (20002, 5, '2026-11-20T05:57:44Z', 'remaining_time', '3', '1');`);
  return { secretive, open };
}

const HOURS = ["estimated_time", "remaining_time", "work_time", "actual_time", "percentage_complete"];
const bothOfHours = bothAsked(withAndWithoutHours());

test.each(HOURS)("S8 users outside the time tracking group cannot read, sort or search by %s", async (field) => {
  const searches = [
    ...OPERATOR_NAMES.flatMap((operator) =>
      ["0", "2", "alice@example.org", "-1h"].map((value) => `f1=${field}&o1=${operator}&v1=${value}`),
    ),
    ...["", " DESC"].map((direction) => `status=CONFIRMED&order=${field}${direction},bug_id DESC`),
    `chfield=${field}&chfieldfrom=2026-01-01&chfieldto=Now`,
    `${field}=2`,
    `quicksearch=${field}:2`,
    `summary=zebra&include_fields=id,${field}`,
  ];
  for (const search of searches) {
    for (const as of ["carol", ""]) {
      const [withHours, without] = await bothOfHours(`/rest/bug?${search}`, as);
      expect(withHours, search).toBe(without);
    }
  }
});

test.each(["20002", "20002/history", "20003/history", "20002/comment", "20002?include_fields=_all"])(
  "S8 /rest/bug/%s has hours for the time tracking group only",
  async (path) => {
    for (const as of ["carol", ""]) {
      const [withHours = "", without] = await bothOfHours(`/rest/bug/${path}`, as);
      expect(withHours).toBe(without);
      expect(withHours).not.toMatch(/estimated_time|remaining_time|work_time|actual_time/);
    }
    const [withHours, without] = await bothOfHours(`/rest/bug/${path}`, "admin");
    if (!path.endsWith("comment")) expect(withHours).not.toBe(without);
  },
);
