import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { openEngine, openNative } from "../../../src/tracker/store/engine.ts";
import { openStore } from "../../../src/tracker/store/store.ts";
import { freshFolder } from "../../fresh-folder.ts";

const require = createRequire(import.meta.url);

const FOUND = "SELECT rowid AS id FROM comment_words WHERE comment_words MATCH ? ORDER BY 1";
const ADD = "INSERT INTO comments (bug_id, creator_id, creation_time, text) VALUES (1, 1, '2026-11-20T12:00:00Z', ?)";

/** On a Node with SQLite of its own these are two engines, else one. */
test("a file written by Node's SQLite is read and written by libsql, with its word index, and the other way round", (context) => {
  const file = `${freshFolder()}/tracker.db`;
  openStore(file).close();
  const engines = [() => openEngine(file), () => openNative(file, require), () => openEngine(file)];
  for (const [at, open] of engines.entries()) {
    const engine = open();
    if (!engine) return context.skip();
    engine.exec("PRAGMA foreign_keys = OFF");
    engine.prepare(ADD).run([`größer ${at}`]);
    expect(engine.prepare(FOUND).all(["größer"])).toHaveLength(at + 1);
    expect(engine.prepare("PRAGMA integrity_check").all([])).toEqual([{ integrity_check: "ok" }]);
    engine.close();
  }
});
