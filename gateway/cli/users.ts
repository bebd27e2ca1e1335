/** `tidegate users`: creates members and resets passwords; the server side generates passwords, and each is printed once. */
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
  const users = program.command('users').description('Create members and reset passwords.');

  users
    .command('create')
    .description('Create a member; a new user gets a password, which is printed once.')
    .requiredOption('--organization <id>', 'organization that the user joins')
    .requiredOption('--email <email>', 'address that the user logs in with')
    .addOption(new Option('--role <role>', "the member's role").choices([...ROLES]).makeOptionMandatory())
    .option('--existing', 'add an existing user, who keeps the password')
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
    .description('Give a user a new password and print it. It is not shown again.')
    .argument('<email>', "the user's address or id")
    .option('--json', 'print JSON')
    .action(async (email: string, { json }: { json?: true }) => {
      const reset = await withAdministration(settings(), (administration) =>
        administration.resetPassword(email),
      );
      if (json) printJson(print, reset);
      else print(`${reset.password}\n\nThe new password of ${reset.email}. It is not shown again.\n`);
    });
}

function noteOn({ password, otherOrganizations }: CreatedUser): string {
  if (password !== null) return 'The password is not shown again.';
  const places = otherOrganizations.map(({ organizationId, role }) => `${role} of ${organizationId}`);
  return `The password stays the same. Other organizations of the user: ${places.join(', ') || 'none'}.`;
}
