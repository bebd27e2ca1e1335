/** `tidegate users`: creates members and resets passwords; the server side generates passwords, and each is printed once. */
import { type Command, Option } from 'commander';
import type { CreatedUser } from '../../services/resources/users/write-user.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { withAdministration } from './with-administration.ts';

interface OperatorOptions {
  readonly grant?: true;
  readonly revoke?: true;
  readonly json?: true;
}

interface CreateOptions {
  readonly organization: string;
  readonly email: string;
  readonly role: Role;
  readonly existing?: boolean;
  readonly json?: true;
}

/** Adds `users create|reset-password|operator` to the program. */
export function registerUsersCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const users = program
    .command('users')
    .description('Create members, reset passwords, and say who runs the service.');

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

  users
    .command('operator')
    .description('Let a person look at the whole service through the API and the dashboard, or no longer.')
    .argument('<email>', "the user's address or id")
    .addOption(new Option('--grant', 'make the user an operator').conflicts('revoke'))
    .addOption(new Option('--revoke', 'make the user an operator no longer'))
    .option('--json', 'print JSON')
    .action(async (email: string, { grant, revoke, json }: OperatorOptions, command: Command) => {
      if (grant !== true && revoke !== true) command.error('error: say --grant or --revoke');
      const set = await withAdministration(settings(), (administration) =>
        administration.setOperator(email, grant === true),
      );
      if (json) printJson(print, set);
      else if (set.isOperator)
        print(`${set.email} is an operator from the next request on, within 5 seconds.\n`);
      else print(`${set.email} is no operator any more, within 5 seconds.\n`);
    });
}

function noteOn({ password, otherOrganizations }: CreatedUser): string {
  if (password !== null) return 'The password is not shown again.';
  const places = otherOrganizations.map(({ organizationId, role }) => `${role} of ${organizationId}`);
  return `The password stays the same. Other organizations of the user: ${places.join(', ') || 'none'}.`;
}
