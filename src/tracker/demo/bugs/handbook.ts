import type { DemoBug } from "../story.ts";

const IN_GUIDES = ["Handbook", "Guides", "current"] as const;

/** Events of the handbook. */
export const handbookBugs: readonly DemoBug[] = [
  {
    id: 25,
    in: IN_GUIDES,
    summary: "The guide to moving a library speaks of a menu that is gone",
    by: "lucia",
    ago: 104,
    text: "«Extras → Move library» is now in the settings.",
    with: { severity: "minor", keywords: ["good-first-bug"] },
    later: [
      { ago: 103, by: "tomas", set: { status: "IN_PROGRESS" } },
      { ago: 102, by: "tomas", hours: 0.5, set: { status: "RESOLVED", resolution: "FIXED" } },
      { ago: 81, by: "lucia", say: "Thank you!" },
    ],
  },
  {
    id: 30,
    in: ["Handbook", "Website", "current"],
    summary: "Search of the handbook finds nothing in Safari",
    by: "ilse",
    ago: 58,
    text: "The field is there, Enter does nothing.",
    with: { op_sys: "Mac OS", platform: "Macintosh", severity: "major" },
    later: [
      { ago: 57, by: "seun", say: "It works in the newest version here.", flags: ["needinfo?(ilse)"] },
      { ago: 49, by: "ilse", flags: ["needinfoX"], say: "An extension of mine was to blame." },
      { ago: 48.9, by: "tomas", set: { status: "RESOLVED", resolution: "INVALID" } },
    ],
  },
  {
    id: 35,
    in: ["Handbook", "Reference", "current"],
    summary: "Every option of Lantern's command line should be described",
    by: "tomas",
    ago: 36,
    text: "There are 41, of which 12 are described.",
    with: { severity: "enhancement", priority: "Low", estimated_time: 20 },
    later: [
      {
        ago: 21,
        by: "tomas",
        set: { status: "IN_PROGRESS", whiteboard: "[12 of 41]" },
        hours: 6,
        flags: ["review?(ada)"],
      },
    ],
  },
  {
    id: 38,
    in: ["Handbook", "Website", "current"],
    summary: "Pictures have no text for those who cannot see them",
    by: "lucia",
    ago: 24,
    text: "None of the 230.",
    with: { keywords: ["a11y"], severity: "major", priority: "High" },
    flags: ["screenshot?"],
    later: [
      {
        ago: 23,
        by: "tomas",
        set: { assigned_to: "tomas", deadline: 60 },
        say: "The first fifty are mine. Who takes fifty more?",
      },
      { ago: 15, by: "sam", set: { cc: ["sam"] }, say: "I do." },
    ],
  },
  {
    id: 41,
    in: IN_GUIDES,
    summary: "Guide: how to bring photos from another program",
    by: "sam",
    ago: 14,
    text: "The four programs that people come from, each with its traps.",
    with: { severity: "enhancement" },
  },
  {
    id: 43,
    in: ["Handbook", "Reference", "current"],
    summary: "Errors of the interface: one page with every number",
    by: "priya",
    ago: 10,
    text: "With what to do about each.",
    with: { depends_on: [32], cc: ["sam", "jonas"] },
  },
  {
    id: 47,
    in: ["Handbook", "Website", "current"],
    summary: "The page «Was ist neu» is served as ISO-8859-1: Ã¤ instead of ä",
    by: "jonas",
    ago: 3.1,
    text: "Only that one.",
    with: { severity: "trivial" },
    later: [{ ago: 3, by: "seun", set: { status: "RESOLVED", resolution: "FIXED" }, say: "One line." }],
  },
];
