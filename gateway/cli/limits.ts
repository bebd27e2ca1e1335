/** `tidegate limits`: what is left of every limit that binds an organization, as the server or a gateway of DATA_DIR counts it. */
import type { Command } from 'commander';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { LimitInForce } from '../../plugins/kit/limits-in-force.ts';
import { liveGateways } from '../administration/socket.ts';
import { createAdministrationClient } from './administration-client.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';
import { textTable } from './text-table.ts';

/** Adds `limits` to the program. */
export function registerLimitsCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  program
    .command('limits')
    .description('Show what is left of every limit that binds an organization; looking counts in none.')
    .argument('<organization>', 'the identifier of the organization')
    .option('--json', 'print JSON')
    .action(async (organization: string, { json }: { json?: true }) => {
      // With Redis all gateways count together.
      const [socket] = await liveGateways(dataPathsOf(settings().dataDir));
      if (socket === undefined) {
        throw new Refusal(
          'NOT_FOUND',
          'neither a server nor a gateway runs in DATA_DIR; of gateways elsewhere, ask there, or GET /v1/usage/limits with a session',
        );
      }
      const found = await createAdministrationClient(socket).limits(organization);
      if (json) printJson(print, found);
      else print(tableOf(found.limits, found.moreKeys));
    });
}

function tableOf(limits: readonly LimitInForce[], moreKeys: boolean): string {
  const rows = limits.map((each) => [
    each.enforced ? each.name : `${each.name} (in shadow)`,
    each.window,
    each.counts,
    String(each.used),
    String(each.remaining),
    String(each.limit),
    each.reset ?? '–',
    each.key ?? '–',
  ]);
  const table = textTable(['limit', 'window', 'counts', 'used', 'left', 'of', 'resets', 'key'], rows);
  return moreKeys ? `${table}\nLimits of single keys are shown for the first 100 keys.\n` : table;
}
