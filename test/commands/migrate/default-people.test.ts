import { join } from "node:path";
import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { runningClock } from "../../clock.ts";
import { type Fate, faultyTracker } from "../../faults/faulty-tracker.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { answer } from "../../servers/fault-server.ts";

/** A target of which every component gives new bugs a QA contact and two people on CC. */
async function generous(write?: Fate) {
  const tracker = await faultyTracker({ clock: runningClock(), ...(write ? { write } : {}) });
  tracker.store.exec(`
    UPDATE components SET default_qa_contact_id = (SELECT id FROM users WHERE login = 'jonas@example.org');
    INSERT OR IGNORE INTO component_cc SELECT components.id, users.id FROM components, users
    WHERE login IN ('mei@example.org', 'ilse@example.org');`);
  const home = freshFolder();
  const flags = `--from demo: --to ${tracker.url} --results ${join(home, "moved.jsonl")}`;
  const bt = (line: string) => btConnected(line, { env: { ...tracker.env, HOME: home } });
  return { tracker, bt, flags };
}

async function peopleOf(bt: (line: string) => ReturnType<typeof btConnected>, line: string) {
  const rows = JSON.parse((await bt(`${line} --json=qa_contact,cc`)).out);
  return rows.map(({ qa_contact, cc }: { qa_contact: string; cc: readonly string[] }) => [qa_contact, [...cc].sort()]);
}

test("the default people of components in the target are not on the bugs that move", async () => {
  const { bt, flags } = await generous();
  const ran = await bt(`migrate run ${flags} id:1,41,44 -y`);
  expect(ran, ran.err).toMatchObject({ code: 0, out: "1\t51\tmoved\t\n41\t52\tmoved\t\n44\t53\tmoved\t\n" });
  const source = await peopleOf(bt, "bug get 1 41 44 --base-url demo:");
  expect(await peopleOf(bt, "bug get 51 52 53")).toEqual(source);
  expect(source.some(([contact]: readonly [string]) => contact === "")).toBe(true);
});

test("if they cannot be removed, the result reports the fields, each once", async () => {
  const { bt, flags } = await generous(({ request, pass, socket }) => {
    const isRemoval = String(request.body).includes('"remove"');
    return isRemoval
      ? socket.write(answer('{"error":true,"code":115,"message":"You may not"}', { status: "401 Unauthorized" }))
      : pass();
  });
  const { out } = await bt(`migrate run ${flags} id:41,44 -y`);
  expect(out).toBe("41\t51\tmoved, not applied: qa_contact, cc\t\n44\t52\tmoved, not applied: cc\t\n");
});
