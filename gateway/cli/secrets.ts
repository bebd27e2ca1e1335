/** `tidegate secrets`: makes a secrets file, and encrypts stored secrets anew when its keys change (docs/secrets.md). */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ResealReport } from '../../services/resources/integrations/reseal-integrations.ts';
import { createSecretsFile } from '../secrets.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { withAdministration } from './with-administration.ts';

/** Adds `secrets create` and `secrets reseal` to the program. */
export function registerSecretsCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const secrets = program.command('secrets').description('Look after the secrets file and stored secrets.');

  secrets
    .command('create')
    .description('Make a secrets file, for SECRETS_FILE of several processes.')
    .argument('<file>', 'where it shall lie; it must not be there yet')
    .action(async (file: string) => {
      await createSecretsFile(resolve(file));
      print(`${resolve(file)} is made, for its owner only. Keep a copy in a safe place.\n`);
    });

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
