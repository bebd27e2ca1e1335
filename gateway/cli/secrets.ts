/** `tidegate secrets`: what an operator does with stored secrets when keys of the secrets file change (docs/secrets.md). */
import type { Command } from 'commander';
import type { ResealReport } from '../../services/resources/integrations/reseal-integrations.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { withAdministration } from './with-administration.ts';

/** Adds `secrets reseal` to the program. */
export function registerSecretsCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const secrets = program.command('secrets').description('Look after stored secrets.');

  secrets
    .command('reseal')
    .description('Encrypt the secrets of all integrations with the first of the integrationKeys.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const report = await withAdministration(settings(), (administration) => administration.resealSecrets());
      if (json) printJson(print, report);
      else print(reportText(report));
    });
}

function reportText({ keyId, resealed, unreadable }: ResealReport): string {
  const lines = [
    `Integrations encrypted anew: ${resealed.length}. Every secret that can be read is under ${keyId} now.`,
    ...unreadable.map(
      ({ organizationId, integrationId, fields }) =>
        `No key decrypts ${fields.join(', ')} of ${integrationId} (${organizationId}).`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
