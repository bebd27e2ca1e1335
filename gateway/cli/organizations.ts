/** `tidegate organizations`: creates, changes, lists and deletes the organizations of an installation. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  COUNTED_THINGS,
  type OrganizationContents,
} from '../../services/resources/organizations/organization-contents.ts';
import type { OrganizationView } from '../../services/resources/organizations/write-organization.ts';
import { organizationLimitsSchema, retentionDaysSchema } from '../../services/shared/model/organization.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';
import { textTable } from './text-table.ts';
import { type CliSettings, withAdministration } from './with-administration.ts';

/** What the commands depend on. */
export interface AdministrationCommandContext {
  /** Read when a command runs, so that --help needs no settings. */
  settings(): CliSettings;
  /** Writes to standard output. */
  print(text: string): void;
}

const LIMITS = Object.keys(organizationLimitsSchema.shape);
type Limits = Record<string, number | null>;

/** Adds `organizations create|update|list|delete` to the program. */
export function registerOrganizationsCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const organizations = program
    .command('organizations')
    .description('Create, change, list and delete organizations.');

  organizations
    .command('create')
    .description('Create an organization.')
    .requiredOption('--name <name>', 'its name, 1 to 100 characters')
    .requiredOption('--plan <plan>', 'a plan of plans.yml')
    .option('--json', 'print JSON')
    .action(async ({ name, plan, json }: { name: string; plan: string; json?: true }) => {
      const created = await withAdministration(settings(), (administration) =>
        administration.createOrganization({ name, plan }),
      );
      if (json) printJson(print, created);
      else print(`${created.id} is on plan ${created.plan}.\n`);
    });

  const update = organizations
    .command('update')
    .description('Change an organization; options that are not given keep their values.')
    .argument('<id>', 'the identifier of the organization')
    .option('--name <name>', 'its new name, 1 to 100 characters')
    .option('--plan <plan>', 'a plan of plans.yml')
    .option(
      '--limit <name=number>',
      `replaces a limit of its plan, =none restores the plan's; repeat for several. Names: ${LIMITS.join(', ')}`,
      toLimits,
    )
    .option(
      '--retention-days <days>',
      "how long its events are kept, in place of its plan's number; none restores the plan's",
      toDays,
    )
    .option('--json', 'print JSON');
  update.action(
    async (
      id: string,
      options: { name?: string; plan?: string; limit?: Limits; retentionDays?: number | 'none'; json?: true },
    ) => {
      const { name, plan, limit: limits, retentionDays } = options;
      if ([name, plan, limits, retentionDays].every((change) => change === undefined)) {
        update.error('error: name what to change: --name, --plan, --limit or --retention-days');
      }
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(plan === undefined ? {} : { plan }),
        ...(limits === undefined ? {} : { limits }),
        ...(retentionDays === undefined
          ? {}
          : { retentionDays: retentionDays === 'none' ? null : retentionDays }),
      };
      const changed = await withAdministration(settings(), (administration) =>
        administration.changeOrganization(id, changes),
      );
      if (options.json) printJson(print, changed);
      else print(`${changed.id} is on plan ${changed.plan}, limits of its own: ${limitsText(changed)}.\n`);
    },
  );

  organizations
    .command('list')
    .description('List the organizations.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const found = await withAdministration(settings(), (administration) =>
        administration.listOrganizations(),
      );
      if (json) printJson(print, found);
      else {
        const rows = found.map((one) => [one.id, one.name, one.plan, limitsText(one)]);
        print(textTable(['ID', 'NAME', 'PLAN', 'LIMITS'], rows));
      }
    });

  organizations
    .command('delete')
    .description('Delete an organization with everything it owns; without --yes, only list what that is.')
    .argument('<id>', 'the identifier of the organization')
    .option('--yes', 'delete; this cannot be undone')
    .option('--json', 'print JSON')
    .action(async (id: string, { yes, json }: { yes?: true; json?: true }) => {
      const contents = await withAdministration(settings(), async (administration) => {
        if (yes) return administration.deleteOrganization(id);
        throw new Refusal('VALIDATION_ERROR', refusalText(await administration.organizationContents(id)));
      });
      if (json) printJson(print, contents);
      else print(`${id} is deleted with ${contentsText(contents)}.\n`);
    });
}

function refusalText(contents: OrganizationContents): string {
  return (
    `${contents.id} (${contents.name}) would be deleted with ${contentsText(contents)}. This cannot be undone: add --yes to delete. ` +
    'If the file named by PROVISION_FILE has it, remove it there first, or the next start creates it again.'
  );
}

function contentsText(contents: OrganizationContents): string {
  const texts = COUNTED_THINGS.map(({ shownAs, one }) => {
    const count = counted(contents[shownAs], one);
    return shownAs === 'members' ? `${count} (${contents.users} in no other organization)` : count;
  });
  return `${texts.join(', ')}, and all events, profiles, usage and audit records`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function limitsText({ limits }: OrganizationView): string {
  const texts = Object.entries(limits).map(([name, limit]) => `${name}=${limit}`);
  return texts.join(',') || '-';
}

function toDays(text: string): number | 'none' {
  if (text === 'none') return text;
  const days = retentionDaysSchema.safeParse(/^\d{1,5}$/.test(text) ? Number(text) : null);
  if (days.success) return days.data;
  throw new InvalidArgumentError('Allowed: a whole number from 1 to 36500, or none.');
}

function toLimits(text: string, before: Limits | undefined): Limits {
  const [, name = '', value = ''] = /^(\w+)=(none|\d{1,10})$/.exec(text) ?? [];
  if (LIMITS.includes(name)) return { ...before, [name]: value === 'none' ? null : Number(value) };
  throw new InvalidArgumentError(`Allowed: name=number or name=none, with a name of ${LIMITS.join(', ')}.`);
}
