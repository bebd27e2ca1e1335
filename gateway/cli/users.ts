/** `tidegate users`: makes members and resets passwords; a password is made by the server side and printed once. */
import { type Command, Option } from 'commander';
import { ROLES } from '../../services/shared/model/user.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { withAdministration } from './with-administration.ts';

interface CreateOptions {
  readonly organization: string;
  readonly email: string;
  readonly role: string;
  readonly json?: true;
}

/** Adds `users create|reset-password` to the program. */
export function registerUsersCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const users = program.command('users').description('Make members and reset passwords.');

  users
    .command('create')
    .description('Make a member; a new user gets a password, printed this once.')
    .requiredOption('--organization <id>', 'the organization that it becomes a member of')
    .requiredOption('--email <email>', 'the address that it logs in with')
    .addOption(new Option('--role <role>', 'what it may do').choices([...ROLES]).makeOptionMandatory())
    .option('--json', 'print JSON')
    .action(async ({ organization, email, role, json }: CreateOptions) => {
      const created = await withAdministration(settings(), (administration) =>
        administration.createUser({ email, organizationId: organization, role }),
      );
      if (json) printJson(print, created);
      else {
        const secret = created.password === null ? '' : `${created.password}\n\n`;
        const note =
          created.password === null ? 'It keeps its password.' : 'The password is shown this once.';
        print(`${secret}${created.email} is ${created.role} of ${created.organizationId}. ${note}\n`);
      }
    });

  users
    .command('reset-password')
    .description('Give a user a new password and print it, this once.')
    .argument('<email>', 'the address of the user')
    .option('--json', 'print JSON')
    .action(async (email: string, { json }: { json?: true }) => {
      const reset = await withAdministration(settings(), (administration) =>
        administration.resetPassword(email),
      );
      if (json) printJson(print, reset);
      else print(`${reset.password}\n\nThe new password of ${reset.email}. It is shown this once.\n`);
    });
}
