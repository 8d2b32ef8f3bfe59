import { describe, expect, test } from "vitest";
import { TOPICS } from "../../src/cli/topics.ts";
import { acceptedFlags } from "../../src/commands/shared/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { isCalled } from "../../src/commands/verb.ts";
import { demo } from "../commands/demo.ts";

/** Lines with a word or a flag that `bt` does not know, or words in the wrong place: refused before anything is sent. */
const UNKNOWN = `
bgu | bugg search | isue list | commnet add 44 -m x | attachement list 44 | prodct list | usr search mei | feild list
gruop list | jbo list | mirorr list | atuh login | confg list | tpoic | sarch crash | wibble | wibble wobble
bug serch crash | bug gte 44 | bug craete | bug updte 44 | bug clsoe 44 | bug reopn 44 | bug confrim 44 | bug dpu 44 12
bug tkae 44 | bug needinf 44 | bug anwser 44 | bug traige | bug udno | bug clon 44 | bug histroy 44 | bug tre 44
bug similr 44 | bug wiat 44 | bug wtach is:open | bug exprot | bug imprt x.csv | comment lst 44 | comment gte 44.1
comment ad | attachment downlod 4 | attachment lits 44 | tag serach x | tag updat 44.1 | field vaules status
group craete | product gt Lantern | user gte mei | job sned | mirror snyc | auth logn | auth statu | config gte x | alias st x y
bug 44 | bug 44 close | 44 | 44 close | close 44 | update 44 -s RESOLVED | search crash | get 44 | list | view 44
create -t x | reopen 44 | dup 40 2 | history 44 | triage | watch | login | whoami | sync | import x.csv
pr list | repo view | release list | run view | workflow list | gist create | project list | label list | browse 44 | secret set
bug comment 44 -m x | bug status 44 | bug delete 44 | bug lock 44 | bug pin 44 | bug transfer 44 | bug develop 44 | bug label 44 x
bug assign 44 mei | bug cc 44 mei | bug attach 44 f | bug verify 44 | bug open 44 | bug mine | info --products | login --nope
bug search --prioritty High | bug search --assigne mei | bug search --componnent Editor | bug search --statsu NEW | bug search --wher x
bug search --limitt 3 | bug search --sorted id | bug search --reverse | bug search --oneline | bug search --host x | bug search -Z
bug search --csv | bug search --tsv | bug search --mine | bug search --open | bug search --closed | bug search --jql x | bug search --since -1w
bug search --column id | bug search --page 2 | bug search --max-count 3 | bug search is:open --web=yes | bug search is:open --count=yes
bug get 44 --commments | bug get 44 --timelin | bug get 44 --format yaml | bug get 44 --format | bug get 44 --color sometimes
bug create --sumary x | bug create --produkt Lantern | bug create Crash on import | bug create --assign mei -t x
bug update 44 --prioritty High | bug update 44 --statsu RESOLVED | bug update 44 --closed | bug update 44 --fixed | bug update 44 --keyword x
bug update 44 --keywords x | bug update 44 --cc mei | bug update 44 --label x | bug update 44 --depends-on 12 | bug update 44 --groups x
bug update 44 --nosuch | bug update 44 -k x | bug update 44 --yes=false | bug update --xyzzy 44 | bug close 44 --wontfix | bug close 44 --status RESOLVED
bug dup 44 of 12 | bug dup 44 --of 12 | bug take 44 --for mei | bug needinfo 44 mei | comment add 44 fixed | comment add 12 a b
comment add 44 --bodi x | comment add 44 -x | comment list 44 --last 3 | attachment add 44 | attachment get | attachment download 4 --to x
attachment add 44 -f fix.patch | attachment update 4 --obsolet yes | tag update | field get | field values | product get | group get
config set ca_file | config get a b | api | job drop --al | alias set x | mirror create --collate x | completion bsh | field list stray
bug search —json | bug search is:open –limit 3 | bug update 44 —title x | bug update 44 –y | bug get 44 —comments
bug update 44 -m fixes 45 46 | bug update 44 --title Release 45 | bug close 44 -m not now | bug close 44 --comment done 45 | bug take 44 -m on it
bug update 44 priority High | bug update priority=High 44 | bug update 44 status=RESOLVED | bug update 44 assignee mei | bug close 44 resolution FIXED
bug update 44 summary Title | bug update 44 -nm --summary=x | bug update -m --dry-run 44 | bug update 44 -m --yes | bug search is:open -limit 5 | bug search is:open -5
help queri | help topics | help bulk | help colour | --xyzzy | -V | --format bug search | bug --nosuch search | bug search --help=most
`;

