const IN_LIBRARY = ["Lantern", "Library", "3.0"] as const;
const IN_IMPORT = ["Lantern", "Import & Export", "3.1"] as const;
const IN_EDITOR = ["Lantern", "Editor", "3.1"] as const;
const IN_GUIDES = ["Handbook", "Guides", "current"] as const;

/** The keys that had been in a log, for insiders. */
const KEY_LIST: DemoFile = {
  file_name: "changed-keys.csv",
  summary: "Keys that were changed",
  content_type: "text/csv",
  data: "server,key,changed\npublic,1f…,yes\npublic,9c…,yes\n",
};

/** Output of an installer. */
const INSTALLER_LOG: DemoFile = {
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
const OLD_CATALOGUE: DemoFile = {
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

/** The bugs of the demo, each with its events, by product and component. */
// biome-ignore format: a line or two an event
export const DEMO_BUGS: readonly DemoBug[] = [
  // Lantern: the library
  { id: 1, in: IN_LIBRARY,
    summary: "Lantern crashes when an album is renamed while it is being synced", events: [
    [412, "lucia",
      { status: "UNCONFIRMED", op_sys: "Linux", platform: "PC", severity: "critical",
        cf_build: "3.0.1-114" },
      "1. Start a sync of a large album.\n2. Rename the album.\n\nLantern closes without a word. The new name is gone after the next start."],
    [411.5, "tomas", { status: "CONFIRMED", priority: "High", keywords: ["crash"] },
      "Seen here too, every time. Thank you for the exact steps."],
    [405, "mei",
      { status: "IN_PROGRESS", cf_crash_signature: "album::Name::set\r\nsync::Worker::step",
        alias: ["rename-crash"] },
      "The worker keeps a pointer to the old name."],
    [399, "mei",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1", flags: ["review+"],
        work_time: 6 },
      "Names are copied now before a sync starts."],
    [380, "jonas", { status: "VERIFIED" }, "Good in 3.1 on Linux and Windows."],
  ] },
  { id: 2, in: IN_LIBRARY, summary: "Search finds photos of deleted albums", events: [
    [398, "sam", { severity: "minor", cc: ["lucia"], cf_impact: "some people" },
      "Delete an album with its photos and search for one of them: it is found, and opening it shows an error."],
    [396, "tomas", { status: "CONFIRMED", priority: "Low" },
      "The index is only cleaned at start. Annoying, not dangerous."],
    [120, "sam", {}, "Still so in 3.1."],
    [119.9, "tomas", { version: "3.1", keywords: ["good-first-bug"], flags: ["needinfo?(mei)"] }],
  ] },
  { id: 5, in: ["Lantern", "Library", "3.1"],
    summary: "Opening a library of 90,000 photos takes four minutes", events: [
    [301, "ilse",
      { severity: "major", priority: "High", keywords: ["perf", "regression"],
        cf_devices: ["network drive"], cf_impact: "some people", alias: ["slow-open"],
        flags: ["needinfo?(ilse)"] },
      "On a network drive it is four minutes, on a local disk one. Version 3.0 took twenty seconds for the same library."],
    [300, "jonas", {}, "How many albums are there, and is the drive mounted over SMB or NFS?"],
    [298, "ilse", { flags: ["needinfoX"] }, "1,240 albums, SMB."],
    [290, "mei", { status: "IN_PROGRESS", estimated_time: 24, remaining_time: 24, work_time: 4 },
      "Every album asks the drive for its date, one after the other."],
    [260, "mei", { remaining_time: 11, work_time: 9 },
      "Half of it is in main: dates are asked for in parallel now."],
    [12, "mei", { target_milestone: "3.3", deadline: 18 }],
  ] },
  { id: 9, in: ["Lantern", "Library", "3.1"], summary: "Tags with an apostrophe cannot be removed",
    events: [
    [233, "lucia", { status: "UNCONFIRMED", op_sys: "Mac OS", platform: "Macintosh" },
      "A tag such as «l'été» can be added to photos but never leaves them again."],
    [232, "seun",
      { status: "CONFIRMED", see_also: ["https://github.com/example/tagtool/issues/77"] },
      "The tool that writes tags quotes them wrongly; reported there."],
    [180, "seun", { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2" },
      "The next version of the tool is used."],
    [180, "ada", { flags: ["approval+"] }],
  ] },
  { id: 14, in: ["Lantern", "Library", "3.1"], summary: "An album can be moved into itself",
    events: [
    [190, "jonas",
      { severity: "critical", priority: "Highest", keywords: ["data-loss"], cf_impact: "one person",
        cf_points: "5" },
      "Drag an album onto one of its own children. The whole branch vanishes from the tree; the photos are still on disk."],
    [189, "mei", { status: "IN_PROGRESS" }],
    [186, "mei",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2", flags: ["review?(jonas)"],
        work_time: 3.5 },
      "Refused now, with a sentence."],
    [184, "jonas", { status: "VERIFIED", flags: ["review+"] }],
  ] },
  { id: 19, in: ["Lantern", "Library", "3.1"],
    summary: "Faces: two people with one name are merged", events: [
    [141, "sam", { severity: "major", cf_impact: "some people" },
      "My brother-in-law and my neighbour are both called Piet. After naming the second one all his photos belonged to the first."],
    [140, "tomas", { status: "CONFIRMED", keywords: ["data-loss"], priority: "High" },
      "The name should not be the key."],
    [133, "mei", { depends_on: [21] }, "Agreed. That needs the new catalogue (bug 21)."],
  ] },
  { id: 21, in: ["Lantern", "Library", "main"],
    summary: "A new catalogue: photos and albums have ids of their own", events: [
    [137, "mei",
      { severity: "enhancement", priority: "High", alias: ["new-catalogue"],
        target_milestone: "3.3", estimated_time: 120, remaining_time: 120, cf_points: "40",
        depends_on: [5] },
      "Names and paths are used as keys all over. This bug collects what has to change:\n\n- albums\n- people\n- tags\n- the file format, with a way back"],
    [130, "mei",
      { status: "IN_PROGRESS", remaining_time: 100, whiteboard: "[plan agreed]", work_time: 20 }],
    [90, "ada", {}, "Please keep the old file readable for two versions.",
      { attach: OLD_CATALOGUE }],
    [60, "mei", { remaining_time: 60, work_time: 40 }, "Albums and tags are done in main."],
    [9, "mei", { remaining_time: 35, deadline: 45, flags: ["review?(seun)"], work_time: 25 },
      "People are done too. Reviews, please."],
  ] },
  { id: 33, in: ["Lantern", "Library", "3.2"],
    summary: "Sorting by date puts photos without a date first", events: [
    [41, "ilse", { status: "UNCONFIRMED", severity: "trivial" },
      "Scanned photos have no date. They should come last, or I should be able to say where."],
  ] },
  { id: 40, in: ["Lantern", "Library", "3.2"],
    summary: "Album of a shared library shows the wrong owner after a sync", events: [
    [17, "lucia",
      { status: "UNCONFIRMED", cf_impact: "one person", cf_last_seen: -17,
        flags: ["needinfo?(lucia)"] },
      "All albums of my sister are shown as mine after the second sync. Her Lantern shows them rightly."],
    [16, "tomas", { cc: ["tomas"] }, "Which version is on your sister's machine?"],
  ] },
  { id: 48, in: ["Lantern", "Library", "main"],
    summary: "Crash on start after the catalogue is converted on a full disk", events: [
    [2.2, "jonas",
      { severity: "blocker", priority: "Highest", keywords: ["crash", "data-loss"],
        cf_crash_signature: "catalogue::Convert::finish", cf_build: "main-2217",
        cf_channel: "nightly", depends_on: [21] },
      "The conversion stops half-way when the disk is full, and from then on Lantern crashes on start."],
    [1.4, "mei", { status: "IN_PROGRESS", cf_ship_by: 6, target_milestone: "3.3" },
      "It must write beside the old file and swap at the end. Mine."],
  ] },
  // Lantern: import, export and packages
  { id: 3, in: ["Lantern", "Import & Export", "3.0"],
    summary: "Import from a card reader copies every photo twice", events: [
    [377, "sam", { cf_devices: ["card reader"], op_sys: "Windows", platform: "PC" },
      "With the camera's own cable it is right. With a card reader there are two of each, the second with « (1)» in its name."],
    [375, "seun",
      { status: "CONFIRMED", priority: "High", severity: "major", flags: ["needinfo?(sam)"] },
      "Does the reader show up as two drives?"],
    [374, "sam", { flags: ["needinfoX"] }, "It does! E: and F:, both with the same card."],
    [360, "seun",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1", work_time: 5 },
      "Cards are told apart by their serial number now."],
    [341, "jonas", { status: "VERIFIED" }],
  ] },
  { id: 4, in: ["Lantern", "Import & Export", "3.0"], summary: "Photos appear twice after import",
    events: [
    [370, "ilse", { status: "UNCONFIRMED" }, "I have two of everything since the holidays."],
    [369, "tomas", {}, "A card reader with two drives, as it turns out."],
    [369, "tomas", { status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 3 }],
  ] },
  { id: 8, in: IN_IMPORT, summary: "Exported archives lose the names of people", events: [
    [244, "lucia",
      { keywords: ["data-loss"], priority: "High", severity: "major", cf_impact: "some people" },
      "Export an album with faces as an archive, import it on another machine: the frames are there, the names are not."],
    [240, "seun", { status: "IN_PROGRESS", work_time: 2 }],
    [238, "seun", { status: "CONFIRMED" },
      "The archive has no place for them. This needs a new version of the format.",
      { tags: ["format"] }],
    [130, "mei", { depends_on: [21] }],
  ] },
  { id: 10, in: IN_IMPORT, summary: "Support importing from a phone over the network", events: [
    [226, "ilse", { severity: "enhancement", cf_devices: ["phone"], cc: ["sam"] },
      "The cable of my phone is broken. Could Lantern take photos over the network?"],
    [220, "tomas", { status: "CONFIRMED", priority: "Low" },
      "Wanted by many. Nobody has the time at present; help is welcome."],
    [96, "sam", {}, "I would try, if somebody tells me where to begin."],
    [95, "tomas", { keywords: ["good-first-bug"], flags: ["needinfo?(seun)"] }],
  ] },
  { id: 13, in: ["Lantern", "Installer", "3.1"],
    summary: "The Windows installer asks for a restart although nothing needs one", events: [
    [201, "jonas", { op_sys: "Windows", platform: "PC", severity: "trivial", priority: "Lowest" },
      "On a clean machine, first installation."],
    [200, "seun", { status: "RESOLVED", resolution: "WONTFIX" },
      "The system asks, not we. There is no switch for it."],
  ] },
  { id: 16, in: ["Lantern", "Installer", "3.1"],
    summary: "Update from 3.0 keeps the old program beside the new one", events: [
    [168, "sam",
      { keywords: ["regression"], op_sys: "Linux", platform: "PC", cf_channel: "release" },
      "Both are in the menu, and the old one opens when a photo is double-clicked."],
    [166, "seun", { status: "IN_PROGRESS", priority: "High" }],
    [160, "seun",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2", work_time: 3 }],
    [150, "sam", {}, "It is back with the update to 3.2 beta 1.", { attach: INSTALLER_LOG }],
    [149, "tomas", { status: "CONFIRMED", resolution: "", version: "3.2" }, "Opened again."],
    [140, "seun", { status: "RESOLVED", resolution: "FIXED", work_time: 1.5 },
      "The menu file has another name on that system."],
  ] },
  { id: 24, in: IN_IMPORT, summary: "HEIC photos are turned by 90° on export", events: [
    [110, "lucia",
      { cf_devices: ["phone"], cf_impact: "everybody", priority: "High", keywords: ["regression"],
        url: "https://photos.example.org/turned?a=1&b=2" },
      "Upright photos of the phone lie on their side in the exported files. In Lantern they look right."],
    [108, "seun", { status: "IN_PROGRESS", flags: ["review?(mei)"] }],
    [101, "mei", { flags: ["review-"] }, "The thumbnail inside is still turned."],
    [94, "seun", { flags: ["review?(mei)"], work_time: 2 }],
    [92, "mei", { flags: ["review+"] }],
    [91, "seun", { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2" }],
  ] },
  { id: 29, in: ["Lantern", "Import & Export", "3.2"],
    summary: "Import stops at the first unreadable file and says nothing", events: [
    [66, "ilse",
      { severity: "major", priority: "High", keywords: ["data-loss"],
        cf_devices: ["camera", "card reader"] },
      "One broken photo on the card, and everything after it is not imported. There is no message, the bar just goes away."],
    [65, "tomas", { status: "CONFIRMED", assigned_to: "mei" }],
    [62, "mei", { assigned_to: "seun" }, "Import is yours, I think."],
    [30, "seun", { status: "IN_PROGRESS", target_milestone: "3.3", deadline: -3 }],
  ] },
  { id: 36, in: ["Lantern", "Installer", "3.2"],
    summary: "Package for ARM is missing from the download page", events: [
    [33, "sam", { op_sys: "Linux", platform: "Other", status: "UNCONFIRMED" },
      "The release notes speak of it."],
    [32.8, "seun", { status: "RESOLVED", resolution: "WORKSFORME" },
      "It was being uploaded. It is there now."],
  ] },
  { id: 44, in: ["Lantern", "Import & Export", "3.2"],
    summary: "Import: \"Ask me each time\" asks once for all files", events: [
    [8, "jonas", { keywords: ["regression", "good-first-bug"], cf_build: "3.2.0-41" },
      "The choice is taken for every file that follows, without a tick in «for all»."],
  ] },
  { id: 49, in: ["Lantern", "Import & Export", "main"],
    summary: "Memory grows by the size of every photo while importing", events: [
    [0.9, "priya",
      { keywords: ["perf", "regression"], severity: "critical", priority: "Highest",
        cf_channel: "nightly", cf_build: "main-2231", cf_last_seen: -0.8,
        flags: ["needinfo?(seun)"] },
      "2,000 photos of 20 MB: Lantern has 9 GB at the end. Nothing is given back until it is closed."],
    [0.4, "tomas", { cc: ["ada", "tomas"], whiteboard: "[blocks the beta]" }],
  ] },
  // Lantern: the editor
  { id: 6, in: ["Lantern", "Editor", "3.0"],
    summary: "Undo after a crop brings back the wrong photo", events: [
    [288, "lucia", { severity: "critical", priority: "Highest", keywords: ["data-loss"] },
      "Crop photo A, go on to photo B, press undo: photo B is replaced by A."],
    [287, "mei", { status: "IN_PROGRESS" }],
    [285, "mei",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1", flags: ["review+"],
        work_time: 4 }],
    [285, "ada", { flags: ["approval+"] }],
    [270, "jonas", { status: "VERIFIED" }],
  ] },
  { id: 11, in: IN_EDITOR, summary: "Colours look washed out on wide-gamut screens", events: [
    [219, "ilse",
      { cf_impact: "some people", op_sys: "Mac OS", platform: "Macintosh",
        flags: ["screenshot?(ilse)"] },
      "Compared with every other program, red is nearly orange."],
    [215, "ilse", { flags: ["screenshot+"] }, "Sent by mail, the page would not take 30 MB."],
    [202, "mei", { status: "CONFIRMED", priority: "Low" },
      "The profile of the screen is not looked at. It is a bigger piece of work."],
    [45, "tomas", { version: "3.2" }],
  ] },
  { id: 15, in: IN_EDITOR, summary: "The crop frame cannot be moved with the keyboard", events: [
    [171, "sam", { keywords: ["a11y", "good-first-bug"], severity: "minor" },
      "Arrow keys scroll the picture behind the frame instead."],
    [170, "tomas", { status: "CONFIRMED", priority: "High" },
      "This shuts people out; it should not wait."],
    [77, "lucia", {}, "With a screen reader the frame is not announced at all.",
      { tags: ["a11y"] }],
  ] },
  { id: 22, in: IN_EDITOR, summary: "Straighten by 0.1° is not possible", events: [
    [126, "ilse", { severity: "enhancement", priority: "Lowest" },
      "The smallest step is half a degree."],
    [120, "mei", { status: "RESOLVED", resolution: "INVALID" },
      "Hold Shift while you turn the wheel."],
  ] },
  { id: 27, in: ["Lantern", "Editor", "3.2"],
    summary: "Editing a photo in a shared album changes it for everybody without asking", events: [
    [83, "priya",
      { severity: "major", priority: "High", cf_impact: "everybody", cc: ["ada", "mei"] },
      "It should ask, or make a copy."],
    [82, "ada", {}, "A copy. Asking will be clicked away."],
    [50, "mei",
      { status: "IN_PROGRESS", estimated_time: 16, remaining_time: 10, target_milestone: "3.3",
        work_time: 6 }],
  ] },
  { id: 31, in: ["Lantern", "Editor", "3.2"], summary: "Red-eye removal finds strawberries",
    events: [
    [52, "sam",
      { severity: "minor", see_also: ["https://bugzilla.mozilla.org/show_bug.cgi?id=123456"] },
      "Every strawberry on the cake has a pupil now."],
    [51, "mei", { status: "CONFIRMED", flags: ["screenshot?(sam)"] },
      "Please send me that photo. Please."],
  ] },
  { id: 39, in: ["Lantern", "Editor", "3.2"],
    summary: "Crash in the editor when the graphics driver is updated meanwhile", events: [
    [20, "jonas",
      { keywords: ["crash"], op_sys: "Windows", cf_crash_signature: "gpu::Surface::present" },
      "Not worth much work, but it should not take unsaved changes with it."],
    [19, "mei", { status: "RESOLVED", resolution: "WONTFIX" }],
    [18, "jonas", { status: "UNCONFIRMED", resolution: "" }, "Unsaved changes, Mei."],
  ] },
  { id: 46, in: ["Lantern", "Editor", "main"],
    summary: "A very long name of a preset is not cut and pushes the buttons «Apply», «Save as…» and «Cancel» out of the window, so that the dialogue can only be left with the Escape key",
    events: [
    [4.5, "lucia", { status: "UNCONFIRMED", cf_channel: "nightly" },
      "See the summary. The preset was called «Kodachrome wie bei Oma, aber nicht ganz so warm, für Innenaufnahmen am Abend (zweiter Versuch)»."],
  ] },
  // Harbor, the sync server
  { id: 7, in: ["Harbor", "Sync", "1.4"],
    summary: "Two machines that sync at once delete each other's new albums", events: [
    [262, "jonas",
      { severity: "blocker", priority: "Highest", keywords: ["data-loss"],
        cf_endpoint: "POST /sync", alias: ["sync-race"] },
      "Happens when both start within the same second. The one that ends last wins."],
    [261, "mei", { status: "IN_PROGRESS", cc: ["ada", "priya"] }],
    [255, "mei",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.5", flags: ["review+"],
        work_time: 22 },
      "Changes carry the version that they were made on; the second one is asked to merge."],
    [255, "priya", { flags: ["approval+"] }],
    [240, "jonas", { status: "VERIFIED" }, "10,000 rounds without a loss."],
  ] },
  { id: 12, in: ["Harbor", "API", "1.4"],
    summary: "Replies of more than 2 MB are cut without an error", events: [
    [210, "priya", { severity: "critical", priority: "High", cf_endpoint: "GET /albums" },
      "The length is right, the end is missing. Seen behind two different proxies, and without any."],
    [208, "priya", { work_time: 3 }, "The compressor is closed too early."],
    [207, "priya", { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.5" }],
  ] },
  { id: 17, in: ["Harbor", "Accounts", "1.5"],
    summary: "Keys are written to the log when a request fails", events: [
    [160, "priya", { severity: "critical", priority: "Highest", cc: ["ada"], cf_endpoint: "any" },
      "The whole address of the request goes into the log, with the key in it."],
    [160, "ada", { groups: ["security"] }],
    [159, "ada", {}, "All keys of the public server have been changed.",
      { isPrivate: true, attach: KEY_LIST }],
    [158, "priya",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.6", flags: ["review+"],
        work_time: 2 }],
  ] },
  { id: 18, in: ["Harbor", "Storage", "1.5"],
    summary: "Thumbnails of removed photos are never cleaned up", events: [
    [152, "seun", { keywords: ["perf"], cf_points: "3" }, "The public server has 1.1 TB of them."],
    [100, "ada", { priority: "High", deadline: 25 }],
    [35, "seun", { status: "IN_PROGRESS", estimated_time: 8, remaining_time: 5, work_time: 3 }],
  ] },
  { id: 20, in: ["Harbor", "API", "1.5"], summary: "Times in replies have no zone", events: [
    [139, "sam", { severity: "minor", keywords: ["good-first-bug"] },
      "«2026-03-01 10:00:00» could be anything."],
    [138, "priya", { status: "CONFIRMED" }, "It is UTC. But you are right, it should say so."],
    [88, "priya", { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.6" }],
  ] },
  { id: 23, in: ["Harbor", "Sync", "1.5"],
    summary: "Sync never ends when the clock of a machine goes backwards", events: [
    [117, "ilse", { status: "UNCONFIRMED" },
      "After the battery was empty my laptop believed it was 2001. Since then it syncs day and night."],
    [115, "jonas", { status: "CONFIRMED", cf_impact: "one person", priority: "Low" }],
    [64, "mei", { depends_on: [7], flags: ["needinfo?(ilse)"] },
      "With versions instead of times this cannot happen any more. Please try 1.5."],
  ] },
  { id: 26, in: ["Harbor", "Accounts", "1.5"],
    summary: "An account at its quota cannot delete photos", events: [
    [99, "lucia", { severity: "major", cf_endpoint: "DELETE /photos", cf_impact: "some people" },
      "Deleting is refused with «quota exceeded», so there is no way out."],
    [98, "tomas", { status: "CONFIRMED", priority: "High" }],
    [97, "priya", { status: "IN_PROGRESS" }],
    [93, "priya",
      { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.6", flags: ["review+"],
        work_time: 1 }],
  ] },
  { id: 28, in: ["Harbor", "Accounts", "1.5"],
    summary: "Somebody else's albums can be listed with a guessed account number", events: [
    [74, "mei",
      { severity: "critical", priority: "Highest", groups: ["security"],
        cf_endpoint: "GET /accounts/N/albums", cf_ship_by: 4 },
      "Only the names, but still."],
    [73, "priya", { status: "IN_PROGRESS", cc: ["ada", "lucia"] },
      "Lucía reported the same by mail and may follow this bug."],
  ] },
  { id: 32, in: ["Harbor", "API", "1.5"], summary: "Document which errors may be tried again",
    events: [
    [47, "sam", { severity: "enhancement" }, "Is a 409 worth a second try? And a 503?"],
    [46, "priya",
      { status: "CONFIRMED", see_also: ["https://github.com/example/http-guide/issues/12"] },
      "503 yes, 409 only after reading again."],
  ] },
  { id: 34, in: ["Harbor", "Storage", "1.5"],
    summary: "Uploads over slow lines are given up after 30 seconds", events: [
    [38, "ilse",
      { severity: "major", priority: "High", cf_endpoint: "PUT /photos", cf_devices: ["phone"],
        url: "https://harbor.example.org/status" },
      "From the holiday flat nothing larger than 3 MB arrives."],
    [37, "seun", { status: "CONFIRMED", cf_impact: "some people" },
      "The limit is for the whole request. It should be for silence."],
    [36, "seun", { status: "IN_PROGRESS", target_milestone: "1.6" }],
  ] },
  { id: 37, in: ["Harbor", "Sync", "main"],
    summary: "Sync of photos with equal names overwrites the older one", events: [
    [28, "lucia",
      { keywords: ["data-loss"], severity: "critical", status: "UNCONFIRMED",
        cf_devices: ["camera"] },
      "IMG_0001.JPG of two cameras in one album."],
    [27, "tomas", { status: "CONFIRMED", priority: "Highest", depends_on: [21] }],
  ] },
  { id: 42, in: ["Harbor", "API", "main"], summary: "Rate limit answers 500 instead of 429",
    events: [
    [11, "priya",
      { keywords: ["regression"], cf_points: "1", cf_endpoint: "any", flags: ["review?(tomas)"] },
      "And without Retry-After."],
  ] },
  { id: 45, in: ["Harbor", "Accounts", "main"],
    summary: "Passwords with an emoji cannot be used to log in", events: [
    [6.3, "sam", { status: "UNCONFIRMED" },
      "They can be set, though 🔥. After that there is only the mail to get a new one."],
  ] },
  { id: 50, in: ["Harbor", "Storage", "main"],
    summary: "Checksums of uploads are compared in different letter case", events: [
    [0.3, "seun", { priority: "Low", severity: "trivial", keywords: ["good-first-bug"] },
      "Harmless so far, because nobody looks at the result."],
  ] },
  // The handbook
  { id: 25, in: IN_GUIDES, summary: "The guide to moving a library speaks of a menu that is gone",
    events: [
    [104, "lucia", { severity: "minor", keywords: ["good-first-bug"] },
      "«Extras → Move library» is now in the settings."],
    [103, "tomas", { status: "IN_PROGRESS" }],
    [102, "tomas", { status: "RESOLVED", resolution: "FIXED", work_time: 0.5 }],
    [81, "lucia", {}, "Thank you!"],
  ] },
  { id: 30, in: ["Handbook", "Website", "current"],
    summary: "Search of the handbook finds nothing in Safari", events: [
    [58, "ilse", { op_sys: "Mac OS", platform: "Macintosh", severity: "major" },
      "The field is there, Enter does nothing."],
    [57, "seun", { flags: ["needinfo?(ilse)"] }, "It works in the newest version here."],
    [49, "ilse", { flags: ["needinfoX"] }, "An extension of mine was to blame."],
    [48.9, "tomas", { status: "RESOLVED", resolution: "INVALID" }],
  ] },
  { id: 35, in: ["Handbook", "Reference", "current"],
    summary: "Every option of Lantern's command line should be described", events: [
    [36, "tomas", { severity: "enhancement", priority: "Low", estimated_time: 20 },
      "There are 41, of which 12 are described."],
    [21, "tomas",
      { status: "IN_PROGRESS", whiteboard: "[12 of 41]", flags: ["review?(ada)"], work_time: 6 }],
  ] },
  { id: 38, in: ["Handbook", "Website", "current"],
    summary: "Pictures have no text for those who cannot see them", events: [
    [24, "lucia",
      { keywords: ["a11y"], severity: "major", priority: "High", flags: ["screenshot?"] },
      "None of the 230."],
    [23, "tomas", { assigned_to: "tomas", deadline: 60 },
      "The first fifty are mine. Who takes fifty more?"],
    [15, "sam", { cc: ["sam"] }, "I do."],
  ] },
  { id: 41, in: IN_GUIDES, summary: "Guide: how to bring photos from another program", events: [
    [14, "sam", { severity: "enhancement" },
      "The four programs that people come from, each with its traps."],
  ] },
  { id: 43, in: ["Handbook", "Reference", "current"],
    summary: "Errors of the interface: one page with every number", events: [
    [10, "priya", { depends_on: [32], cc: ["sam", "jonas"] }, "With what to do about each."],
  ] },
  { id: 47, in: ["Handbook", "Website", "current"],
    summary: "The page «Was ist neu» is served as ISO-8859-1: Ã¤ instead of ä", events: [
    [3.1, "jonas", { severity: "trivial" }, "Only that one."],
    [3, "seun", { status: "RESOLVED", resolution: "FIXED" }, "One line."],
  ] },
];

/** A bug from its first day on; the first event files it. */
export type DemoBug = {
  readonly id: number;
  readonly in: readonly [product: string, component: string, version: string];
  readonly summary: string;
  readonly events: readonly DemoEvent[];
};

/**
 * Something that somebody did to a bug: so many days before now, by the login without its domain. Items of a list are added
 * to it; dates are days after now; flags are review?(mei), review+ or needinfoX.
 */
export type DemoEvent = readonly [ago: number, by: string, set: BugValues, say?: string, more?: CommentParts];

type CommentParts = {
  readonly isPrivate?: boolean; // the comment is, and so is the file
  readonly attach?: DemoFile;
  readonly tags?: readonly string[]; // of the comment
};

/** A file that is attached with a comment; a step that does so does nothing else. */
export type DemoFile = {
  readonly file_name: string;
  readonly summary: string;
  readonly content_type: string;
  readonly is_patch?: boolean;
  readonly data: string;
};

/** The values of a bug that a story tells of, under the interface's names. Custom fields stand beside them. */
export type BugValues = {
  readonly [field: string]: string | number | readonly string[] | readonly number[];
};
