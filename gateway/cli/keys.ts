/** `tidegate keys`: makes key texts, and creates and lists the API keys of an installation. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiKeyView, MAX_GRACE_SECONDS } from '../../services/resources/api-keys/schema.ts';
import { scopeSchema } from '../../services/shared/access/scopes.ts';
import {
  createApiKeyText,
  hashApiKey,
  isApiKeyPrefix,
  type RandomBytes,
} from '../../services/shared/credentials/api-key-text.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { printJson } from './print-json.ts';
import { textTable } from './text-table.ts';
import { type CliSettings, withAdministration } from './with-administration.ts';

/** What the commands depend on. */
export interface KeysCommandContext {
  /** Read when a command runs, so that --help needs no settings. */
  settings(): CliSettings;
  /** Writes to standard output. */
  print(text: string): void;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

const MAX_COUNT = 1000;

/** Adds `keys generate|create|list|rotate|revoke` to the program. */
export function registerKeysCommand(program: Command, context: KeysCommandContext): void {
  const keys = program.command('keys').description('Make, create, list, rotate and revoke API keys.');
  registerGenerate(keys, context);
  registerCreate(keys, context);
  registerList(keys, context);
  registerRotate(keys, context);
  registerRevoke(keys, context);
}

function registerGenerate(keys: Command, { settings, print, randomBytes }: KeysCommandContext): void {
  keys
    .command('generate')
    .description('Print new key texts and their SHA-256 for a provisioning file. Nothing is stored.')
    .option(
      '--prefix <prefix>',
      'prefix of the key: a-z, then a-z and 0-9, at most 16 characters (default: KEY_PREFIX)',
      toPrefix,
    )
    .option('--count <number>', `how many keys, 1 to ${MAX_COUNT}`, toCount, 1)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nIn the file, write either "key" with the text or "keyHash" with the SHA-256.')
    .action((options: { prefix?: string; count: number; json?: true }) => {
      const prefix = options.prefix ?? settings().keyPrefix;
      const made = Array.from({ length: options.count }, () => createApiKeyText(prefix, randomBytes));
      const data = made.map((key) => ({ key, keyHash: hashApiKey(key) }));
      if (options.json) printJson(print, data);
      else print(data.map(({ key, keyHash }) => `key      ${key}\nkeyHash  ${keyHash}\n`).join('\n'));
    });
}

interface CreateOptions {
  readonly organization: string;
  readonly name: string;
  readonly scopes: string[];
  readonly access: 'global' | 'website';
  readonly website?: string[];
  readonly expires?: string;
  readonly json?: true;
}

function registerCreate(keys: Command, { settings, print }: KeysCommandContext): void {
  const create = keys
    .command('create')
    .description('Create an API key and print its text. It is not shown again.')
    .requiredOption('--organization <id>', 'organization that owns the key')
    .requiredOption('--name <name>', 'name that says what the key is for, 1 to 100 characters')
    .requiredOption(
      '--scopes <scopes>',
      'comma-separated, such as read:data,track:events; docs/api.md lists them',
      toScopes,
    )
    .addOption(
      new Option('--access <level>', 'every website of the organization, or those named with --website')
        .choices(['global', 'website'])
        .makeOptionMandatory(),
    )
    .option('--website <id...>', 'websites of a key with --access website')
    .option(
      '--expires <instant>',
      'when the key expires, ISO 8601, such as 2027-01-31T00:00:00Z (default: never)',
    )
    .option('--json', 'print JSON');
  create.action(async (options: CreateOptions) => {
    const { organization, name, scopes, website, expires } = options;
    if (options.access === 'website' && !website)
      create.error('error: --access website needs --website <id...>');
    if (options.access === 'global' && website) create.error('error: --website needs --access website');
    const created = await withAdministration(settings(), (administration) =>
      administration.createApiKey({
        organizationId: organization,
        name,
        scopes,
        access: website ? { level: 'website', websiteIds: website } : { level: 'global' },
        ...(expires === undefined ? {} : { expiresAt: expires }),
      }),
    );
    const { apiKey, secret } = created;
    if (options.json) printJson(print, { ...apiKey, secret });
    else
      print(
        `${secret}\n\n${apiKey.id} of ${apiKey.organizationId}. The text is not shown again; only its hash is stored.\n`,
      );
  });
}

function registerList(keys: Command, { settings, print, clock }: KeysCommandContext): void {
  keys
    .command('list')
    .description('List the API keys; their texts are not stored and cannot be shown.')
    .option('--organization <id>', 'only the keys of this organization')
    .option('--json', 'print JSON')
    .action(async (options: { organization?: string; json?: true }) => {
      const found = await withAdministration(settings(), (administration) =>
        administration.listApiKeys(options.organization),
      );
      if (options.json) printJson(print, found);
      else
        print(
          textTable(
            ['ID', 'KEY', 'NAME', 'ORGANIZATION', 'STATE', 'ACCESS', 'SCOPES'],
            found.map((key) => rowOf(key, clock)),
          ),
        );
    });
}

function registerRotate(keys: Command, { settings, print }: KeysCommandContext): void {
  keys
    .command('rotate')
    .description('Give an API key a new text and print it. It is not shown again.')
    .argument('<id>', 'the identifier of the key, as "keys list" shows it')
    .option(
      '--grace <seconds>',
      `how long the old text stays valid, 0 to ${MAX_GRACE_SECONDS}; never past the expiry of the key`,
      toGrace,
      0,
    )
    .option('--json', 'print JSON')
    .action(async (id: string, options: { grace: number; json?: true }, command: Command) => {
      refuseKeyText(id, command);
      const { apiKey, secret } = await withAdministration(settings(), (administration) =>
        administration.rotateApiKey(id, options.grace),
      );
      if (options.json) printJson(print, { ...apiKey, secret });
      else
        print(
          `${secret}\n\n${apiKey.id} has this text now; the old one is valid until ${apiKey.previousValidUntil}.\n`,
        );
    });
}

function registerRevoke(keys: Command, { settings, print }: KeysCommandContext): void {
  keys
    .command('revoke')
    .description('Revoke an API key for good.')
    .argument('<id>', 'the identifier of the key, as "keys list" shows it')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { json?: true }, command: Command) => {
      refuseKeyText(id, command);
      const apiKey = await withAdministration(settings(), (administration) =>
        administration.revokeApiKey(id),
      );
      if (options.json) printJson(print, apiKey);
      else print(`${apiKey.id} was revoked at ${apiKey.revokedAt}.\n`);
    });
}

