import { layBasis } from "../setup/basis.ts";
import { applySetup } from "../setup/setup.ts";
import type { Store } from "../store/store.ts";
import { DEMO_SETUP } from "./demo-setup.ts";
import { handbook } from "./stories/handbook.ts";
import { harbor } from "./stories/harbor.ts";
import { lanternEditor } from "./stories/lantern-editor.ts";
import { lanternImport } from "./stories/lantern-import.ts";
import { lanternLibrary } from "./stories/lantern-library.ts";
import { tellStories } from "./tell.ts";

/** Who one is in the demo: a triager, who may edit but is not in the group that sees security bugs. */
export const DEMO_USER = "tomas@example.org";

/** Fills an empty tracker with the demo. All times are counted back from now, so that it never grows old. */
export function fillDemo(store: Store, now: Date): void {
  store.transaction("write", () => {
    layBasis(store);
    applySetup(store, DEMO_SETUP);
    tellStories(store, [...lanternLibrary, ...lanternImport, ...lanternEditor, ...harbor, ...handbook], now);
    store.run(
      `INSERT INTO personal_tags (id, user_id, name)
       SELECT 1, id, 'today' FROM users WHERE login = @user UNION ALL SELECT 2, id, 'ask' FROM users WHERE login = @user`,
      { user: DEMO_USER },
    );
    store.run("INSERT INTO bug_tags (bug_id, tag_id) VALUES (49, 1), (44, 1), (10, 2), (40, 2)");
  });
}
