/** `tidegate cache`: empties what running processes keep (plugins/cache). */
import type { Command } from 'commander';
import type { AdministrationCommandContext } from './organizations.ts';
import { withAdministration } from './with-administration.ts';

/** Adds `cache purge` to the program. */
export function registerCacheCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  program
    .command('cache')
    .description('Empty what running processes keep.')
    .command('purge')
    .description('Make every process forget its kept answers.')
    .action(async () => {
      await withAdministration(settings(), (administration) => administration.purgeCaches());
      print('Every process that can be told forgets its kept answers.\n');
    });
}