/** Matches anything that looks like the text of a key; the checksum is ignored. */
const KEY_TEXT = /^[a-z][a-z0-9]{0,15}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;

/** Refuses the text of a key where its identifier belongs, without repeating it. */
function refuseKeyText(id: string, command: Command): void {
  if (!KEY_TEXT.test(id)) return;
  command.error(
    'error: this is the text of a key. Name the key by its identifier, as "tidegate keys list" shows it',
  );
}

function toGrace(seconds: string): number {
  const grace = /^\d{1,5}$/.test(seconds) ? Number(seconds) : -1;
  if (grace >= 0 && grace <= MAX_GRACE_SECONDS) return grace;
  throw new InvalidArgumentError(`Allowed: a whole number from 0 to ${MAX_GRACE_SECONDS}.`);
}

function rowOf(key: ApiKeyView, clock: Clock): string[] {
  const shown = key.start === '' ? '(hash only)' : `${key.start}…${key.last4}`;
  const access = key.access.level === 'global' ? 'global' : key.access.websiteIds.join(',') || '(no website)';
  return [key.id, shown, key.name, key.organizationId, stateOf(key, clock), access, scopesOf(key)];
}

function scopesOf({ scopes, unknownScopes = [] }: ApiKeyView): string {
  return scopes.map((scope) => (unknownScopes.includes(scope) ? `${scope} (unknown)` : scope)).join(',');
}

function stateOf({ revokedAt, expiresAt, enabled }: ApiKeyView, clock: Clock): string {
  if (revokedAt !== null) return 'revoked';
  if (!enabled) return 'disabled';
  if (expiresAt !== null && Date.parse(expiresAt) <= clock.now()) return 'expired';
  return expiresAt === null ? 'active' : `active until ${expiresAt}`;
}

function toPrefix(text: string): string {
  if (isApiKeyPrefix(text)) return text;
  throw new InvalidArgumentError('Allowed: a lower-case letter, then up to 15 lower-case letters or digits.');
}

function toCount(text: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_COUNT) return count;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${MAX_COUNT}.`);
}

/** Which of them there are, the configuration of the server says. */
function toScopes(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !scopeSchema.safeParse(name).success);
  if (wrong === undefined) return names;
  throw new InvalidArgumentError(
    `"${wrong}" is no scope. Allowed: two words and a colon, such as read:data.`,
  );
}
