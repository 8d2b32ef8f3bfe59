import type { Meaning } from "./failure.ts";

/** What a status means to `bt` when the answer has no error body of the interface: its kind, a sentence, a hint. */
export function meaningOfStatus(status: number): Meaning & { readonly say: string } {
  return STATUSES.get(status) ?? (status >= 500 ? BROKEN : ODD);
}

type StatusMeaning = Meaning & { readonly say: string };

const LATER = "try it again later; --verbose shows what it answers";
const BROKEN: StatusMeaning = { kind: "busy", say: "the tracker is overloaded or broken", hint: LATER };
const ODD: StatusMeaning = {
  kind: "refused",
  say: "the tracker refuses the request",
  hint: "--debug shows its answer",
};
const FORBIDDEN: StatusMeaning = { kind: "auth", say: "the tracker does not let you in", hint: "bt auth login" };
const ELSEWHERE: StatusMeaning = {
  kind: "guard",
  say: "the tracker sends the request elsewhere, which was not followed",
};

const STATUSES: ReadonlyMap<number, StatusMeaning> = new Map([
  [301, ELSEWHERE],
  [302, ELSEWHERE],
  [303, ELSEWHERE],
  [307, ELSEWHERE],
  [308, ELSEWHERE],
  [401, FORBIDDEN],
  [403, FORBIDDEN],
  [
    404,
    {
      kind: "reply",
      say: "there is no Bugzilla REST interface at this address",
      hint: "check the address; a server without the rewrite rule for /rest wants one that ends in /rest.cgi",
    },
  ],
  [408, BROKEN],
  [413, { kind: "refused", say: "the request is too large for the tracker" }],
  [414, { kind: "refused", say: "the request names too much for one URL" }],
  [425, BROKEN],
  [429, { kind: "busy", say: "the tracker answers no more requests for now", hint: LATER }],
]);
