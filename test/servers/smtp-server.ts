import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A mail server until the end of the test; `received` are the mails, `recipient` is its reply to a recipient. */
export async function smtpServer(recipient: (command: string) => string = () => "250 OK") {
  const received: string[] = [];
  const server = createServer((socket) => converse(socket, received, recipient));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, received, close: () => void server.close() };
}

// The client waits for each reply.
function converse(socket: Socket, received: string[], recipient: (command: string) => string): void {
  let end = "\r\n";
  let text = "";
  const reply = (line: string, nextEnd = "\r\n") => {
    text = "";
    end = nextEnd;
    socket.write(`${line}\r\n`);
  };
  socket.on("error", () => undefined).setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    text += chunk;
    if (!text.endsWith(end)) return;
    if (end === MAIL_END) received.push(text.slice(0, 2 - MAIL_END.length));
    if (text.startsWith("RCPT")) reply(recipient(text));
    else if (text.startsWith("DATA")) reply("354 send it", MAIL_END);
    else reply("250 OK");
  });
  reply("220 ready");
}

const MAIL_END = "\r\n.\r\n";
