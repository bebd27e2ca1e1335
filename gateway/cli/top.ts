/** `tidegate top`: what passes the gateway now, who is throttled, and what is out, refreshed until it is interrupted. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { dataPathsOf } from '../../config/data-directory.ts';
import { parseUrl } from '../../services/shared/text/parse-url.ts';
import { liveGateways } from '../administration/socket.ts';
import { frameOf, type Reading } from '../serve/traffic/frame.ts';
import { Samples } from '../serve/traffic/samples.ts';
import { createAdministrationClient } from './administration-client.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal, toRefusal } from './refusal.ts';
import { renderFrame } from './top/render.ts';

/** How long a process may take to tell its metrics, in milliseconds. */
const ANSWER_MS = 10_000;
/** Moves to the top of a terminal, and clears it. */
const CLEAR = '\x1b[H\x1b[2J';

interface TopOptions {
  readonly url?: string;
  readonly every: number;
  readonly once?: true;
  readonly json?: true;
}

export interface TopCommandContext extends AdministrationCommandContext {
  /** Writes to standard error. */
  readonly tell: (text: string) => void;
  /** Whether the output is a terminal that can be cleared. */
  readonly isTerminal: () => boolean;
}

/** Adds `top` to the program. */
export function registerTopCommand(
  program: Command,
  { settings, print, tell, isTerminal }: TopCommandContext,
): void {
  program
    .command('top')
    .description('Show what passes the gateway now, who is throttled, and what is out, until Ctrl-C.')
    .option(
      '--url <url>',
      'a process with ADMIN_PORT, such as http://127.0.0.1:9100; default: the server of DATA_DIR, or the first gateway there',
    )
    .option('--every <seconds>', 'how often it looks, 1 to 3600', secondsOf, 2)
    .option('--once', 'look twice, show what happened in between, and end')
    .option('--json', 'print a JSON object each time')
    .action(async ({ url, every, once, json }: TopOptions) => {
      const read = url === undefined ? ofServer(settings().dataDir) : ofProcess(url);
      let before = await read();
      do {
        await pause(every * 1_000);
        const now = await read().catch((fault: unknown) => {
          if (once) throw fault;
          // It may be starting again.
          tell(`${toRefusal(fault).message}\n`);
          return null;
        });
        if (now === null) continue;
        const frame = frameOf(before, now);
        before = now;
        if (json) printJson(print, frame);
        else print(`${!once && isTerminal() ? CLEAR : ''}${renderFrame(frame)}${once ? '' : '\n'}`);
      } while (!once);
    });
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,4}$/.test(text) && seconds >= 1 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError('it must be a whole number of seconds, 1 to 3600');
}

/** What the server of DATA_DIR, or the first gateway that runs alone there, tells at its socket. */
function ofServer(dataDir: string): () => Promise<Reading> {
  return async () => {
    const [socketPath] = await liveGateways(dataPathsOf(dataDir));
    if (socketPath === undefined) {
      throw new Refusal(
        'NOT_FOUND',
        'neither a server nor a gateway runs in DATA_DIR; of gateways elsewhere, name one that has ADMIN_PORT with --url',
      );
    }
    const { metrics, throttled } = await createAdministrationClient(socketPath).traffic();
    return { at: Date.now(), samples: new Samples(metrics), throttled };
  };
}

/** What any process tells at its ADMIN_PORT: metrics name no callers. */
function ofProcess(url: string): () => Promise<Reading> {
  const address = parseUrl(url);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Refusal('VALIDATION_ERROR', `--url: "${url}" is no address such as http://127.0.0.1:9100`);
  address.pathname = '/metrics';
  return async () => {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
      (fault: unknown) => {
        const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
        throw new Refusal(
          'UPSTREAM_UNAVAILABLE',
          `${address.href} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
        );
      },
    );
    const text = await answer.text();
    if (!answer.ok) throw new Refusal('UPSTREAM_UNAVAILABLE', `${address.href} answered ${answer.status}`);
    return { at: Date.now(), samples: new Samples(text), throttled: null };
  };
}
