import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { FATES, once } from "../faults/faulty-tracker.ts";
import { type Ran, ran } from "../faults/ran.ts";
import { freshFolder } from "../fresh-folder.ts";
import { BUGZILLA_50, type Form, MOZILLA } from "./forms.ts";

const CREATE = "bug create -p Lantern -c Library --version 3.1 --os Linux --platform PC --no-similar -d Text";

/** What a command line names on a tracker of each form, and how the tracker takes an API key. */
type Habits = { readonly create: string; readonly style: string };

const FORMS: readonly (readonly [Form, Habits])[] = [
  [BUGZILLA_50, { create: CREATE, style: "query" }],
  [MOZILLA, { create: `${CREATE} --field type=defect`, style: "header" }],
];

const TWENTY = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 19 20 new-catalogue";

/** Command lines one after the other on a new machine, and what each of them prints: all of a text, or a part. */
type Story = readonly (readonly [line: string, out: string | RegExp, code?: number])[];

const STORIES: Readonly<Record<string, (habits: Habits) => Story>> = {
  "a bug is filed with an alias, found by it, changed, closed as a duplicate, and cloned": ({ create }) => [
    [`${create} -t Glare --alias glare`, "51\n"],
    ["bug get glare --fields id,alias,summary", "51\tglare\tGlare\n"],
    ["bug update glare --whiteboard seen --set-alias dazzle --fields id,changes", /^51\talias: - glare \+ dazzle; /m],
    ["bug history dazzle --fields field_name,removed,added", /^alias\tglare\tdazzle$/m],
    ["bug dup dazzle 43 --fields id,changes", /^51\t.*dupe_of: \+ 43/m],
    ["bug clone dazzle -t Again", "52\n"],
  ],
  "a bug is closed by its alias, and reopened by undo": () => [
    ["bug close new-catalogue --as WONTFIX --fields id,changes", /^21\tstatus: IN_PROGRESS -> RESOLVED; /m],
    ["bug reopen new-catalogue --fields id,changes", /^21\tstatus: RESOLVED -> CONFIRMED; /m],
    ["bug dup 43 new-catalogue --fields id,changes", /^43\t.*dupe_of: \+ 21/m],
    ["bug undo 43 --fields id,changes", /^43\t.*dupe_of: - 21/m, 10],
  ],
  "hours and days are set, have their setter, and are taken back": () => [
    ["bug update 43 --deadline 2027-01-05 --estimated-time 3 --fields id,changes", /^43\tdeadline: \+ 2027-01-05; /m],
    ["bug history 43 --fields field_name,added", /^deadline\t2027-01-05/m],
    ["bug undo 43 --fields id,changes", /^43\tdeadline: - 2027-01-05; /m],
    ["bug get 43 --fields deadline", "\n"],
  ],
  "requests are set, answered and cleared": () => [
    ["bug needinfo 43 --from ada@example.org -m When? --fields id,changes", /needinfo\?\(ada@example\.org\)/],
    ["bug needinfo 43 --from @me -m When? --fields id,changes", /needinfo\?\(tomas@example\.org\)/],
    [
      "bug answer 43 -m Now. --fields id,changes",
      /^43\tflagtypes\.name: - needinfo\?\(tomas@example\.org\); comment$/m,
    ],
    [
      "bug update 43 --flags needinfoX(ada@example.org) --fields id,changes",
      /^43\tflagtypes\.name: - needinfo\?\(ada@example\.org\)$/m,
    ],
  ],
  "twenty bugs, one of them by its alias, are updated at once": () => [
    [`bug update ${TWENTY} --whiteboard all --fields id,changes`, /^21\twhiteboard: .* -> all$/m],
    [`bug update ${TWENTY} 22 24 --whiteboard more --yes --fields id,changes`, /^21\twhiteboard: all -> more/m],
    ["bug search whiteboard:more --count", "22\n"],
  ],
  "bugs are copied and read offline, by alias too": () => [
    ["bug update 43 --set-alias glare", "43\tapplied\n"],
    ["mirror create copy", ""],
    ["bug get glare --offline --fields id,alias", "43\tglare\n"],
    ["bug update 43 --whiteboard later", "43\tapplied\n"],
    ["mirror sync copy", ""],
    ["bug search whiteboard:later --offline --fields id", "43\n"],
    ["bug history glare --offline --fields field_name,added", /^whiteboard\tlater$/m],
  ],
};

