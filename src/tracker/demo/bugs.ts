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
    summary: "Lantern crashes when an album is renamed while it is being synced", by: "lucia",
    ago: 412,
    text: "1. Start a sync of a large album.\n2. Rename the album.\n\nLantern closes without a word. The new name is gone after the next start.",
    with: { status: "UNCONFIRMED", op_sys: "Linux", platform: "PC", severity: "critical", cf_build: "3.0.1-114" },
    later: [
    { ago: 411.5, by: "tomas", say: "Seen here too, every time. Thank you for the exact steps.",
      set: { status: "CONFIRMED", priority: "High", keywords: ["crash"] } },
    { ago: 405, by: "mei",
      set: { status: "IN_PROGRESS", cf_crash_signature: "album::Name::set\r\nsync::Worker::step", alias: ["rename-crash"] },
      say: "The worker keeps a pointer to the old name." },
    { ago: 399, by: "mei", hours: 6,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1" },
      say: "Names are copied now before a sync starts.", flags: ["review+"] },
    { ago: 380, by: "jonas", set: { status: "VERIFIED" },
      say: "Good in 3.1 on Linux and Windows." },
  ] },
  { id: 2, in: IN_LIBRARY, summary: "Search finds photos of deleted albums", by: "sam", ago: 398,
    text: "Delete an album with its photos and search for one of them: it is found, and opening it shows an error.",
    with: { severity: "minor", cc: ["lucia"], cf_impact: "some people" }, later: [
    { ago: 396, by: "tomas", set: { status: "CONFIRMED", priority: "Low" },
      say: "The index is only cleaned at start. Annoying, not dangerous." },
    { ago: 120, by: "sam", say: "Still so in 3.1." },
    { ago: 119.9, by: "tomas", set: { version: "3.1", keywords: ["good-first-bug"] },
      flags: ["needinfo?(mei)"] },
  ] },
  { id: 5, in: ["Lantern", "Library", "3.1"],
    summary: "Opening a library of 90,000 photos takes four minutes", by: "ilse", ago: 301,
    text: "On a network drive it is four minutes, on a local disk one. Version 3.0 took twenty seconds for the same library.",
    with: { severity: "major", priority: "High", keywords: ["perf", "regression"], cf_devices: ["network drive"], cf_impact: "some people", alias: ["slow-open"] },
    flags: ["needinfo?(ilse)"], later: [
    { ago: 300, by: "jonas",
      say: "How many albums are there, and is the drive mounted over SMB or NFS?" },
    { ago: 298, by: "ilse", flags: ["needinfoX"], say: "1,240 albums, SMB." },
    { ago: 290, by: "mei", set: { status: "IN_PROGRESS", estimated_time: 24, remaining_time: 24 },
      hours: 4, say: "Every album asks the drive for its date, one after the other." },
    { ago: 260, by: "mei", hours: 9, set: { remaining_time: 11 },
      say: "Half of it is in main: dates are asked for in parallel now." },
    { ago: 12, by: "mei", set: { target_milestone: "3.3", deadline: 18 } },
  ] },
  { id: 9, in: ["Lantern", "Library", "3.1"], summary: "Tags with an apostrophe cannot be removed",
    by: "lucia", ago: 233,
    text: "A tag such as «l'été» can be added to photos but never leaves them again.",
    with: { status: "UNCONFIRMED", op_sys: "Mac OS", platform: "Macintosh" }, later: [
    { ago: 232, by: "seun",
      set: { status: "CONFIRMED", see_also: ["https://github.com/example/tagtool/issues/77"] },
      say: "The tool that writes tags quotes them wrongly; reported there." },
    { ago: 180, by: "seun",
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2" },
      say: "The next version of the tool is used." },
    { ago: 180, by: "ada", flags: ["approval+"] },
  ] },
  { id: 14, in: ["Lantern", "Library", "3.1"], summary: "An album can be moved into itself",
    by: "jonas", ago: 190,
    text: "Drag an album onto one of its own children. The whole branch vanishes from the tree; the photos are still on disk.",
    with: { severity: "critical", priority: "Highest", keywords: ["data-loss"], cf_impact: "one person", cf_points: "5" },
    later: [
    { ago: 189, by: "mei", set: { status: "IN_PROGRESS" } },
    { ago: 186, by: "mei", hours: 3.5,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2" },
      flags: ["review?(jonas)"], say: "Refused now, with a sentence." },
    { ago: 184, by: "jonas", flags: ["review+"], set: { status: "VERIFIED" } },
  ] },
  { id: 19, in: ["Lantern", "Library", "3.1"],
    summary: "Faces: two people with one name are merged", by: "sam", ago: 141,
    text: "My brother-in-law and my neighbour are both called Piet. After naming the second one all his photos belonged to the first.",
    with: { severity: "major", cf_impact: "some people" }, later: [
    { ago: 140, by: "tomas",
      set: { status: "CONFIRMED", keywords: ["data-loss"], priority: "High" },
      say: "The name should not be the key." },
    { ago: 133, by: "mei", say: "Agreed. That needs the new catalogue (bug 21).",
      set: { depends_on: [21] } },
  ] },
  { id: 21, in: ["Lantern", "Library", "main"],
    summary: "A new catalogue: photos and albums have ids of their own", by: "mei", ago: 137,
    text: "Names and paths are used as keys all over. This bug collects what has to change:\n\n- albums\n- people\n- tags\n- the file format, with a way back",
    with: { severity: "enhancement", priority: "High", alias: ["new-catalogue"], target_milestone: "3.3", estimated_time: 120, remaining_time: 120, cf_points: "40", depends_on: [5] },
    later: [
    { ago: 130, by: "mei",
      set: { status: "IN_PROGRESS", remaining_time: 100, whiteboard: "[plan agreed]" }, hours: 20 },
    { ago: 90, by: "ada", say: "Please keep the old file readable for two versions.",
      attach: OLD_CATALOGUE },
    { ago: 60, by: "mei", set: { remaining_time: 60 }, hours: 40,
      say: "Albums and tags are done in main." },
    { ago: 9, by: "mei", set: { remaining_time: 35, deadline: 45 }, hours: 25,
      flags: ["review?(seun)"], say: "People are done too. Reviews, please." },
  ] },
  { id: 33, in: ["Lantern", "Library", "3.2"],
    summary: "Sorting by date puts photos without a date first", by: "ilse", ago: 41,
    text: "Scanned photos have no date. They should come last, or I should be able to say where.",
    with: { status: "UNCONFIRMED", severity: "trivial" } },
  { id: 40, in: ["Lantern", "Library", "3.2"],
    summary: "Album of a shared library shows the wrong owner after a sync", by: "lucia", ago: 17,
    text: "All albums of my sister are shown as mine after the second sync. Her Lantern shows them rightly.",
    with: { status: "UNCONFIRMED", cf_impact: "one person", cf_last_seen: -17 },
    flags: ["needinfo?(lucia)"], later: [
    { ago: 16, by: "tomas", say: "Which version is on your sister's machine?",
      set: { cc: ["tomas"] } },
  ] },
  { id: 48, in: ["Lantern", "Library", "main"],
    summary: "Crash on start after the catalogue is converted on a full disk", by: "jonas",
    ago: 2.2,
    text: "The conversion stops half-way when the disk is full, and from then on Lantern crashes on start.",
    with: { severity: "blocker", priority: "Highest", keywords: ["crash", "data-loss"], cf_crash_signature: "catalogue::Convert::finish", cf_build: "main-2217", cf_channel: "nightly", depends_on: [21] },
    later: [
    { ago: 1.4, by: "mei", set: { status: "IN_PROGRESS", cf_ship_by: 6, target_milestone: "3.3" },
      say: "It must write beside the old file and swap at the end. Mine." },
  ] },
  // Lantern: import, export and packages
  { id: 3, in: ["Lantern", "Import & Export", "3.0"],
    summary: "Import from a card reader copies every photo twice", by: "sam", ago: 377,
    text: "With the camera's own cable it is right. With a card reader there are two of each, the second with « (1)» in its name.",
    with: { cf_devices: ["card reader"], op_sys: "Windows", platform: "PC" }, later: [
    { ago: 375, by: "seun", set: { status: "CONFIRMED", priority: "High", severity: "major" },
      flags: ["needinfo?(sam)"], say: "Does the reader show up as two drives?" },
    { ago: 374, by: "sam", flags: ["needinfoX"],
      say: "It does! E: and F:, both with the same card." },
    { ago: 360, by: "seun", hours: 5,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1" },
      say: "Cards are told apart by their serial number now." },
    { ago: 341, by: "jonas", set: { status: "VERIFIED" } },
  ] },
  { id: 4, in: ["Lantern", "Import & Export", "3.0"], summary: "Photos appear twice after import",
    by: "ilse", ago: 370, text: "I have two of everything since the holidays.",
    with: { status: "UNCONFIRMED" }, later: [
    { ago: 369, by: "tomas", say: "A card reader with two drives, as it turns out." },
    { ago: 369, by: "tomas", set: { status: "RESOLVED", resolution: "DUPLICATE", dupe_of: 3 } },
  ] },
  { id: 8, in: IN_IMPORT, summary: "Exported archives lose the names of people", by: "lucia",
    ago: 244,
    text: "Export an album with faces as an archive, import it on another machine: the frames are there, the names are not.",
    with: { keywords: ["data-loss"], priority: "High", severity: "major", cf_impact: "some people" },
    later: [
    { ago: 240, by: "seun", set: { status: "IN_PROGRESS" }, hours: 2 },
    { ago: 238, by: "seun", set: { status: "CONFIRMED" },
      say: "The archive has no place for them. This needs a new version of the format.",
      tags: ["format"] },
    { ago: 130, by: "mei", set: { depends_on: [21] } },
  ] },
  { id: 10, in: IN_IMPORT, summary: "Support importing from a phone over the network", by: "ilse",
    ago: 226, text: "The cable of my phone is broken. Could Lantern take photos over the network?",
    with: { severity: "enhancement", cf_devices: ["phone"], cc: ["sam"] }, later: [
    { ago: 220, by: "tomas", set: { status: "CONFIRMED", priority: "Low" },
      say: "Wanted by many. Nobody has the time at present; help is welcome." },
    { ago: 96, by: "sam", say: "I would try, if somebody tells me where to begin." },
    { ago: 95, by: "tomas", set: { keywords: ["good-first-bug"] }, flags: ["needinfo?(seun)"] },
  ] },
  { id: 13, in: ["Lantern", "Installer", "3.1"],
    summary: "The Windows installer asks for a restart although nothing needs one", by: "jonas",
    ago: 201, text: "On a clean machine, first installation.",
    with: { op_sys: "Windows", platform: "PC", severity: "trivial", priority: "Lowest" }, later: [
    { ago: 200, by: "seun", set: { status: "RESOLVED", resolution: "WONTFIX" },
      say: "The system asks, not we. There is no switch for it." },
  ] },
  { id: 16, in: ["Lantern", "Installer", "3.1"],
    summary: "Update from 3.0 keeps the old program beside the new one", by: "sam", ago: 168,
    text: "Both are in the menu, and the old one opens when a photo is double-clicked.",
    with: { keywords: ["regression"], op_sys: "Linux", platform: "PC", cf_channel: "release" },
    later: [
    { ago: 166, by: "seun", set: { status: "IN_PROGRESS", priority: "High" } },
    { ago: 160, by: "seun", hours: 3,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2" } },
    { ago: 150, by: "sam", say: "It is back with the update to 3.2 beta 1.",
      attach: INSTALLER_LOG },
    { ago: 149, by: "tomas", set: { status: "CONFIRMED", resolution: "", version: "3.2" },
      say: "Opened again." },
    { ago: 140, by: "seun", hours: 1.5, set: { status: "RESOLVED", resolution: "FIXED" },
      say: "The menu file has another name on that system." },
  ] },
  { id: 24, in: IN_IMPORT, summary: "HEIC photos are turned by 90° on export", by: "lucia",
    ago: 110,
    text: "Upright photos of the phone lie on their side in the exported files. In Lantern they look right.",
    with: { cf_devices: ["phone"], cf_impact: "everybody", priority: "High", keywords: ["regression"], url: "https://photos.example.org/turned?a=1&b=2" },
    later: [
    { ago: 108, by: "seun", set: { status: "IN_PROGRESS" }, flags: ["review?(mei)"] },
    { ago: 101, by: "mei", flags: ["review-"], say: "The thumbnail inside is still turned." },
    { ago: 94, by: "seun", flags: ["review?(mei)"], hours: 2 },
    { ago: 92, by: "mei", flags: ["review+"] },
    { ago: 91, by: "seun",
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.2" } },
  ] },
  { id: 29, in: ["Lantern", "Import & Export", "3.2"],
    summary: "Import stops at the first unreadable file and says nothing", by: "ilse", ago: 66,
    text: "One broken photo on the card, and everything after it is not imported. There is no message, the bar just goes away.",
    with: { severity: "major", priority: "High", keywords: ["data-loss"], cf_devices: ["camera", "card reader"] },
    later: [
    { ago: 65, by: "tomas", set: { status: "CONFIRMED", assigned_to: "mei" } },
    { ago: 62, by: "mei", set: { assigned_to: "seun" }, say: "Import is yours, I think." },
    { ago: 30, by: "seun", set: { status: "IN_PROGRESS", target_milestone: "3.3", deadline: -3 } },
  ] },
  { id: 36, in: ["Lantern", "Installer", "3.2"],
    summary: "Package for ARM is missing from the download page", by: "sam", ago: 33,
    text: "The release notes speak of it.",
    with: { op_sys: "Linux", platform: "Other", status: "UNCONFIRMED" }, later: [
    { ago: 32.8, by: "seun", set: { status: "RESOLVED", resolution: "WORKSFORME" },
      say: "It was being uploaded. It is there now." },
  ] },
  { id: 44, in: ["Lantern", "Import & Export", "3.2"],
    summary: "Import: \"Ask me each time\" asks once for all files", by: "jonas", ago: 8,
    text: "The choice is taken for every file that follows, without a tick in «for all».",
    with: { keywords: ["regression", "good-first-bug"], cf_build: "3.2.0-41" } },
  { id: 49, in: ["Lantern", "Import & Export", "main"],
    summary: "Memory grows by the size of every photo while importing", by: "priya", ago: 0.9,
    text: "2,000 photos of 20 MB: Lantern has 9 GB at the end. Nothing is given back until it is closed.",
    with: { keywords: ["perf", "regression"], severity: "critical", priority: "Highest", cf_channel: "nightly", cf_build: "main-2231", cf_last_seen: -0.8 },
    flags: ["needinfo?(seun)"], later: [
    { ago: 0.4, by: "tomas", set: { cc: ["ada", "tomas"], whiteboard: "[blocks the beta]" } },
  ] },
  // Lantern: the editor
  { id: 6, in: ["Lantern", "Editor", "3.0"],
    summary: "Undo after a crop brings back the wrong photo", by: "lucia", ago: 288,
    text: "Crop photo A, go on to photo B, press undo: photo B is replaced by A.",
    with: { severity: "critical", priority: "Highest", keywords: ["data-loss"] }, later: [
    { ago: 287, by: "mei", set: { status: "IN_PROGRESS" } },
    { ago: 285, by: "mei", hours: 4,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1" },
      flags: ["review+"] },
    { ago: 285, by: "ada", flags: ["approval+"] },
    { ago: 270, by: "jonas", set: { status: "VERIFIED" } },
  ] },
  { id: 11, in: IN_EDITOR, summary: "Colours look washed out on wide-gamut screens", by: "ilse",
    ago: 219, text: "Compared with every other program, red is nearly orange.",
    with: { cf_impact: "some people", op_sys: "Mac OS", platform: "Macintosh" },
    flags: ["screenshot?(ilse)"], later: [
    { ago: 215, by: "ilse", flags: ["screenshot+"],
      say: "Sent by mail, the page would not take 30 MB." },
    { ago: 202, by: "mei", set: { status: "CONFIRMED", priority: "Low" },
      say: "The profile of the screen is not looked at. It is a bigger piece of work." },
    { ago: 45, by: "tomas", set: { version: "3.2" } },
  ] },
  { id: 15, in: IN_EDITOR, summary: "The crop frame cannot be moved with the keyboard", by: "sam",
    ago: 171, text: "Arrow keys scroll the picture behind the frame instead.",
    with: { keywords: ["a11y", "good-first-bug"], severity: "minor" }, later: [
    { ago: 170, by: "tomas", set: { status: "CONFIRMED", priority: "High" },
      say: "This shuts people out; it should not wait." },
    { ago: 77, by: "lucia", say: "With a screen reader the frame is not announced at all.",
      tags: ["a11y"] },
  ] },
  { id: 22, in: IN_EDITOR, summary: "Straighten by 0.1° is not possible", by: "ilse", ago: 126,
    text: "The smallest step is half a degree.",
    with: { severity: "enhancement", priority: "Lowest" }, later: [
    { ago: 120, by: "mei", set: { status: "RESOLVED", resolution: "INVALID" },
      say: "Hold Shift while you turn the wheel." },
  ] },
  { id: 27, in: ["Lantern", "Editor", "3.2"],
    summary: "Editing a photo in a shared album changes it for everybody without asking",
    by: "priya", ago: 83, text: "It should ask, or make a copy.",
    with: { severity: "major", priority: "High", cf_impact: "everybody", cc: ["ada", "mei"] },
    later: [
    { ago: 82, by: "ada", say: "A copy. Asking will be clicked away." },
    { ago: 50, by: "mei",
      set: { status: "IN_PROGRESS", estimated_time: 16, remaining_time: 10, target_milestone: "3.3" },
      hours: 6 },
  ] },
  { id: 31, in: ["Lantern", "Editor", "3.2"], summary: "Red-eye removal finds strawberries",
    by: "sam", ago: 52, text: "Every strawberry on the cake has a pupil now.",
    with: { severity: "minor", see_also: ["https://bugzilla.mozilla.org/show_bug.cgi?id=123456"] },
    later: [
    { ago: 51, by: "mei", set: { status: "CONFIRMED" }, flags: ["screenshot?(sam)"],
      say: "Please send me that photo. Please." },
  ] },
  { id: 39, in: ["Lantern", "Editor", "3.2"],
    summary: "Crash in the editor when the graphics driver is updated meanwhile", by: "jonas",
    ago: 20, text: "Not worth much work, but it should not take unsaved changes with it.",
    with: { keywords: ["crash"], op_sys: "Windows", cf_crash_signature: "gpu::Surface::present" },
    later: [
    { ago: 19, by: "mei", set: { status: "RESOLVED", resolution: "WONTFIX" } },
    { ago: 18, by: "jonas", set: { status: "UNCONFIRMED", resolution: "" },
      say: "Unsaved changes, Mei." },
  ] },
  { id: 46, in: ["Lantern", "Editor", "main"],
    summary: "A very long name of a preset is not cut and pushes the buttons «Apply», «Save as…» and «Cancel» out of the window, so that the dialogue can only be left with the Escape key",
    by: "lucia", ago: 4.5,
    text: "See the summary. The preset was called «Kodachrome wie bei Oma, aber nicht ganz so warm, für Innenaufnahmen am Abend (zweiter Versuch)».",
    with: { status: "UNCONFIRMED", cf_channel: "nightly" } },
  // Harbor, the sync server
  { id: 7, in: ["Harbor", "Sync", "1.4"],
    summary: "Two machines that sync at once delete each other's new albums", by: "jonas", ago: 262,
    text: "Happens when both start within the same second. The one that ends last wins.",
    with: { severity: "blocker", priority: "Highest", keywords: ["data-loss"], cf_endpoint: "POST /sync", alias: ["sync-race"] },
    later: [
    { ago: 261, by: "mei", set: { status: "IN_PROGRESS", cc: ["ada", "priya"] } },
    { ago: 255, by: "mei", hours: 22,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.5" }, flags: ["review+"],
      say: "Changes carry the version that they were made on; the second one is asked to merge." },
    { ago: 255, by: "priya", flags: ["approval+"] },
    { ago: 240, by: "jonas", set: { status: "VERIFIED" }, say: "10,000 rounds without a loss." },
  ] },
  { id: 12, in: ["Harbor", "API", "1.4"],
    summary: "Replies of more than 2 MB are cut without an error", by: "priya", ago: 210,
    text: "The length is right, the end is missing. Seen behind two different proxies, and without any.",
    with: { severity: "critical", priority: "High", cf_endpoint: "GET /albums" }, later: [
    { ago: 208, by: "priya", hours: 3, say: "The compressor is closed too early." },
    { ago: 207, by: "priya",
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.5" } },
  ] },
  { id: 17, in: ["Harbor", "Accounts", "1.5"],
    summary: "Keys are written to the log when a request fails", by: "priya", ago: 160,
    text: "The whole address of the request goes into the log, with the key in it.",
    with: { severity: "critical", priority: "Highest", cc: ["ada"], cf_endpoint: "any" }, later: [
    { ago: 160, by: "ada", set: { groups: ["security"] } },
    { ago: 159, by: "ada", say: "All keys of the public server have been changed.", isPrivate: true,
      attach: KEY_LIST },
    { ago: 158, by: "priya", hours: 2,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.6" },
      flags: ["review+"] },
  ] },
  { id: 18, in: ["Harbor", "Storage", "1.5"],
    summary: "Thumbnails of removed photos are never cleaned up", by: "seun", ago: 152,
    text: "The public server has 1.1 TB of them.", with: { keywords: ["perf"], cf_points: "3" },
    later: [
    { ago: 100, by: "ada", set: { priority: "High", deadline: 25 } },
    { ago: 35, by: "seun", set: { status: "IN_PROGRESS", estimated_time: 8, remaining_time: 5 },
      hours: 3 },
  ] },
  { id: 20, in: ["Harbor", "API", "1.5"], summary: "Times in replies have no zone", by: "sam",
    ago: 139, text: "«2026-03-01 10:00:00» could be anything.",
    with: { severity: "minor", keywords: ["good-first-bug"] }, later: [
    { ago: 138, by: "priya", set: { status: "CONFIRMED" },
      say: "It is UTC. But you are right, it should say so." },
    { ago: 88, by: "priya",
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.6" } },
  ] },
  { id: 23, in: ["Harbor", "Sync", "1.5"],
    summary: "Sync never ends when the clock of a machine goes backwards", by: "ilse", ago: 117,
    text: "After the battery was empty my laptop believed it was 2001. Since then it syncs day and night.",
    with: { status: "UNCONFIRMED" }, later: [
    { ago: 115, by: "jonas",
      set: { status: "CONFIRMED", cf_impact: "one person", priority: "Low" } },
    { ago: 64, by: "mei", set: { depends_on: [7] },
      say: "With versions instead of times this cannot happen any more. Please try 1.5.",
      flags: ["needinfo?(ilse)"] },
  ] },
  { id: 26, in: ["Harbor", "Accounts", "1.5"],
    summary: "An account at its quota cannot delete photos", by: "lucia", ago: 99,
    text: "Deleting is refused with «quota exceeded», so there is no way out.",
    with: { severity: "major", cf_endpoint: "DELETE /photos", cf_impact: "some people" }, later: [
    { ago: 98, by: "tomas", set: { status: "CONFIRMED", priority: "High" } },
    { ago: 97, by: "priya", set: { status: "IN_PROGRESS" } },
    { ago: 93, by: "priya", hours: 1,
      set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "1.6" },
      flags: ["review+"] },
  ] },
  { id: 28, in: ["Harbor", "Accounts", "1.5"],
    summary: "Somebody else's albums can be listed with a guessed account number", by: "mei",
    ago: 74, text: "Only the names, but still.",
    with: { severity: "critical", priority: "Highest", groups: ["security"], cf_endpoint: "GET /accounts/N/albums", cf_ship_by: 4 },
    later: [
    { ago: 73, by: "priya", set: { status: "IN_PROGRESS", cc: ["ada", "lucia"] },
      say: "Lucía reported the same by mail and may follow this bug." },
  ] },
  { id: 32, in: ["Harbor", "API", "1.5"], summary: "Document which errors may be tried again",
    by: "sam", ago: 47, text: "Is a 409 worth a second try? And a 503?",
    with: { severity: "enhancement" }, later: [
    { ago: 46, by: "priya",
      set: { status: "CONFIRMED", see_also: ["https://github.com/example/http-guide/issues/12"] },
      say: "503 yes, 409 only after reading again." },
  ] },
  { id: 34, in: ["Harbor", "Storage", "1.5"],
    summary: "Uploads over slow lines are given up after 30 seconds", by: "ilse", ago: 38,
    text: "From the holiday flat nothing larger than 3 MB arrives.",
    with: { severity: "major", priority: "High", cf_endpoint: "PUT /photos", cf_devices: ["phone"], url: "https://harbor.example.org/status" },
    later: [
    { ago: 37, by: "seun", set: { status: "CONFIRMED", cf_impact: "some people" },
      say: "The limit is for the whole request. It should be for silence." },
    { ago: 36, by: "seun", set: { status: "IN_PROGRESS", target_milestone: "1.6" } },
  ] },
  { id: 37, in: ["Harbor", "Sync", "main"],
    summary: "Sync of photos with equal names overwrites the older one", by: "lucia", ago: 28,
    text: "IMG_0001.JPG of two cameras in one album.",
    with: { keywords: ["data-loss"], severity: "critical", status: "UNCONFIRMED", cf_devices: ["camera"] },
    later: [
    { ago: 27, by: "tomas", set: { status: "CONFIRMED", priority: "Highest", depends_on: [21] } },
  ] },
  { id: 42, in: ["Harbor", "API", "main"], summary: "Rate limit answers 500 instead of 429",
    by: "priya", ago: 11, text: "And without Retry-After.",
    with: { keywords: ["regression"], cf_points: "1", cf_endpoint: "any" },
    flags: ["review?(tomas)"] },
  { id: 45, in: ["Harbor", "Accounts", "main"],
    summary: "Passwords with an emoji cannot be used to log in", by: "sam", ago: 6.3,
    text: "They can be set, though 🔥. After that there is only the mail to get a new one.",
    with: { status: "UNCONFIRMED" } },
  { id: 50, in: ["Harbor", "Storage", "main"],
    summary: "Checksums of uploads are compared in different letter case", by: "seun", ago: 0.3,
    text: "Harmless so far, because nobody looks at the result.",
    with: { priority: "Low", severity: "trivial", keywords: ["good-first-bug"] } },
  // The handbook
  { id: 25, in: IN_GUIDES, summary: "The guide to moving a library speaks of a menu that is gone",
    by: "lucia", ago: 104, text: "«Extras → Move library» is now in the settings.",
    with: { severity: "minor", keywords: ["good-first-bug"] }, later: [
    { ago: 103, by: "tomas", set: { status: "IN_PROGRESS" } },
    { ago: 102, by: "tomas", hours: 0.5, set: { status: "RESOLVED", resolution: "FIXED" } },
    { ago: 81, by: "lucia", say: "Thank you!" },
  ] },
  { id: 30, in: ["Handbook", "Website", "current"],
    summary: "Search of the handbook finds nothing in Safari", by: "ilse", ago: 58,
    text: "The field is there, Enter does nothing.",
    with: { op_sys: "Mac OS", platform: "Macintosh", severity: "major" }, later: [
    { ago: 57, by: "seun", say: "It works in the newest version here.",
      flags: ["needinfo?(ilse)"] },
    { ago: 49, by: "ilse", flags: ["needinfoX"], say: "An extension of mine was to blame." },
    { ago: 48.9, by: "tomas", set: { status: "RESOLVED", resolution: "INVALID" } },
  ] },
  { id: 35, in: ["Handbook", "Reference", "current"],
    summary: "Every option of Lantern's command line should be described", by: "tomas", ago: 36,
    text: "There are 41, of which 12 are described.",
    with: { severity: "enhancement", priority: "Low", estimated_time: 20 }, later: [
    { ago: 21, by: "tomas", set: { status: "IN_PROGRESS", whiteboard: "[12 of 41]" }, hours: 6,
      flags: ["review?(ada)"] },
  ] },
  { id: 38, in: ["Handbook", "Website", "current"],
    summary: "Pictures have no text for those who cannot see them", by: "lucia", ago: 24,
    text: "None of the 230.", with: { keywords: ["a11y"], severity: "major", priority: "High" },
    flags: ["screenshot?"], later: [
    { ago: 23, by: "tomas", set: { assigned_to: "tomas", deadline: 60 },
      say: "The first fifty are mine. Who takes fifty more?" },
    { ago: 15, by: "sam", set: { cc: ["sam"] }, say: "I do." },
  ] },
  { id: 41, in: IN_GUIDES, summary: "Guide: how to bring photos from another program", by: "sam",
    ago: 14, text: "The four programs that people come from, each with its traps.",
    with: { severity: "enhancement" } },
  { id: 43, in: ["Handbook", "Reference", "current"],
    summary: "Errors of the interface: one page with every number", by: "priya", ago: 10,
    text: "With what to do about each.", with: { depends_on: [32], cc: ["sam", "jonas"] } },
  { id: 47, in: ["Handbook", "Website", "current"],
    summary: "The page «Was ist neu» is served as ISO-8859-1: Ã¤ instead of ä", by: "jonas",
    ago: 3.1, text: "Only that one.", with: { severity: "trivial" }, later: [
    { ago: 3, by: "seun", set: { status: "RESOLVED", resolution: "FIXED" }, say: "One line." },
  ] },
];

/** A bug from its first day on. */
export type DemoBug = {
  readonly id: number;
  readonly in: readonly [product: string, component: string, version: string];
  readonly summary: string;
  readonly by: string;
  readonly ago: number; // when it was filed, in days before now
  readonly text: string;
  readonly with?: BugValues; // what it was filed with
  readonly flags?: readonly string[];
  readonly later?: readonly Event[];
};

/** Something that somebody did to a bug. */
export type Event = {
  readonly ago: number; // days before now
  readonly by: string; // the login without its domain
  readonly say?: string; // a comment
  readonly isPrivate?: boolean; // the comment is, and so is the file
  readonly attach?: DemoFile;
  readonly tags?: readonly string[]; // of the comment
  readonly hours?: number; // worked
  readonly set?: BugValues; // new values; items of a list are added to it; dates are days after now
  readonly flags?: readonly string[]; // review?(mei), review+, needinfoX
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
