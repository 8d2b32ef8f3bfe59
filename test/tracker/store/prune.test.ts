import { expect, test } from "vitest";
import { file, talk } from "../talk.ts";

const LONG_AGO = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"] as const;

test("expired data is deleted by the writes that add more of it, oldest first", async () => {
  const to = talk();
  for (const [at, time] of LONG_AGO.entries()) {
    to.store.run("INSERT INTO answered_writes VALUES (1, ?, 'x', ?, 200, '{}')", [`old-${at}`, time]);
    to.store.run("INSERT INTO outbox (time, user_id, reasons, subject, body) VALUES (?, 1, 'cc', 'old', '')", [time]);
    to.store.run("INSERT INTO login_tokens (user_id, token_sha256, last_used) VALUES (1, ?, ?)", [`old-${at}`, time]);
    to.store.run("INSERT INTO failed_logins (user_id, address, time) VALUES (1, 'old', ?)", [time]);
  }
  const old = () =>
    to.store.get(`SELECT
      (SELECT group_concat(idempotency_key) FROM answered_writes WHERE idempotency_key LIKE 'old%') AS answered,
      (SELECT count(*) FROM outbox WHERE subject = 'old') AS mails,
      (SELECT group_concat(token_sha256) FROM login_tokens WHERE token_sha256 LIKE 'old%') AS tokens,
      (SELECT count(*) FROM failed_logins WHERE address = 'old') AS failures`);
  const keyed = (key: string) => ({ "idempotency-key": key });
  const comment = (key: string) =>
    to.say("alice", { method: "POST", path: `/rest/bug/${id}/comment`, headers: keyed(key), body: { comment: key } });
  const logIn = (password: string) => to.get("anonymous", `/rest/login?login=alice@example.org&password=${password}`);

  const id = await file(to, "alice");
  await comment("first");
  await logIn("wrong-password");
  await logIn(encodeURIComponent("{password}"));
  expect(old()).toEqual({ answered: "old-2", mails: 0, tokens: "old-2", failures: 1 });
  await comment("second");
  expect(old()).toMatchObject({ answered: null, mails: 0 });
  expect(to.store.get("SELECT count(*) AS n FROM answered_writes")).toEqual({ n: 2 });
});
