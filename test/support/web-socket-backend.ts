/** A backend that speaks WebSocket (RFC 6455) as far as tests need it: it echoes each message, and tells what it saw. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeFrame, FrameEnds } from '../../plugins/proxy/frame-ends.ts';
import { startUpstream } from './start-gateway.ts';

export interface WebSocketBackend {
  readonly origin: string;
  /** The requests that became WebSockets, in their order. */
  readonly opened: IncomingMessage[];
  /** Their connections. */
  readonly sockets: Duplex[];
  /** The status of each Close frame that came. */
  readonly closes: number[];
  close(): Promise<void>;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** `refuse`: the status for a request; null opens the WebSocket. `answer`: what it does with other requests. */
export async function startWebSocketBackend(
  refuse: (req: IncomingMessage) => number | null = () => null,
  answer: RequestListener = (_req, res) => res.end('plain'),
): Promise<WebSocketBackend> {
  const opened: IncomingMessage[] = [];
  const sockets: Duplex[] = [];
  const closes: number[] = [];
  const { origin, server, close } = await startUpstream(answer);
  server.on('upgrade', (req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const status = refuse(req);
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\nx-why: no\r\n\r\nno`);
      return;
    }
    const accept = createHash('sha1').update(`${req.headers['sec-websocket-key']}${GUID}`).digest('base64');
    const protocol = req.headers['sec-websocket-protocol']?.split(',')[0];
    const chosen = protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Powered-By: test\r\nContent-Length: 5\r\nSec-WebSocket-Accept: ${accept}\r\n${chosen}\r\n`,
    );
    opened.push(req);
    sockets.push(socket);
    echo(socket, (code) => closes.push(code));
  });
  return {
    origin,
    opened,
    sockets,
    closes,
    async close() {
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}

/** Sends back what comes, frame by frame without its mask; a Close frame is answered, then the connection ends. */
function echo(socket: Duplex, onClose: (code: number) => void): void {
  const frames = new FrameEnds();
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    frames.take(chunk);
    if (!frames.isBetween) return;
    for (const { opcode, payload } of unmasked(held)) {
      if (opcode === 8) {
        const code = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
        onClose(code);
        socket.end(closeFrame(code === 1005 ? 1000 : code, '', null));
      } else socket.write(frame(opcode, payload));
    }
    held = Buffer.alloc(0);
  });
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Whole frames of a client. */
function unmasked(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length) {
    const opcode = (bytes[at] as number) & 0x0f;
    const short = (bytes[at + 1] as number) & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length =
      lengthBytes === 0
        ? short
        : Number(bytes.subarray(at + 2).readUIntBE(lengthBytes === 8 ? 2 : 0, lengthBytes === 8 ? 6 : 2));
    const mask = bytes.subarray(at + 2 + lengthBytes, at + 6 + lengthBytes);
    const from = at + 6 + lengthBytes;
    const payload = Buffer.from(bytes.subarray(from, from + length));
    for (let index = 0; index < payload.length; index++)
      (payload[index] as number) ^= mask[index % 4] as number;
    frames.push({ opcode, payload });
    at = from + length;
  }
  return frames;
}

/** A frame of a server. */
export function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
