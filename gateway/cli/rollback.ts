/** `tidegate rollback` and `tidegate unpin`: keeps an earlier configuration in force, and ends that. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { toNumber } from './history.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { withAdministration } from './with-administration.ts';

const SECONDS_LATER = 'every gateway takes it up within 2 seconds';

/** Adds `rollback` to the program. */
export function registerRollbackCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  program
    .command('rollback')
    .description(
      'Keep a configuration of the history in force, in every gateway and over restarts. CONFIG_DIR stays as it is.',
    )
    .argument('<number>', 'its number in "tidegate history"', toNumber)
    .action(async (number: number) => {
      const { applied } = await withAdministration(settings(), (administration) =>
        administration.rollback(number, operator()),
      );
      print(
        `Configuration ${number} is pinned: ${applied ? 'it is in force' : SECONDS_LATER}. Files that change and pass the check end that, and "tidegate unpin".\n`,
      );
    });
}

/** Adds `unpin` to the program. */
export function registerUnpinCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  program
    .command('unpin')
    .description('End a rollback: what CONFIG_DIR says is in force again.')
    .action(async () => {
      const { number, applied } = await withAdministration(settings(), (administration) =>
        administration.unpin(operator()),
      );
      print(
        applied
          ? `Configuration ${number} is pinned no longer: what the files say is in force.\n`
          : `Configuration ${number} is pinned no longer: every gateway reads its files within 2 seconds, and keeps what is in force if they have faults ("tidegate check").\n`,
      );
    });
}

/** Who runs the command, as the history names them. */
function operator(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return 'cli';
  }
}
