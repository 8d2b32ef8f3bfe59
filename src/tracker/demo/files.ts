import type { DemoFile } from "./story.ts";

/** The keys that had been in a log, for insiders. */
export const KEY_LIST: DemoFile = {
  file_name: "changed-keys.csv",
  summary: "Keys that were changed",
  content_type: "text/csv",
  data: "server,key,changed\npublic,1f…,yes\npublic,9c…,yes\n",
};

/** Output of an installer. */
export const INSTALLER_LOG: DemoFile = {
  file_name: "install.log",
  summary: "Log of the update from 3.0 to 3.2 beta 1",
  content_type: "text/plain",
  data: `update: found Lantern 3.0 in /opt/lantern
update: writing /opt/lantern-3.2
update: menu entry lantern.desktop is not ours, left alone
update: done
`,
};

/** A change of the source, as `git format-patch` writes it. */
export const OLD_CATALOGUE: DemoFile = {
  file_name: "0001-read-catalogues-of-two-versions-ago.patch",
  summary: "Read catalogues of two versions ago",
  content_type: "text/plain",
  is_patch: true,
  data: `From 5d1f0c3b7a9e4826d0c1f5b3a7e98d2460c1f3b5 Mon Sep 17 00:00:00 2001
From: Ada <ada@example.org>
Date: Mon, 24 Aug 2026 10:00:00 +0000
Subject: [PATCH] catalogue: read files of two versions ago

---
 catalogue/versions.txt | 2 ++
 1 file changed, 2 insertions(+)
 create mode 100644 catalogue/versions.txt

diff --git a/catalogue/versions.txt b/catalogue/versions.txt
new file mode 100644
index 0000000..1191247
--- /dev/null
+++ b/catalogue/versions.txt
@@ -0,0 +1,2 @@
+3.0
+3.1
-- 
2.43.0
`,
};
