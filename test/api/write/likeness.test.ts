import { expect, test } from "vitest";
import { likeness } from "../../../src/api/write/likeness.ts";

const LONG = "The crash comes back after an hour of rendering";

test.each([
  ["a\r\nb\rc", "a\nb\nc", "same"],
  ["a \n\n", "a", "same"],
  [" a", "a", "rewritten"],
  ["a  b", "a b", "rewritten"],
  ["crash 👻!", "crash ????!", "rewritten"],
  ["crash 👻!", "crash \ufffd!", "rewritten"],
  ["𠮷野家 is closed", "?野家 is closed", "rewritten"],
  ["👻", "????", "rewritten"],
  ["👻", "...", "other"],
  ["!!!", "???", "other"],
  ["a < b && c", "a &lt; b &amp;&amp; c", "rewritten"],
  ["Ünïcödé", "Unicode", "rewritten"],
  [`${LONG}, always.`, LONG, "rewritten"],
  [LONG, "The crash", "other"],
  ["ok", "ok\n-- \nsent by a robot", "rewritten"],
  ["ok", "ok with me", "other"],
  ["ok", "not ok", "other"],
  ["ok", "", "other"],
  ["", "ok", "other"],
  ["", "", "same"],
  ["version 1.2", "version 1.3", "other"],
])("%j, stored as %j: %s", (sent, stored, is) => {
  expect(likeness(sent, stored)).toBe(is);
});
