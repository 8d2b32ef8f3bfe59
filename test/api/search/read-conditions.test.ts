import { expect, test } from "vitest";
import { asked } from "../../bt.ts";
import { demo } from "../../commands/demo.ts";

const EXPERT = "mei@example.org";

/** A demo where a flag of an attachment of bug 3 is requested from a user, and where two keywords were added at once to bug 4. */
async function filled() {
  const run = demo();
  const { out } = await run("attachment add 3 - --file-name fix.txt", { stdin: "fix" });
  await run(`attachment update ${out.trim()} --flags 'review?(${EXPERT})'`);
  await run("bug update 4 --add-keywords crash --add-keywords perf --add-cc mei@example.org --add-cc ada@example.org");
  const ids = async (query: string) => {
    const ran = await run(`bug search --format ids --all --where '${query}'`);
    expect([query, ran.code]).toEqual([query, 0]);
    return ran.out.split("\n").filter(Boolean).map(Number);
  };
  return { run, ids };
}

test("a flag with its requestee or setter may be one of an attachment, and its opposite leaves the bug out", async () => {
  const { ids } = await filled();
  const all = await ids("id > 0");
  for (const flag of [`flag(review? requestee ${EXPERT})`, `flag(review requestee ${EXPERT} setter @me)`]) {
    expect(await ids(`${flag} and id = 3`)).toEqual([3]);
    const found = await ids(flag);
    expect(await ids(`not ${flag}`)).toEqual(all.filter((id) => !found.includes(id)));
    expect(await ids(`id = 1 or ${flag}`)).toEqual(all.filter((id) => id === 1 || found.includes(id)));
  }
  expect(await ids("flag(review? requestee ada@example.org) and id = 3")).toEqual([]);
});

test("a value is found among those that one change added to a list, or removed from it", async () => {
  const { ids, run } = await filled();
  for (const change of [
    "keywords changed to crash",
    "keywords changed to PERF by @me",
    "cc changed to mei@example.org",
  ])
    expect(await ids(`${change} and id = 4`)).toEqual([4]);
  await run("bug update 4 --remove-keywords crash --remove-keywords perf --add-keywords good-first-bug");
  expect(await ids("keywords changed from perf to good-first-bug")).toEqual([4]);
  expect(await ids("keywords changed from perf to perf")).toEqual([]);
  expect(await ids("id = 4 and not keywords changed from perf")).toEqual([]);
  expect(await ids("id = 4 and keywords changed to crash before 2026-01-01")).toEqual([]);
});

test("a changed flag is found by its name, with or without its status and the user it is requested from", async () => {
  const { ids, run } = await filled();
  await run("bug update 5 --flags needinfo?(mei@example.org)");
  await run("bug update 5 --flags needinfoX(mei@example.org)");
  for (const flag of ["needinfo?(mei@example.org)", "needinfo?", "needinfo", "NEEDINFO"]) {
    expect(await ids(`id = 5 and flags changed to "${flag}"`)).toEqual([5]);
    expect(await ids(`id = 5 and flags changed from "${flag}"`)).toEqual([5]);
  }
  for (const flag of ["needinfo?(ada@example.org)", "needinfo+", "info?"])
    expect(await ids(`id = 5 and flags changed to "${flag}"`)).toEqual([]);
});

test("candidates are found by rows and by the other conditions, and only their flags or changes are read", async () => {
  const { run } = await filled();
  const requests = asked(await run(`bug search 'flag(review? requestee ${EXPERT})' id:3 --format ids`));
  expect(requests.find((line) => line.includes("f1="))).toMatch(
    /id=3&f1=flagtypes\.name&.*f2=requestees\.login_name&.*include_fields=id,flags/,
  );
  expect(requests.filter((line) => /attachment|history/.test(line))).toEqual([
    "GET /rest/bug/3/attachment?exclude_fields=data",
  ]);
});