describe.each(FORMS)("$name", (form, habits) => {
  const { create, style } = habits;
  const begin = (line: string, lose = false) =>
    ran(line, { form, clientEnv: { BT_AUTH_STYLE: style }, ...(lose && { write: once(FATES.resetAfter) }) });

  test.each(Object.entries(STORIES))("%s", async (_, story) => {
    const [[line, out, code], ...others] = story(habits) as [Story[number], ...Story];
    const started = await begin(line);
    expectPrinted(line, out, started, code);
    for (const [next, printed, end] of others) expectPrinted(next, printed, await started.again(next), end);
  });

  test.each([
    [`${create} -t Lost`, "SELECT count(*) FROM bugs WHERE summary = 'Lost'"],
    [`${create} -t Lost --alias lost`, "SELECT count(*) FROM bugs WHERE summary = 'Lost'"],
    ["bug update 43 --set-alias lost", "SELECT count(*) FROM activity WHERE bug_id = 43 AND added = 'lost'"],
    ["bug update 43 --deadline 2027-01-05", "SELECT count(*) FROM activity WHERE bug_id = 43 AND field = 'deadline'"],
    ["bug update 43 --whiteboard Lost -m Lost", "SELECT count(*) FROM comments WHERE text = 'Lost'"],
    ["bug needinfo 43 --from ada@example.org -m Lost", "SELECT count(*) FROM comments WHERE text = 'Lost'"],
    ["comment add 43 -m Lost", "SELECT count(*) FROM comments WHERE text = 'Lost'"],
    ["attachment add 43 FILE --summary Lost", "SELECT count(*) FROM attachments WHERE summary = 'Lost'"],
  ])("%s is found after a lost response", async (line, sql) => {
    const { code, err, tracker } = await begin(line.replace("FILE", import.meta.filename), true);
    expect([code, err]).toEqual([0, expect.stringContaining("verified as applied after a lost response")]);
    expect(tracker.count(sql)).toBe(1);
  });

  test("the way in which it takes a key is found", async () => {
    const { out, tracker } = await begin("auth status");
    expect(out).toMatch(/^logged in to \S+ as tomas@example\.org \(key from BT_API_KEY\)/);
    const around = { env: { HOME: freshFolder() }, stdin: tracker.key };
    const login = `auth login ${tracker.url} --api-key-file -`;
    expect(await btConnected(login, around)).toMatchObject({
      code: 0,
      err: expect.stringContaining(`logged in to ${tracker.url} as tomas@example.org`),
    });
    expect((await btConnected("auth status --fields state,user,style", around)).out).toBe(
      `logged in\ttomas@example.org\t${style}\n`,
    );
  });

  test("nothing needs a search without criteria", async () => {
    const { again, ...status } = await begin("auth status");
    expect(status.out).not.toMatch(/^unknown|without any search terms/m);
    for (const line of [
      "bug search --all --count",
      "bug watch is:open --once",
      "todo",
      "bug export --all",
      "mirror create copy",
    ])
      expect(await again(line), line).toMatchObject({ code: 0, err: expect.not.stringContaining("search terms") });
  });
});

function expectPrinted(
  line: string,
  out: string | RegExp,
  ran: Pick<Ran, "code" | "out"> & { err?: string },
  code = 0,
): void {
  const printed = typeof out === "string" ? out : expect.stringMatching(out);
  expect({ line, code: ran.code, out: ran.out, err: ran.err }).toEqual({ line, code, out: printed, err: ran.err });
}

test("emoji that Bugzilla 5.0 stores as ???? are not applied", async () => {
  const { again, ...created } = await ran(`${CREATE} -t 'Done 🎉'`, { form: BUGZILLA_50 });
  expect(created).toMatchObject({ code: 0, out: "51\n", err: "note: created bug 51; not applied: summary\n" });
  const updated = await again("bug update 51 --whiteboard 🎉");
  expect(updated).toMatchObject({ code: 10, err: expect.stringMatching(/^bt: bug 51: not applied: whiteboard\n/) });
});
