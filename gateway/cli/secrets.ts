/** `tidegate secrets`: creates a secrets file, and re-encrypts stored secrets when its keys change (docs/secrets.md). */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ResealReport } from '../../services/resources/integrations/reseal-integrations.ts';
import { createSecretsFile } from '../process/secrets/secrets.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { withAdministration } from './with-administration.ts';

/** Adds `secrets create` and `secrets reseal` to the program. */
export function registerSecretsCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const secrets = program.command('secrets').description('Manage the secrets file and stored secrets.');

  secrets
    .command('create')
    .description('Create a secrets file for several processes to share as SECRETS_FILE.')
    .argument('<file>', 'path of the new file; it must not exist yet')
    .action(async (file: string) => {
      await createSecretsFile(resolve(file));
      print(`${resolve(file)} is created, readable by its owner only. Keep a copy in a safe place.\n`);
    });

  secrets
    .command('reseal')
    .description(
      'Re-encrypt the secrets of all integrations and the tokens of shares with the first of the integrationKeys.',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const report = await withAdministration(settings(), (administration) => administration.resealSecrets());
      if (json) printJson(print, report);
      else print(reportText(report));
    });
}

function reportText({ keyId, resealed, unreadable, shares }: ResealReport): string {
  const lines = [
    `Integrations re-encrypted: ${resealed.length}. Tokens of shares: ${shares.resealed.length}. Every secret that can be decrypted now uses ${keyId}.`,
    ...unreadable.map(
      ({ organizationId, integrationId, fields }) =>
        `No key decrypts ${fields.join(', ')} of ${integrationId} (${organizationId}).`,
    ),
    ...shares.unreadable.map(
      ({ organizationId, shareId }) => `No key decrypts the token of ${shareId} (${organizationId}).`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
