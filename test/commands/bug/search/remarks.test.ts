import { expect, test } from "vitest";
import { asked } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const searches = (lines: readonly string[]) => lines.filter((line) => line.startsWith("GET /rest/bug?"));

test.each([
  ["-p Lantern -c API", 'unknown component "API" in Lantern'],
  ["-p Lantern,Handbook -c API,Sync", 'unknown component "API" or "Sync" in Lantern, Handbook'],
  ["product:Lantern component:API is:open", 'unknown component "API" in Lantern'],
  ["-p Lantern component:API", 'unknown component "API" in Lantern'],
  ["-p Lantern --target-milestone 1.5", 'unknown target milestone "1.5" in Lantern'],
  ["--sort relevance is:open", "only a full-text search can be sorted by relevance"],
  ["--id 1-3", `"1-3" is not a bug number\nhint: a range is 1..3`],
  ["id:10..5", "the range 10..5 is reversed"],
  ["--id 10..5", "the range 10..5 is reversed"],
  ["--status open", 'unknown status "open"\nhint: for all open bugs: --status @open, or the term is:open'],
  ["status:closed", "hint: for all closed bugs: --status @closed, or the term is:closed"],
  ["--limit all", '--limit "all" is not an integer\nhint: for example: --limit 20; bt bug search --all has no limit'],
  ["'summary ~ /crash/'", 'hint: use summary =~ /crash/; for the text, quotes: "/crash/"'],
  ["'summary !~ /a b/ is:open'", "hint: use summary !=~ /a b/"],
  ["comments:0", "every bug has a comment: its description counts (column 1)\nhint: use comments:1"],
  ["'comments < 1'", "hint: use comments:1"],
  ["'not comments <= 0'", "hint: use comments:1"],
  [
    "is:open --by component --sort id",
    "--sort and --by cannot be used together\nhint: groups are sorted by their counts",
  ],
  ["is:open --count --sort id", "--sort and --count cannot be used together\nhint: a count has no order"],
  ["no:comments", "comments is never empty (column 1)"],
  [
    "--created 2026-11-01 --created 2026-11-15",
    "--created cannot be repeated\nhint: a period: 'created:2026-11-01..2026-11-20'",
  ],
  ["--updated yesterday --last-change-time today", "--last-change-time cannot be repeated\nhint: a period: 'updated:"],
  ["--limit -1", '--limit must be 0 or more, not "-1"\nhint: for example: --limit 20; bt bug search'],
  ["--id abc", '"abc" is not a bug number\nhint: use a number such as 44, or several: 44,45'],
])("a search that cannot match anything is rejected: %s", async (flags, told) => {
  const ran = await demo()(`bug search ${flags}`);
  expect([ran.code, ran.out, searches(asked(ran))]).toEqual([2, "", []]);
  expect(ran.err).toContain(told);
});

test.each([
  ["-p Lantern -p Harbor -c API", 4],
  ["-c API", 4],
  ["'product:Lantern or component:API'", 33],
  ["-product:Lantern component:API", 4],
  ["-p Lantern -c API,Editor", 8],
  ["'content matches \"photo\"'", 7],
  ["comment:Import", 2],
  ["'comments < 2'", 10],
  ["'summary !~ /guides/install is:open'", 30],
])("a search that can match is sent: %s", async (flags, count) => {
  expect(await demo()(`bug search ${flags} --count --all`)).toMatchObject({ err: "", out: `${count}\n` });
});

test.each([
  ["35 2", "35\n2\n"],
  ["2 '#35'", "35\n2\n"],
  ["44,#45", "45\n44\n"],
  ["'#48'", "48\n"],
  ["48 -s IN_PROGRESS", "48\n"],
  ["48 -s RESOLVED", ""],
])("numbers alone are bugs: %s", async (terms, out) => {
  expect(await demo()(`bug search ${terms} --format ids`)).toMatchObject({ code: 0, out, err: "" });
});

test.each(["404", "404 --limit 3"])(
  "of a number that is no bug, a note has the search for the text: %s",
  async (terms) => {
    const text = `bt bug search '"404"'`;
    const err = `bug 404 does not exist, or is not visible to you; for the text: ${text}\n`;
    expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, out: "", err });
    expect(await demo()(text.replace("bt ", ""))).toMatchObject({ code: 0, err: "" });
  },
);

test("numbers among other terms have one note, which reads where the search does", async () => {
  const { err } = await demo()("bug search 2 crash '#999' --offline");
  const listed = await demo()("bug search 44,#45 crash");
  expect([listed.code, listed.out]).toEqual([0, ""]);
  expect(listed.err).toBe('searched summaries for "44,#45"; for bugs: bt bug get 44 45\n');
  expect(err).toContain('searched summaries for "2 #999"; for bugs: bt --offline bug get 2 999\n');
});

