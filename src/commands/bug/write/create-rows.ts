import type { VerbRow } from "../../verb.ts";
import { createFlags, newBugFlags } from "./input.ts";

/** List syntax, common to all flags that take one. */
export const LISTS =
  'Separate list values with commas or repeat the flag; a value in "double quotes" keeps its commas.';

export const CREATE: VerbRow<ReturnType<typeof createFlags>> = {
  name: "create",
  aliases: ["new"],
  about: "File a bug.",
  details: `On a terminal bt prompts for missing required fields and the description, and shows the bug for review: submit it,
edit or add fields, keep it as a draft, or cancel. A bug that is not sent, even after Ctrl-C, is kept as a draft for
bt job send. With BT_PROMPTS=off, or "bt config set prompts off", missing fields are an error, as in a pipe.

Every value is validated against the tracker's metadata first. Omitted fields get the tracker's defaults.
${LISTS}

Trackers silently drop values that you may not set, such as a status or a deadline. bt reads the new bug back and warns
about values that were not applied ("not_applied" in JSON).

On a terminal, probable duplicates are listed before the bug is filed, as by bt bug similar; in a pipe, only with
--fail-similar.

A template has fields first, one "name: value" per line with the names of bt field list, then an empty line and the
description. NAME is a file in the folder templates next to the file of bt config path, or the number of a draft, which is deleted
when the bug is filed. Flags override its values.

A file .bt.yaml in a repository, between the working directory and the repository's root or your home directory, may
set product, component, keywords and templates, nothing else. Its product and component override those of the
settings, and are overridden by flags and your templates; its keywords are added to yours. Its templates are
descriptions by name. BT_REPO_FILE=off, or "bt config set repo_file off", ignores the file.`,
  get flags() {
    return createFlags();
  },
  mainFlags: [
    ...["product", "component", "version", "summary", "description", "severity", "priority", "assigned-to", "cc"],
    ...["op-sys", "platform", "keywords", "depends-on", "blocks", "see-also", "field"],
    ...["template", "body-file", "editor", "dry-run"],
  ],
  output: "changes",
  missingFile: "create",
  hasDefaults: true,
  examples: [
    {
      line: "bt bug create -p Lantern -c 'Import & Export' --version 3.2 -t 'Import stops at 3 %' --op-sys Linux --platform PC -d 'Steps: ...'",
      about: "file a bug",
    },
  ],
  run: async () => (await import("./create.ts")).createBug,
};

export const CLONE: VerbRow<ReturnType<typeof newBugFlags>> = {
  name: "clone",
  about: "File a bug with the fields of another bug.",
  details: `The clone has the product, component, version, summary, platform, OS, priority, severity, keywords, URL, whiteboard,
deadline, estimate, custom fields, groups and description of the bug. It depends on the bug and on its dependencies,
blocks the bugs that it blocks, and adds its CC users and reporter to CC. Status, people, milestone, flags, alias, see
also, comments and attachments are not copied. Flags override copied values; with another product the version is
omitted.

A restricted bug stays restricted: a private description stays private, people who could not see the clone are not added to
CC, and a clone whose groups were not applied is an error (exit code 10).
Otherwise bt bug clone works like bt bug create.`,
  args: [{ name: "bug" }],
  get flags() {
    return newBugFlags();
  },
  mainFlags: [
    ...["product", "component", "version", "summary", "description", "severity", "priority", "assigned-to", "cc"],
    ...["keywords", "depends-on", "blocks", "groups", "field", "body-file", "editor", "dry-run"],
  ],
  output: "changes",
  examples: [{ line: "bt bug clone 44 --version 3.1 --dry-run", about: "preview the same bug for another version" }],
  run: async () => (await import("./clone.ts")).cloneBug,
};
