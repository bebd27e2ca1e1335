/** `tidegate why`: what refused a request, with the numbers at that moment, as the running server of DATA_DIR remembers it. */
import type { Command } from 'commander';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { RefusedRequest } from '../administration/refusals.ts';
import { probeSocket } from '../administration/socket.ts';
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
      const found = await refusalsAt(dataPathsOf(settings().dataDir).operatorSocket, requestId);
      if (options.json) printJson(print, found);
      else print(found.map(wordsOf).join('\n'));
    });
}

/** @throws Refusal when no server runs, or it knows of no such request */
async function refusalsAt(socketPath: string, requestId: string): Promise<readonly RefusedRequest[]> {
  if ((await probeSocket(socketPath)) !== 'live') {
    throw new Refusal(
      'NOT_FOUND',
      'no server runs in DATA_DIR; of a gateway that runs alone, look for the request id in its access log (ACCESS_LOG)',
    );
  }
  const found = await createAdministrationClient(socketPath).refusals(requestId);
  if (found.length > 0) return found;
  throw new Refusal(
    'NOT_FOUND',
    `no refused request "${requestId}" is among the last 10,000 since the start: it was answered, is older, or went to another server`,
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
