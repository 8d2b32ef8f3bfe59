import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A server of nothing but bugs 1 to `count`, whose searches know stretches of numbers; `before` delays an answer. */
export async function manyServer(count: number, before: (request: number) => Promise<void> | void = () => undefined) {
  let requests = 0;
  const server = createServer(async ({ url = "" }, response) => {
    requests += 1;
    await before(requests);
    response.setHeader("content-type", "application/json");
    response.end(answer(new URL(url, "http://localhost").searchParams, count));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

function answer(query: URLSearchParams, count: number): string {
  if (query.get("f1") === "bt_no_such_field") return '{"error":true,"code":108,"message":"no such field"}';
  const ends = { lessthan: count + 1, greaterthaneq: 1 };
  for (const row of ["1", "2", "3"]) {
    const operator = query.get(`o${row}`);
    const isEnd = query.get(`f${row}`) === "bug_id" && (operator === "lessthan" || operator === "greaterthaneq");
    if (isEnd) ends[operator] = Number(query.get(`v${row}`));
  }
  const length = Math.min(10_000, Number(query.get("limit")), ends.lessthan - ends.greaterthaneq);
  return `{"bugs":[${Array.from({ length }, (_, at) => bug(ends.lessthan - 1 - at)).join(",")}]}`;
}

const person = '{"id":7,"name":"ada@example.org","real_name":"Ada Brandt","email":"ada@example.org"}';

function bug(id: number): string {
  return `{"id":${id},"summary":"Photo ${id} is shown upside down after the import of a whole card","status":"CONFIRMED",
"resolution":"","product":"Lantern","component":"Import","priority":"High","severity":"normal","assigned_to":
"ada@example.org","assigned_to_detail":${person},"last_change_time":"2026-11-20T05:57:24Z"}`;
}