test("a pattern as the text of a field has a note, too", async () => {
  const { code, out, err } = await demo()("bug search alias:lan*");
  const note = 'searched alias for "lan*" as it is; for the pattern: bt bug search alias:lan\n';
  expect([code, out, err]).toEqual([0, "", note]);
});

test.each(["44-46", "44..46", "#44-#46"])(
  "a range of numbers has a note with the search for these bugs: %s",
  async (term) => {
    const note = `searched summaries for "${term}"; for these bugs: bt bug search id:44..46\n`;
    expect(await demo()(`bug search ${term}`)).toMatchObject({ code: 0, out: "", err: note });
  },
);

test.each([
  ["'crash|hang'", "crash|hang", `'summary =~ "crash|hang"'`],
  ["is:open 'cr*sh'", "cr*sh", `'summary =~ "cr.*sh"'`],
  ["--summary 'crash*'", "crash*", "crash"],
  ["--summary crash,hang", "crash,hang", `'summary =~ "crash|hang"'`],
])("a word with signs of patterns has a note with the search for them: %s", async (terms, word, pattern) => {
  const note = `searched summaries for "${word}" as it is; for the pattern: bt bug search ${pattern}\n`;
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, out: "", err: note });
  expect(await demo()(`bug search ${pattern} --count`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\n/),
  });
});

test.each([
  ["'summary !~ crash hang'", "summary !~"],
  ["is:open 'summary ~ crash hang'", "summary ~"],
])("a word behind the text of a condition has a note: %s", async (terms, condition) => {
  const note = `bt: "hang" is a condition of its own: summary ~ hang; for one text: ${condition} "crash hang"\n`;
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, err: note });
  for (const meant of [`'${condition} "crash hang"'`, `'${condition} crash' hang`, `'${condition} crash and hang'`])
    expect(await demo()(`bug search ${meant}`)).toMatchObject({ code: 0, err: "" });
});

test.each([
  ["updated:+2w", "no bug matches updated >= +2w: that time is in the future"],
  ["'created > today'", "no bug matches created > today: that time is in the future"],
  ["'updated = -2w'", "updated = -2w is one second; since then: updated >= -2w"],
  ["updated:now", "updated:now is one second; since then: updated >= now"],
  ["deadline:+2w", `"+2w" is taken as 2026-12-04 alone; until then: 'deadline <= +2w'`],
])("a time that hardly any bug has is noted: %s", async (terms, note) => {
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, err: `bt: ${note}\n` });
});

test.each(["'created >= today'", "'updated <= +2w'", "'deadline <= +2w'", "created:today"])(
  "other times have no note: %s",
  async (terms) => {
    expect(await demo()(`bug search ${terms} --count`)).toMatchObject({ code: 0, err: "" });
  },
);

test.each([
  ["product:Lantren", "; checked: bt bug search product:Lantren"],
  ["'ALL priority:Hihgest'", ""],
])("an empty quicksearch has a note that bt does not check it: %s", async (text, term) => {
  const note = `the tracker reads a quicksearch, bt does not check its names and values${term}\n`;
  expect(await demo()(`bug search -S ${text} --count`)).toMatchObject({ code: 0, out: "0\n", err: note });
  expect(await demo()("bug search -S 'ALL photo' --count")).toMatchObject({ code: 0, err: "" });
  const { out } = await demo()(`bug search -S ${text} --explain`);
  expect(out).toContain(`where          the quicksearch "${text.replaceAll("'", "")}", as the tracker reads it\n`);
});

test.each([
  [
    "--status CONFIRMED RESOLVED",
    'bt: searched summaries for "RESOLVED"; for any of these values: --status CONFIRMED,RESOLVED\n',
  ],
  ["--keywords crash perf", 'bt: searched summaries for "perf"; for any of these values: --keywords crash,perf\n'],
  [
    "'priority = High or Highest'",
    "bt: searched summaries for \"Highest\"; for any of these values: 'priority in (High, Highest)'\n",
  ],
  ["keywords:crash or crash", ""],
  ["is:open --sort created asc", 'searched summaries for "asc"; for the order: --sort created:asc\n'],
  ["help", 'searched summaries for "help"; for the help of the command: --help\n'],
  ["--component Editor zoom", ""],
  ["--fields id summary is:open", 'searched summaries for "summary"; for these columns: --fields id,summary\n'],
])("a word that is a value of a flag or a condition, or help, has a note: %s", async (terms, err) => {
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, err });
});

test("a ~ that the shell made a folder of is refused", async () => {
  const ran = await demo()("bug search summary /home/ada crash", { env: { HOME: "/home/ada" } });
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("hint: put the condition in quotes") });
});

test("a phrase with such signs has no note", async () => {
  expect(await demo()("bug search '\"a * b\"'")).toMatchObject({ code: 0, err: "" });
});

