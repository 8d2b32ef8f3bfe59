import { expect, test } from "vitest";
import { savedName } from "../../../src/commands/attachment/read.ts";

test.each([
  ["fix.patch", "fix.patch"],
  ["../../.ssh/authorized_keys", "authorized_keys"],
  ["/etc/passwd", "passwd"],
  ["C:\\Users\\x\\a.txt", "a.txt"],
  ["..", "attachment-7"],
  [".", "attachment-7"],
  ["", "attachment-7"],
  [null, "attachment-7"],
  ["x/", "attachment-7"],
  [".bashrc", "_bashrc"],
  ["-rf", "_rf"],
  ["~root", "_root"],
  ["a\u001b[31m\u0000\n.txt", "a[31m.txt"],
  ["evil\u202egpj.exe", "evilgpj.exe"],
  ["été 日本.png", "été 日本.png"],
])("%j is saved as %j", (name, saved) => {
  expect(savedName(name, 7)).toBe(saved);
});
