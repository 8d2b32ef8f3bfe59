import type { DemoBug } from "../story.ts";

const IN_EDITOR = ["Lantern", "Editor", "3.1"] as const;

/** Events of Lantern's editor. */
export const lanternEditorBugs: readonly DemoBug[] = [
  {
    id: 6,
    in: ["Lantern", "Editor", "3.0"],
    summary: "Undo after a crop brings back the wrong photo",
    by: "lucia",
    ago: 288,
    text: "Crop photo A, go on to photo B, press undo: photo B is replaced by A.",
    with: { severity: "critical", priority: "Highest", keywords: ["data-loss"] },
    later: [
      { ago: 287, by: "mei", set: { status: "IN_PROGRESS" } },
      {
        ago: 285,
        by: "mei",
        hours: 4,
        set: { status: "RESOLVED", resolution: "FIXED", target_milestone: "3.1" },
        flags: ["review+"],
      },
      { ago: 285, by: "ada", flags: ["approval+"] },
      { ago: 270, by: "jonas", set: { status: "VERIFIED" } },
    ],
  },
  {
    id: 11,
    in: IN_EDITOR,
    summary: "Colours look washed out on wide-gamut screens",
    by: "ilse",
    ago: 219,
    text: "Compared with every other program, red is nearly orange.",
    with: { cf_impact: "some people", op_sys: "Mac OS", platform: "Macintosh" },
    flags: ["screenshot?(ilse)"],
    later: [
      { ago: 215, by: "ilse", flags: ["screenshot+"], say: "Sent by mail, the page would not take 30 MB." },
      {
        ago: 202,
        by: "mei",
        set: { status: "CONFIRMED", priority: "Low" },
        say: "The profile of the screen is not looked at. It is a bigger piece of work.",
      },
      { ago: 45, by: "tomas", set: { version: "3.2" } },
    ],
  },
  {
    id: 15,
    in: IN_EDITOR,
    summary: "The crop frame cannot be moved with the keyboard",
    by: "sam",
    ago: 171,
    text: "Arrow keys scroll the picture behind the frame instead.",
    with: { keywords: ["a11y", "good-first-bug"], severity: "minor" },
    later: [
      {
        ago: 170,
        by: "tomas",
        set: { status: "CONFIRMED", priority: "High" },
        say: "This shuts people out; it should not wait.",
      },
      { ago: 77, by: "lucia", say: "With a screen reader the frame is not announced at all.", tags: ["a11y"] },
    ],
  },
  {
    id: 22,
    in: IN_EDITOR,
    summary: "Straighten by 0.1° is not possible",
    by: "ilse",
    ago: 126,
    text: "The smallest step is half a degree.",
    with: { severity: "enhancement", priority: "Lowest" },
    later: [
      {
        ago: 120,
        by: "mei",
        set: { status: "RESOLVED", resolution: "INVALID" },
        say: "Hold Shift while you turn the wheel.",
      },
    ],
  },
  {
    id: 27,
    in: ["Lantern", "Editor", "3.2"],
    summary: "Editing a photo in a shared album changes it for everybody without asking",
    by: "priya",
    ago: 83,
    text: "It should ask, or make a copy.",
    with: { severity: "major", priority: "High", cf_impact: "everybody", cc: ["ada", "mei"] },
    later: [
      { ago: 82, by: "ada", say: "A copy. Asking will be clicked away." },
      {
        ago: 50,
        by: "mei",
        set: { status: "IN_PROGRESS", estimated_time: 16, remaining_time: 10, target_milestone: "3.3" },
        hours: 6,
      },
    ],
  },
  {
    id: 31,
    in: ["Lantern", "Editor", "3.2"],
    summary: "Red-eye removal finds strawberries",
    by: "sam",
    ago: 52,
    text: "Every strawberry on the cake has a pupil now.",
    with: { severity: "minor", see_also: ["https://bugzilla.mozilla.org/show_bug.cgi?id=123456"] },
    later: [
      {
        ago: 51,
        by: "mei",
        set: { status: "CONFIRMED" },
        flags: ["screenshot?(sam)"],
        say: "Please send me that photo. Please.",
      },
    ],
  },
  {
    id: 39,
    in: ["Lantern", "Editor", "3.2"],
    summary: "Crash in the editor when the graphics driver is updated meanwhile",
    by: "jonas",
    ago: 20,
    text: "Not worth much work, but it should not take unsaved changes with it.",
    with: { keywords: ["crash"], op_sys: "Windows", cf_crash_signature: "gpu::Surface::present" },
    later: [
      { ago: 19, by: "mei", set: { status: "RESOLVED", resolution: "WONTFIX" } },
      { ago: 18, by: "jonas", set: { status: "UNCONFIRMED", resolution: "" }, say: "Unsaved changes, Mei." },
    ],
  },
  {
    id: 46,
    in: ["Lantern", "Editor", "main"],
    summary:
      "A very long name of a preset is not cut and pushes the buttons «Apply», «Save as…» and «Cancel» out of the window, so that the dialogue can only be left with the Escape key",
    by: "lucia",
    ago: 4.5,
    text: "See the summary. The preset was called «Kodachrome wie bei Oma, aber nicht ganz so warm, für Innenaufnahmen am Abend (zweiter Versuch)».",
    with: { status: "UNCONFIRMED", cf_channel: "nightly" },
  },
];