test.each([
  ["'priority High'", "priority High", "priority:High"],
  ["is:open priority High", "priority High", "priority:High"],
  ["status Open", "status Open", "is:open"],
  ["is unassigned", "is unassigned", "is:unassigned"],
  ["assignee me", "assignee me", "assignee:@me"],
])("plain words that look like a condition have a note: %s", async (terms, words, condition) => {
  const note = `searched summaries for "${words}"; for a condition: ${condition}\n`;
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, out: "", err: note });
});

test.each([
  ["'updated since -1w'", "updated >= -1w"],
  ["'changed after 2026-11-01' is:open", "updated > 2026-11-01"],
  ["created since yesterday", "created >= yesterday"],
  ["--where 'created until last week'", 'created <= "last week"'],
  ["'is:open deadline before friday crash'", "deadline < friday"],
  ["'closed since -1w'", "is:closed and resolution changed since -1w"],
  ["closed before 2026-10", "is:closed and resolution changed before 2026-10"],
  ["'priority above Normal'", "priority > Normal"],
  ["priority below High", "priority < High"],
  ["'comments over 3'", "comments > 3"],
  ["comments under 3", "comments < 3"],
  ["'status not RESOLVED'", "not status:RESOLVED"],
  ["'is:open status not CONFIRMED'", "not status:CONFIRMED"],
  ["component not Editor", "not component:Editor"],
  ["'status was Open'", "is:open"],
  ["status was not open", "not is:open"],
  ["priority equals High", "priority:High"],
  ["'is not open'", "not is:open"],
  ["--where 'is:open and status was RESOLVED'", "status:RESOLVED"],
  ["is:open is not mine", "not is:mine"],
])(
  "a comparison in plain words is refused, with the condition to type, which is searched: %s",
  async (terms, condition) => {
    const ran = await demo()(`bug search ${terms} --count`);
    expect([ran.code, ran.out, searches(asked(ran))]).toEqual([2, "", []]);
    expect(ran.err).toContain(`hint: use '${condition}'; for the words, quotes: '"`);
    expect(await demo()(`bug search '${condition}' --count`)).toMatchObject({ code: 0, err: "" });
  },
);

test("a negated state in words is refused, as its words would be found in many summaries", async () => {
  const err =
    "bt: \"is not assigned\" is no condition\nhint: use 'not is:assigned'; for the words, quotes: '\"is not assigned\"'\n";
  expect(await demo()("bug search is not assigned")).toMatchObject({ code: 2, out: "", err });
});

test.each([
  `'"updated since -1w"'`,
  "'summary ~ \"updated since -1w\"'",
  "'crash after update'",
  "'summary after friday'",
  "'priority above all'",
  "'priority was lost'",
  "'is not crash on starting'",
  "'status changed since 2025-11-01 before 2025-11-02'",
])("other words of that form are searched for: %s", async (terms) => {
  expect(await demo()(`bug search ${terms} --count`)).toMatchObject({
    code: 0,
    err: expect.not.stringContaining("condition"),
    out: "0\n",
  });
});

test.each([
  ["'crash start'", "summaries", "crash start", "crash start"],
  ["'summary:crash start' --count", "summary", "crash start", "summary:crash summary:start"],
  ["is:open summary:'crash start'", "summary", "crash start", "summary:crash summary:start"],
  ["--where 'whiteboard:blocks memory'", "whiteboard", "blocks memory", "whiteboard:blocks whiteboard:memory"],
  ["'priority of the fix'", "summaries", "priority of the fix", "priority of the fix"],
])(
  "several words in one argument that are not found as one text have a note: %s",
  async (terms, place, text, words) => {
    const note = `searched ${place} for "${text}" as one text; for each word: bt bug search ${words}\n`;
    expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, err: note });
    expect(await demo()(`bug search ${words}`)).toMatchObject({ code: 0, err: "" });
  },
);

test("a text of several words that is found has the note on a terminal only", async () => {
  expect(await demo()("bug search 'crash on start'")).toMatchObject({ code: 0, err: "" });
  const { err } = await demo()("bug search 'crash on start'", { terminal: true });
  expect(err).toContain('searched summaries for "crash on start" as one text');
});

test.each([
  "'\"red eye\"'",
  "'summary:\"red eye\"'",
  "'component:Import & Export' zoom",
  "'!component:Import & Export' nowhere",
  "priority:High crash",
  "2026-11",
])("other words have none: %s", async (terms) => {
  expect(await demo()(`bug search ${terms}`)).toMatchObject({ code: 0, err: "" });
});

test("an explanation has the note, too, and its JSON uses the usual keys", async () => {
  const line = "bug search 'keywords changed from crash' --explain";
  const told =
    "flags of a person, and values in changed lists, are read from the bugs that a search before this one finds";
  expect((await demo()(line)).out).toContain(told);
  expect(JSON.parse((await demo()(`${line} --json`)).out)).toMatchObject({
    notes: [told],
    checked_here: ["keywords changed from crash"],
  });
});
