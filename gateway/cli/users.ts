/** `tidegate users`: makes members and resets passwords; a password is made by the server side and printed once. */
import { type Command, Option } from 'commander';
import type { CreatedUser } from '../../services/resources/users/write-user.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { withAdministration } from './with-administration.ts';

interface CreateOptions {
  readonly organization: string;
  readonly email: string;
  readonly role: Role;
  readonly existing?: boolean;
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
    .option('--existing', 'make a user that exists a member too; it keeps its password')
    .option('--json', 'print JSON')
    .action(async ({ organization, email, role, existing = false, json }: CreateOptions) => {
      const created = await withAdministration(settings(), (administration) =>
        administration.createUser({ email, organizationId: organization, role, existing }),
      );
      if (json) printJson(print, created);
      else {
        const secret = created.password === null ? '' : `${created.password}\n\n`;
        print(
          `${secret}${created.email} is ${created.role} of ${created.organizationId}. ${noteOn(created)}\n`,
        );
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

function noteOn({ password, otherOrganizations }: CreatedUser): string {
  if (password !== null) return 'The password is shown this once.';
  const places = otherOrganizations.map(({ organizationId, role }) => `${role} of ${organizationId}`);
  return `It keeps its password. Its other organizations: ${places.join(', ') || 'none'}.`;
}
