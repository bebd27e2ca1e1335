/** `tidegate why`: what refused a request, with the numbers at that moment, as the server or the gateways of DATA_DIR remember it. */
import type { Command } from 'commander';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { RefusedRequest } from '../administration/refusals.ts';
import { liveGateways } from '../administration/socket.ts';
import { createAdministrationClient } from './administration-client.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';

/** Adds `why` to the program. */
export function registerWhyCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  program
    .command('why')
    .description('Say what refused a request, of the last 10,000 refused ones.')
    .argument('<request-id>', 'the X-Request-Id of its answer')
    .option('--json', 'print JSON')
    .action(async (requestId: string, options: { json?: true }) => {
      const found = await refusalsIn(settings().dataDir, requestId);
      if (options.json) printJson(print, found);
      else print(found.map(wordsOf).join('\n'));
    });
}

/** Of every process that has a gateway, the newest first. @throws Refusal when none runs, or none knows of such a request */
async function refusalsIn(dataDir: string, requestId: string): Promise<readonly RefusedRequest[]> {
  const sockets = await liveGateways(dataPathsOf(dataDir));
  if (sockets.length === 0) {
    throw new Refusal(
      'NOT_FOUND',
      'neither a server nor a gateway runs in DATA_DIR; of a gateway elsewhere, ask there, or look for the request id in its access log (ACCESS_LOG)',
    );
  }
  const told = await Promise.all(
    sockets.map((socket) => createAdministrationClient(socket).refusals(requestId)),
  );
  const found = told.flat().sort((a, b) => (a.time < b.time ? 1 : -1));
  if (found.length > 0) return found;
  throw new Refusal(
    'NOT_FOUND',
    `no refused request "${requestId}" is among the last 10,000 since the start: it was answered, is older, or went to another gateway`,
  );
}

function wordsOf(entry: RefusedRequest): string {
  const { time, requestId, status, code, refusedBy, method, path, endpoint, limit, upstream } = entry;
  const by = refusedBy === 'upstream' ? `the service at ${upstream}` : 'the gateway';
  return [
    `${requestId} was refused by ${by}: ${status}${code === null ? '' : ` ${code}`}`,
    `when      ${time}, after ${entry.wholeMs} ms`,
    `request   ${method} ${path ?? '(unknown path)'}, endpoint ${endpoint}`,
    `caller    ${callerOf(entry)}`,
    ...(limit === null
      ? []
      : [
          `limit     ${limit.name}: ${limit.limit} per ${limit.window}; this request takes ${limit.cost}, left ${limit.remaining}`,
          `reset     ${limit.reset}`,
        ]),
    '',
  ].join('\n');
}

function callerOf({ organization, key, user, address }: RefusedRequest): string {
  const known = [
    organization === null ? null : `organization ${organization}`,
    key === null ? null : `key ${key}`,
    user === null ? null : `user ${user}`,
    address === null ? null : `from ${address}`,
  ].filter((text) => text !== null);
  return known.length === 0 ? 'unknown' : known.join(', ');
}
