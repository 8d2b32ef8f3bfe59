import { describe, expect, test } from "vitest";
import { FOREIGN_COMMANDS, FOREIGN_FLAGS } from "../../src/cli/foreign-words.ts";
import { readCommand } from "../../src/cli/run.ts";
import { withMeantLine } from "../../src/cli/usage-error.ts";
import { commandOn } from "../../src/commands/line.ts";
import { TREE } from "../../src/commands/tree.ts";
import { BtError } from "../../src/errors.ts";
import { asked, btConnected } from "../bt.ts";
import { demo } from "../commands/demo.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";

const read = (words: readonly string[]) => readCommand(words, { tree: TREE, version: "1.2.3" });
const accepts = (words: string[]) =>
  read(words).then((command) => command.kind === "verb" && command.input.missing === undefined);

/** Words of a line as a shell makes them; quotes are all single. */
const shellWords = (line: string) =>
  [...line.matchAll(/(?:'[^']*'|\S)+/g)].map(([word]) => word.replace(/'([^']*)'/g, "$1"));

const refusal = async (line: string) => {
  const error = await read(shellWords(line)).catch((caught: unknown) => withMeantLine(caught, accepts));
  return error instanceof BtError ? [error.kind, error.facts.hint] : ["accepted"];
};

describe("a word of another tool is refused with what to type instead", () => {
  test.each(Object.entries(FOREIGN_COMMANDS))("%s", async (words, meant) => {
    const line = meant.replace(/^bt bug search$/, "$& is:open");
    const hint = /^bt /.test(line) ? `did you mean ${line}?` : line;
    expect(await refusal(words)).toEqual(["usage", hint]);
    for (const [, one = ""] of meant.matchAll(/\bbt ((?:[a-z]+ ?)+)/g)) {
      const { noun, verb } = commandOn(one.trim().split(" "), TREE);
      expect(one.startsWith("help") || noun || verb).toBeTruthy();
    }
  });

  test.each([
    ["open 44", "did you mean bt bug get 44 --web?"],
    ["bug transfer 44 Harbor", "did you mean bt bug update 44 --product Harbor?"],
    ["bug lock 44", "comments on a bug cannot be locked"],
    ["bug update 44 --depends 43", "did you mean bt bug update 44 --add-depends-on 43?"],
    ["bug update 44 --depends-on=43 -m x", "did you mean bt bug update 44 --add-depends-on 43 -m x?"],
    ["bug update 44 RESOLVED", "did you mean bt bug close 44?"],
    ["bug get --id 44", "did you mean bt bug get 44?"],
    ["bug update --bug=44 --priority High", "did you mean bt bug update 44 --priority High?"],
    ["comment add --bug-id 44 -m x", "did you mean bt comment add 44 -m x?"],
    ["bug search --bug 44", "did you mean bt bug search --id 44?"],
    ["todo --id 44", "bt todo --help lists the flags"],
    ["modify --cc=+mei@example.org 44", "did you mean bt bug update 44 --add-cc mei@example.org?"],
    ["bug update 44 --cc=-mei@example.org", "did you mean bt bug update 44 --remove-cc mei@example.org?"],
    ["bug update 44 --keywords =crash,perf", "did you mean bt bug update 44 --set-keywords crash,perf?"],
    ["modify --status=RESOLVED 44", "did you mean bt bug update 44 --status=RESOLVED?"],
    ["new -p Lantern -s Crash -l Twice", "did you mean bt bug create -p Lantern --summary Crash --description Twice?"],
    ["issue list -q 'status = Open'", "did you mean bt bug search --where 'status = Open'?"],
    ["modify 44 -l hello", "did you mean bt bug update 44 --comment hello?"],
    ["bug search --title Release 45", "did you mean bt bug search --summary 'Release 45'?"],
    ["bug search --title Release 45 is:open", "did you mean bt bug search --summary 'Release 45' is:open?"],
    ["bug search --title=Release 45", "did you mean bt bug search '--summary=Release 45'?"],
    ["bug move 44 Done", "did you mean bt bug close 44?"],
    ["bug move 44 'In Progress'", "did you mean bt bug update 44 --status 'In Progress'?"],
    ["bug pin 44", "bugs cannot be pinned; to follow one: bt bug update 44 --add-cc @me"],
    ["bug export --limit 30", "an export has every matching bug; for some: bt bug search --limit 30 --format csv"],
    ["bug export --sort id", "a sort key is a term: sort:id"],
    ["bug watch is:open --limit 3", "bt bug watch --help lists the flags"],
    ["bug close 44 --reason FIXED", "did you mean bt bug close 44 --resolution FIXED?"],
    ["bug close 44 --reason not_planned", "did you mean bt bug close 44 --resolution WONTFIX?"],
    ["bug close 44 --reason completed", "did you mean bt bug close 44 --resolution FIXED?"],
    ["bug close --from-text -", "did you mean bt bug update --from-text - -s RESOLVED -r FIXED?"],
    ["comment add 44 -m x --once-by sha1", "did you mean bt bug update 44 --once-by sha1 -m TEXT?"],
    ["bug close 44 -s closed", "did you mean bt bug close 44?"],
    ["bug close 44 --status INVALID", "did you mean bt bug close 44 --as INVALID?"],
    ["bug update 44 --state closed", "did you mean bt bug close 44?"],
    ["bug search --state closed", "did you mean bt bug search --status @closed?"],
    ["bug update 44 --label crash", "did you mean bt bug update 44 --add-keywords crash?"],
    ["bug create --label crash", "did you mean bt bug create --keywords crash?"],
    ["bug create --add-keywords crash", "did you mean bt bug create --keywords crash?"],
    ["bug create --set-keywords crash", "did you mean bt bug create --keywords crash?"],
    ["bug create --add-label crash", "did you mean bt bug create --keywords crash?"],
    ["bug create --add-nothing crash", "bt bug create --help lists the flags"],
    ["bug create --remove-keywords crash", "bt bug create --help lists the flags"],
    ["bug search --owner @me", "did you mean bt bug search --assigned-to @me?"],
    ["bug search --count-by priority", "did you mean bt bug search --by priority?"],
    ["bug close 44 --message Done", "did you mean bt bug close 44 --comment Done?"],
    [
      "bug update --where is:open --priority Low",
      "for the bugs of a search: bt bug search --where is:open --format ids | bt bug update - ...",
    ],
    [
      "bug update --all --priority Low",
      "for the bugs of a search: bt bug search --all --format ids | bt bug update - ...",
    ],
    ["bug dup 40 --of 2", "did you mean bt bug dup 40 2?"],
    ["bug search --bug_status NEW", "did you mean bt bug search --status NEW?"],
    ["bug create --short_desc Crash", "did you mean bt bug create --summary Crash?"],
    ["bug needinfo 44 --to mei@example.org", "did you mean bt bug needinfo 44 --from mei@example.org?"],
    ["bug close 44 --fixed", "did you mean bt bug close 44 --resolution FIXED?"],
    ["comment tag 3", "did you mean bt tag update 3.1 --add?"],
    ["comment tag 44.2 spam", "did you mean bt tag update 44.2 --add spam?"],
    ["comment tag 44 2 spam", "did you mean bt tag update 44.1 --add?"],
    ["bug thread 44", "did you mean bt bug get 44 --comments?"],
    ["bug timeline 44", "did you mean bt bug get 44 --timeline?"],
    ["bugs list", "did you mean bt bug search is:open?"],
    ["bugs get 44 --web", "did you mean bt bug get 44 --web?"],
    ["bugs crash", "did you mean bt bug search crash?"],
    ["issues list", "did you mean bt bug search is:open?"],
    ["products view Lantern", "did you mean bt product get Lantern?"],
    ["comments list 44", "did you mean bt comment list 44?"],
    ["trige 3", "did you mean bt bug triage 3?"],
    ["diff 44", "did you mean bt bug history 44?"],
    ["ls --status NEW", "did you mean bt bug search --status NEW?"],
    ["ls --no-such-flag", "did you mean bt bug search is:open?"],
    ["issue list -l crash", "did you mean bt bug search --keywords crash?"],
    ["issue list -l 5 --limit 3", "did you mean bt bug search --keywords 5 --limit 3?"],
    ["bug search is:open -o out.csv", "did you mean --format or > FILE?"],
    ["bug update 44 -k crash", "did you mean bt bug update 44 --add-keywords crash?"],
    ["config base_url http://x", "did you mean bt config set base_url http://x?"],
    ["bug wait 44 --timeout 60", "did you mean bt bug wait 44 --within 60?"],
    ["bug wait 44 --until closed", "the condition is a term: bt bug wait 44 is:closed, or status:closed"],
    ["bug wait 44 --for is:closed", "did you mean bt bug wait 44 is:closed?"],
    ["bug close 44 --status WONTFIX", "did you mean bt bug close 44 --as WONTFIX?"],
    ["issue view 44 --json", "did you mean bt bug get 44 --json?"],
    ["close 44 --fixed", "did you mean bt bug close 44 --resolution FIXED?"],
    ["close 44 --message Done", "did you mean bt bug close 44 --comment Done?"],
    ["dup 1 --of 2", "did you mean bt bug dup 1 2?"],
    ["dup 1", "did you mean bt bug dup?"],
    ["assign 44 mei@example.org", "did you mean bt bug update 44 -a mei@example.org?"],
    ["bug search -A ada@example.org", "did you mean bt bug search --creator ada@example.org?"],
    ["assign 44 me", "did you mean bt bug update 44 -a @me?"],
    ["bug assign 44 self", "did you mean bt bug update 44 -a @me?"],
    ["issue edit 44 --assignee me", "did you mean bt bug update 44 --assignee @me?"],
    ["cc 44 me", "did you mean bt bug update 44 --add-cc @me?"],
    ["grep me", "did you mean bt bug search --summary me?"],
    ["bug 44-46", "did you mean bt bug search id:44..46?"],
    ["44..46 --json", "did you mean bt bug search id:44..46 --json?"],
    ["44 --web", "did you mean bt bug get 44 --web?"],
    ["comment 44 -m O'Hara", 'did you mean bt comment add 44 -m "O\'Hara"?'],
    ["user create mei@example.org", "did you mean bt admin apply?"],
    [
      "bug update 44 --ship-by 2026-12-01",
      "if the tracker has such a field, it is set by --field ship-by=2026-12-01; bt bug update --help lists the flags",
    ],
    [
      "bug create --points=3 -t Crash",
      "if the tracker has such a field, it is set by --field points=3; bt bug create --help lists the flags",
    ],
    [
      "bug search --points 3",
      "if the tracker has such a field, a term searches it: points:3; bt bug search --help lists the flags",
    ],
    ["bug search --unknown-switch -p Lantern", "bt bug search --help lists the flags"],
    ["bug search -o ids", "did you mean --format or > FILE?"],
    ["bug search --oneline", "did you mean bt bug search --format tsv?"],
    ["bug search --mine", "did you mean bt bug search --assigned-to @me?"],
    ["bug search --since -2w", "did you mean --created or --updated?"],
    ["bug search --changed-since 7d", "did you mean bt bug search --updated 7d?"],
    ["bug search --page 3", "did you mean bt bug search --limit 20 --offset 40?"],
    ["bug search --page=3", "did you mean bt bug search --limit 20 --offset 40?"],
    ["bug search --page 3 --limit 50 is:open", "did you mean bt bug search --offset 100 --limit 50 is:open?"],
    ["bug search -L50 --page 1", "did you mean bt bug search -L50 --offset 0?"],
    ["bug search --page next", "the second 20 bugs: --limit 20 --offset 20"],
    ["todo --all", "bt todo --help lists the flags"],
    ["todo --alow-http", "did you mean bt todo --allow-http?"],
    ["bug search --modified-before 7d", "a term has a limit: 'updated<7d'"],
    ["bug search --max-results 5", "did you mean bt bug search --limit 5?"],
    ["bug search --before -2w", "a term has a limit: 'created<-2w' or 'updated<-2w'"],
    ["bug update 44 --blocked 3", "did you mean bt bug update 44 --add-blocks 3?"],
    ["bug update 44 --close WONTFIX", "did you mean bt bug close 44 --as WONTFIX?"],
    ["bug update 44 --needinfo=mei@example.org", "did you mean bt bug needinfo 44 --from mei@example.org?"],
    ["bug dup 44 --duplicate-of 3", "did you mean bt bug dup 44 3?"],
    ["bug set 44 priority=High", "did you mean bt bug update 44 --priority High?"],
    ["issue close 44 --reason not_planned -c no", "did you mean bt bug close 44 --resolution WONTFIX --comment no?"],
    ["issue close 44 -c done --reason FIXED", "did you mean bt bug close 44 --comment done --resolution FIXED?"],
    ["modify 44 --close WONTFIX -l Done", "did you mean bt bug close 44 --as WONTFIX --comment Done?"],
    ["new -t Crash -l Text", "did you mean bt bug create -t Crash --description Text?"],
    ["attach 44 -f f", "did you mean bt attachment add 44 f?"],
    ["attach 44 a.png b.log", "did you mean bt attachment add 44 a.png b.log?"],
    ["attach 44", "did you mean bt attachment add 44 FILE?"],
    ["attach 44 --file f --desc Log", "did you mean bt attachment add 44 f --summary Log?"],
    ["attach --get 3", "did you mean bt attachment download 3?"],
    ["attach --getall 44", "did you mean bt attachment download --bug 44?"],
    ["attachment 44 f", "did you mean bt attachment add 44 f?"],
    ["attachment 3", "did you mean bt attachment get 3?"],
    ["attachment get 3 -o f", "did you mean bt attachment download 3 -o f?"],
    ["comment 44 Done", "did you mean bt comment add 44 -m Done?"],
    ["comment add 44 Done", "did you mean bt comment add 44 -m Done?"],
    ["tag 44 spam", "did you mean bt tag update 44.1 --add spam?"],
    ["info --components Lantern", "did you mean bt product get Lantern?"],
    ["component list", "did you mean bt product get NAME?"],
    ["config --list", "did you mean bt config list?"],
    ["--bugzilla bugs.example.org bug search", "did you mean bt --base-url bugs.example.org bug search?"],
    ["bug search --bug-status NEW", "did you mean bt bug search --status NEW?"],
    ["bug search --state open", "did you mean bt bug search --status @open?"],
    ["bug search --state NEW", "did you mean bt bug search --status NEW?"],
    [
      "bug search --not-component Editor",
      "a term excludes a value: -component:Editor; bt bug search --help lists the flags",
    ],
    ["bug edit 14 --priority High", "did you mean bt bug update 14 --priority High?"],
    ["bug edit 14 --add-assignee @me", "did you mean bt bug update 14 --assigned-to @me?"],
    ["bug edit 14 --title Crash", "did you mean bt bug update 14 --summary Crash?"],
    ["help reply", "did you mean bt comment add BUG --reply N?"],
    ["help update", "did you mean bt bug update --help?"],
    ["help trige", "did you mean bt bug triage --help?"],
    ["help dates", "did you mean bt help query?"],
    ["help regex", "did you mean bt help query?"],
    ["help scripting", "did you mean bt help formats?"],
    ["help colour", "did you mean bt help environment?"],
    ["bug create --public", "did you mean bt bug create --no-groups?"],
    ["bug edit 44 --title Crash", "did you mean bt bug update 44 --summary Crash?"],
    ["bug edit 44 --add-label crash", "did you mean bt bug update 44 --add-keywords crash?"],
    ["bug edit 44 --remove-assignee @me", "did you mean bt bug update 44 --reset-assigned-to?"],
    [
      "issue edit 44 --remove-assignee mei@example.org --add-label crash",
      "did you mean bt bug update 44 --reset-assigned-to --add-keywords crash?",
    ],
    ["bug update 44 --remove-assignee @me -n", "did you mean bt bug update 44 --reset-assigned-to -n?"],
    ["bug update 44 --public", "did you mean bt bug update 44 --allow-no-groups?"],
    ["job send 1 --resend-if-absent", "did you mean bt job send 1 --resend?"],
    ["bug tree 21 --graph", FOREIGN_FLAGS["--graph"]],
    ["job list --last --base-url demo:", "job list uses no tracker: bt job list --last"],
    ["--base-url=demo: job list --json", "job list uses no tracker: bt job list --json"],
    ["-P work completion bash", "completion uses no tracker: bt completion bash"],
    ["bug status", "did you mean bt todo or bt bug get BUG?"],
    ["bug status 44", "did you mean bt todo or bt bug get 44?"],
    ["pr list", FOREIGN_COMMANDS["pr"]],
    ["pr status", FOREIGN_COMMANDS["pr"]],
    ["issue transfer 44 Harbor", "did you mean bt bug update 44 --product Harbor?"],
    ["issue develop 44", "a branch is made by git: git switch -c bug-44"],
    ["bug develop 44", "a branch is made by git: git switch -c bug-44"],
    ["bug checkout 44", "a branch is made by git: git switch -c bug-44"],
    ["label create x", "did you mean bt admin apply?"],
    ["bug updat 44 --priority Low", "did you mean bt bug update 44 --priority Low?"],
    ["bug lst", "did you mean bt bug list is:open?"],
    ["commnet 44 'two words'", "did you mean bt comment add 44 -m 'two words'?"],
    ["Bug Search is:open", "did you mean bt bug search is:open?"],
    ["modify --status RESOLVED 44", "did you mean bt bug update 44 --status RESOLVED?"],
    ["assign mei@example.org 44", "did you mean bt bug update 44 -a mei@example.org?"],
    ["bug close 44 wontfix 'not now'", "did you mean bt bug close 44 --comment 'not now' --resolution WONTFIX?"],
    ["bug create -v 3.2 -t x", "did you mean bt bug create --version 3.2 -t x?"],
    ["update bug 44 --priority High", "did you mean bt bug update 44 --priority High?"],
    ["view issue 44", "did you mean bt bug view 44?"],
    ["add comment 44 hello", "did you mean bt comment add 44 -m hello?"],
    ["bug comment add 44 -m x", "did you mean bt comment add 44 -m x?"],
    ["bug 43 close", "did you mean bt bug close 43?"],
    ["43 close --fixed", "did you mean bt bug close 43 --resolution FIXED?"],
    ["44 nonsense", "did you mean bt bug get 44?"],
    ["close 43 FIXED", "did you mean bt bug close 43 --resolution FIXED?"],
    ["bug close 43 -r duplicate 44", "did you mean bt bug dup 43 44?"],
    ["bug update 44 FIXED -m Done", "did you mean bt bug close 44 --resolution FIXED -m Done?"],
    ["bug update 44 CONFIRMED", "did you mean bt bug update 44 --status CONFIRMED?"],
    ["bug update 44 priority=High", "did you mean bt bug update 44 --priority High?"],
    ["bug update 44 45 priority High", "did you mean bt bug update 44 45 --priority High?"],
    ["bug update 44 mei@example.org", "did you mean bt bug update 44 --assigned-to mei@example.org?"],
    ["bug needinfo 44 mei@example.org", "did you mean bt bug needinfo 44 --from mei@example.org?"],
    ["bug comment 43 'two words'", "did you mean bt comment add 43 -m 'two words'?"],
    ["comment add hello 44", "did you mean bt comment add 44 -m hello?"],
    ["comment add 44 -m fixes it", "did you mean bt comment add 44 -m 'fixes it'?"],
    ["bug create Crash on start -p Lantern", "did you mean bt bug create -t 'Crash on start' -p Lantern?"],
    ["bug dup 44 of 12", "did you mean bt bug dup 44 12?"],
    ["bug search --query 'two words' --limit 3", "did you mean bt bug search 'two words' --limit 3?"],
    ["bug update 44 --close WONTFIX -m 'By design'", "did you mean bt bug close 44 --as WONTFIX -m 'By design'?"],
    ["bug create -l crash", "did you mean --keywords or --description?"],
    ["bug create -l 'a text'", "did you mean bt bug create --description 'a text'?"],
    ["bug update 44 -l crash", "did you mean --add-keywords or --comment?"],
    ["bug create -m 3.3", "did you mean --target-milestone or --description?"],
    ["bug update 44 --state open", "did you mean bt bug reopen 44?"],
    ["bug 44 --priority High", "did you mean bt bug update 44 --priority High?"],
    ["44 --priority=High -m why", "did you mean bt bug update 44 --priority=High -m why?"],
    ["bug 44 --json", "did you mean bt bug get 44 --json?"],
    ["bug --status open", "did you mean bt bug search --status @open?"],
    ["bug --status NEW --limit 3", "did you mean bt bug search --status NEW --limit 3?"],
    ["bug --status open 44", "bt bug --help lists the flags"],
    ["comment 44.3", "did you mean bt comment get 44.3?"],
    ["tag 44.1 spam", "did you mean bt tag update 44.1 --add spam?"],
    ["bug needinfo 44 mei", "did you mean bt bug needinfo 44 --from mei?"],
    ["bug needinfo 44 mei -m why", "did you mean bt bug needinfo 44 --from mei -m why?"],
    ["comment list 5 -L 2", "did you mean bt comment list 5 --format tsv | tail -n 2?"],
    [
      "bug search --prodct Lantern --owner y -A z",
      "did you mean bt bug search --product Lantern --assigned-to y --creator z?",
    ],
  ])("%s", async (line, hint) => {
    expect(await refusal(line)).toEqual(["usage", hint]);
  });
});

test.each([
  ["xylophone", "bt --help lists the commands"],
  ["bug ear", "bt bug --help lists the commands"],
  ["bug history 1 --compnnnts X", "bt bug history --help lists the flags"],
])("a word more than two letters from any name gets no guess: %s", async (line, hint) => {
  expect(await refusal(line)).toEqual(["usage", hint]);
});

test("the word duplicate is a resolution behind its flag, and not in a comment", async () => {
  expect(await read(["bug", "close", "43", "44", "-m", "duplicate"])).toMatchObject({ kind: "verb" });
  await expect(read(["bug", "close", "43", "44", "--as", "duplicate"])).rejects.toThrow("requires the original bug");
});

describe("a line is tried before it is proposed", () => {
  const refused = (status: string, why: string) =>
    `    bt bug update 44 --status ${status} is refused: ${why}\nhint: valid values: `;

  test.each([
    ["bug move 44 NEW", "hint: did you mean bt bug update 44 --status CONFIRMED?\n"],
    ["bug transition 44 IN_PROGRESS", "hint: did you mean bt bug update 44 --status IN_PROGRESS?\n"],
    ["bug transition 44 'in progress'", "hint: did you mean bt bug update 44 --status 'in progress'?\n"],
    ["bug move 44 VERIFIED", refused("VERIFIED", "bug 44 cannot change from CONFIRMED to VERIFIED")],
    ["bug move 44 nowhere", refused("nowhere", 'unknown status "nowhere"')],
    ["modify 44 --status NEW --comment hi", "hint: did you mean bt bug update 44 --status CONFIRMED --comment hi?\n"],
    ["issue edit 44 --add-label crsh -n", "hint: did you mean bt bug update 44 --add-keywords crash -n?\n"],
    [
      "bug update 44 --asignee @me --priority=hihg",
      "hint: did you mean bt bug update 44 --assignee @me --priority=High?\n",
    ],
    ["issue list --state open --label crsh", "hint: did you mean bt bug search --status @open --keywords crash?\n"],
    [
      "bug update 44 --due tomorow -a mei",
      "hint: did you mean bt bug update 44 --deadline tomorrow -a mei@example.org?\n",
    ],
    [
      "issue list -l crsh status:open 'priority:hihg'",
      "hint: did you mean bt bug search --keywords crash 'is:open and priority:High'?\n",
    ],
    ["bug move 9999 NEW", "hint: did you mean bt bug update 9999 --status NEW?\n"],
  ])("%s", async (line, told) => {
    const ran = await demo()(line);
    expect([ran.code, ran.out, asked(ran).filter((request) => !request.startsWith("GET "))]).toEqual([2, "", []]);
    expect(ran.err).toMatch(/^bt: unknown (?:command "bt|flag --)/);
    expect(ran.err.slice(ran.err.indexOf("\n") + 1)).toContain(told);
  });

  test("without a tracker it is proposed as it is", async () => {
    const { err } = await btConnected("bug move 44 NEW", { env: homeFolders(freshFolder()) });
    expect(err).toBe('bt: unknown command "bt bug move"\nhint: did you mean bt bug update 44 --status NEW?\n');
  });
});