/** Lines with a wrong value: refused after reads of legal values. */
const WRONG_VALUES = `
bug search -s CONFRIMED | bug search --priority Urgnt | bug search -p Lantrn | bug search -c Edtor | bug search is:opne | bug search priority:Hihg
bug search stauts:NEW | bug search prioritty:High | bug search --created yestrday | bug search --sort priorty | bug search --all --json id,summry
bug search -a @mee | bug search --by componnt | bug search 'priority >= Hihg' | bug search is:open --limit many | bug search --all --json id,titel
bug update 44 -s RESOLVD | bug update 44 --priority Hihg | bug update 44 -c Edtor | bug update 44 -p Lantrn | bug update 44 --add-keywords crsh
bug update 44 --flags 'reveiw?' | bug update 44 -r FIXD -s RESOLVED | bug update 44 --field nosuch=1 | bug close 44 --as FIXD | bug update 44 -a @mee
bug create -p Lantrn -c Editor --version 3.2 -t x -d y | bug create -p Lantern -c Edtor --version 3.2 -t x -d y | bug update 44 --deadline someday
bug search -crash | bug close 44 12 -r DUPLICATE | bug update 44 --json rsult --priority High | bug reopen 12 -s RESOLVED | field values priorty
`;

/** Words of other tools with one meaning for that verb. */
const ALIASES = `
issue list is:open | issues list is:open | bugs search is:open | bug ls is:open | bug find crash | bug query crash | issue view 44 | bug show 44
bug log 44 | issue close 44 --reason FIXED | bug resolve 44 | bug modify 44 --priority High | bug set 44 --priority High | bug claim 44 | bug accept 44
bug duplicate 40 2 | issue edit 44 --help | issue create -p Lantern -c Editor --version 3.2 --title x --body y | issue close 44 --comment Done
bug new -p Lantern -c Editor --version 3.2 --title x --message y --label crash | bug file --help | bug post --help | bug copy --help
bug search --state CONFIRMED | bug search --status open | bug search --status closed | bug search --status all | bug search --label crash
bug search --title crash | bug search --author mei@example.org | bug search --assignee mei@example.org | bug search --milestone M1 --help
bug search --bug-id 44 | bug search --dependson 12 | bug search --blocked 12 | bug search is:open --sort-by id | bug search is:open --json id,summary
bug update 44 --title x | bug update 44 --body x | bug update 44 --message x | bug update 44 --add-label crash | bug update 44 --add-assignee @me
comments list 44 | comment ls 44 | comment post 44 -m x | comment create 44 --body x | attachments list 44 | attachment ls 44 | attachment save --help
attachment upload --help | fields list | field ls | groups list | products list | product ls | users search mei | user list mei | user find mei
`;

const rows = (table: string) => table.split(/[|\n]/).flatMap((line) => line.trim() || []);

describe("a wrong line ends with 2", () => {
  test.each(rows(UNKNOWN))("and sends nothing: bt %s", async (line) => {
    const { code, err, requests } = await demo()(line);
    expect({ code, sent: requests.length, err }).toEqual({ code: 2, sent: 0, err: expect.stringMatching(/^bt: .*\n/) });
    expect(strayNames(err, line)).toEqual([]);
  });

  test.each(rows(WRONG_VALUES))("and sends only reads of legal values: bt %s", async (line) => {
    const { code, err, requests } = await demo()(line);
    expect({ code, err }).toEqual({
      code: line.startsWith("field") ? 5 : 2,
      err: expect.stringMatching(/hint(?:: |":)/),
    });
    const others = requests.filter(({ method, path }) => method !== "GET" || !LEGAL_VALUES.test(path));
    expect(others).toEqual([]);
    expect(strayNames(err, line)).toEqual([]);
  });
});

test.each(rows(ALIASES))("a word with one meaning works: bt %s", async (line) => {
  expect(await demo()(line)).toMatchObject({ code: 0 });
});

test("the tables are of 200 lines and more", () => {
  expect([UNKNOWN, WRONG_VALUES].flatMap(rows).length).toBeGreaterThan(200);
});

/** Reads of fields, products, users, flag types and the bug. */
const LEGAL_VALUES = /^\/rest\/(?:field\/bug|product|user|flag_type|classification|version|bug\/\d+)/;

/** Commands and flags of the hint that do not exist; the flags of the line itself may be quoted. */
function strayNames(err: string, line: string): readonly string[] {
  const [, hint = ""] = /^hint: (.*)/m.exec(err) ?? [];
  const commands = [...hint.matchAll(/\bbt ([a-z]+)(?: (?!or\b)([a-z][a-z-]*))?/g)].filter(([, first = "", second]) => {
    if (first === "help") return second !== undefined && !Object.hasOwn(TOPICS, second);
    const noun = TREE.nouns.find((one) => isCalled(one, first));
    const isVerb = TREE.verbs.some((one) => isCalled(one, first));
    return noun ? second !== undefined && !noun.verbs.some((verb) => isCalled(verb, second)) : !isVerb;
  });
  const flags = [...hint.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].filter(
    ([flag]) => !FLAGS.has(flag) && !line.includes(flag),
  );
  return [...commands, ...flags].map(([found]) => found);
}

const VERBS = [...TREE.verbs, ...TREE.nouns.flatMap(({ verbs }) => verbs)];

const FLAGS = new Set(
  VERBS.flatMap(acceptedFlags)
    .flatMap(({ name, aliases = [] }) => [name, ...aliases, "help", "version"])
    .map((name) => `--${name}`),
);
