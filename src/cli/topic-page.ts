import type { Example } from "../commands/verb.ts";
import {
  belowLines,
  commandLines,
  filledLines,
  type HelpLayout,
  type HelpRow,
  paragraphs,
  readableLayout,
  rowLines,
} from "./help-layout.ts";

/** A page of `bt help` about a topic; also the source of its manual page. */
export type TopicPage = { readonly title: string; readonly parts: readonly TopicPart[] };

/** Part of a page: paragraphs, points of a list, commands to copy, or terms with their descriptions beside or below them. */
export type TopicPart =
  | { readonly text: string }
  | { examples: Example[] }
  | { readonly points: readonly string[] }
  | { readonly rows: readonly HelpRow[]; readonly heading?: string; readonly isBelow?: undefined }
  | { readonly rows: readonly HelpRow[]; readonly heading?: undefined; readonly isBelow: true };

/** Text of a page, filled to the width or as far as it is readable. */
export function topicText({ title, parts }: TopicPage, layout: HelpLayout): string {
  const fitted = readableLayout(layout);
  return `${[headingText(title, fitted), ...parts.map((part) => topicPartText(part, fitted))].join("\n\n")}\n`;
}

/** Text of a part, without an empty line at its end. */
export function topicPartText(part: TopicPart, layout: HelpLayout): string {
  if ("text" in part) return paragraphs(part.text, layout);
  if ("examples" in part) return commandLines(part.examples, layout).join("\n");
  if ("points" in part) {
    return part.points.flatMap((point) => filledLines(point, layout.width, { first: "  - ", rest: "    " })).join("\n");
  }
  const head = part.heading === undefined ? [] : [headingText(part.heading, layout)];
  return [...head, ...(part.isBelow ? belowLines : rowLines)(part.rows, layout)].join("\n");
}

function headingText(text: string, layout: HelpLayout): string {
  return layout.heading(paragraphs(`${text}:`, layout));
}
