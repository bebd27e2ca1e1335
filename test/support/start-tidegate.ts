/** Starts a whole server with provisioned organizations, and closes it again: embedded, or as separate processes where the run says so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadSettings } from '../../config/settings.ts';
import { startEmbedded } from '../../gateway/process/embedded.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { startDistributedTidegate } from './distributed/start-distributed-tidegate.ts';
import { isDistributedRun } from './distributed/test-mode.ts';
import { createLogWatch } from './log-watch.ts';
import { KEYS, PROVISIONING, type TestKeys } from './test-organizations.ts';
import { askWhole, type WholeAnswer } from './whole-answer.ts';

export { newKeyText, type TestKeys } from './test-organizations.ts';

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
  /** The instant before it was asked for, in milliseconds. */
  readonly askedMs?: number;
}

export interface TestServer {
  readonly origin: string;
  readonly keys: TestKeys;
  readonly dataDir: string;
  /** A request; each call comes from an address of its own unless `address` is given, so that public limits do not mix. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, or as it is when text. */
  readonly body?: unknown;
  readonly address?: string;
}

export interface StartOptions {
  readonly clock?: Clock;
  readonly dataDir?: string;
  readonly configDir?: string;
  /** Further settings, by their names in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where log lines go; when absent, to a watch that fails `close` if one holds a secret. */
  readonly logger?: Logger;
}

let addresses = 0;

/** A client address that no call used before. */
export function newAddress(): string {
  addresses++;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/**
 * Starts it; `dataDir` of an earlier one continues with its data. In a run over separate processes (`npm run
 * test:distributed`) these, as far as the options go with them.
 */
export async function startTidegate(options: StartOptions = {}): Promise<TestServer> {
  if (isDistributedRun()) {
    const { close, ...system } = await startDistributedTidegate(options);
    return { ...system, keys: KEYS, call: callerOf(system.origin), close };
  }
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tidegate-test-'));
  const provisionFile = join(dataDir, 'provision.yml');
  writeFileSync(provisionFile, PROVISIONING);
  const settings = loadSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    PROVISION_FILE: provisionFile,
    TRUSTED_PROXIES: '127.0.0.1',
    ...(options.configDir === undefined ? {} : { CONFIG_DIR: options.configDir }),
    ...options.settings,
  });
  const watch = createLogWatch();
  const server = await startEmbedded(settings, options.logger ?? watch.logger, options.clock ?? systemClock);
  return {
    origin: server.origin,
    keys: KEYS,
    dataDir,
    call: callerOf(server.origin),
    async close() {
      await server.close();
      watch.assertClean();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** What calls a server that listens there. */
export function callerOf(origin: string): TestServer['call'] {
  return (method, path, call = {}) => callAt(origin, method, path, call);
}

async function callAt(origin: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const { key, body } = options;
  const headers: Record<string, string> = { 'x-forwarded-for': options.address ?? newAddress() };
  if (key !== undefined) headers['x-api-key'] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const askedMs = Date.now();
  const whole = await askWhole(`${origin}${path}`, {
    method,
    headers: { ...headers, ...options.headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return answerOf(whole, askedMs);
}

/** A response of `fetch`, read whole, as {@link answerOf} says. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status, statusText, headers } = response;
  const mediaType = headers.get('content-type') ?? '';
  return answerOf({ status, statusText, headers, mediaType, text: await response.text() });
}

/** An answer whose body must be JSON, a picture or a script (left as text), or empty. */
export function answerOf(whole: WholeAnswer, askedMs?: number): Answer {
  const { status, statusText, mediaType, text } = whole;
  return {
    status,
    reason: statusText,
    get headers() {
      return whole.headers;
    },
    body: text === '' ? null : /^(?:image|text)\//.test(mediaType) ? text : JSON.parse(text),
    ...(askedMs === undefined ? {} : { askedMs }),
  };
}
