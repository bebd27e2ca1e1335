/** `tidegate history`: which configurations were in force or refused, and what they said. */
import { type Command, InvalidArgumentError } from 'commander';
import type { ConfigurationRecord } from '../../services/shared/model/configuration-record.ts';
import type { ConfigurationList, ListedConfiguration } from '../administration/configurations.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';
import { textTable } from './text-table.ts';
import { withAdministration } from './with-administration.ts';

/** Adds `history list|show` to the program; `history` alone lists. */
export function registerHistoryCommand(
  program: Command,
  { settings, print }: AdministrationCommandContext,
): void {
  const history = program
    .command('history')
    .description('Look into the configurations that were in force or refused; the last 20 are kept.');

  history
    .command('list', { isDefault: true })
    .description('List them, the newest first.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const list = await withAdministration(settings(), (administration) =>
        administration.listConfigurations(),
      );
      if (json) printJson(print, list);
      else print(tableOf(list));
    });

  history
    .command('show')
    .description('Print a configuration of the history: what it was, and its files as they were written.')
    .argument('<number>', 'its number', toNumber)
    .argument('[file]', 'only this file, as it was')
    .option('--json', 'print JSON')
    .action(async (number: number, file: string | undefined, { json }: { json?: true }) => {
      const record = await withAdministration(settings(), (administration) =>
        administration.configuration(number),
      );
      if (file !== undefined) print(textOf(record, file));
      else if (json) printJson(print, record);
      else print(wordsOf(record));
    });
}

/** @throws InvalidArgumentError, which commander words */
export function toNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Allowed: a number of "tidegate history", such as 3.');
}

function tableOf({ configurations, pinned }: ConfigurationList): string {
  if (configurations.length === 0) return 'No configuration was in force yet.\n';
  const inForce = pinned?.number ?? configurations.find(({ outcome }) => outcome === 'applied')?.number;
  const rows = configurations.map((record) => [
    String(record.number),
    record.createdAt,
    stateOf(record, inForce, pinned?.number),
    record.hash ?? '–',
    record.reason,
  ]);
  const table = textTable(['number', 'when', 'state', 'hash', 'reason'], rows);
  if (pinned === null) return table;
  return `${table}\nConfiguration ${pinned.number} is pinned since ${pinned.at} by ${pinned.by}: files that change and pass the check end that, and "tidegate unpin".\n`;
}

function stateOf(
  { number, outcome, restored, faults }: ListedConfiguration,
  inForce: number | undefined,
  pinned: number | undefined,
): string {
  if (number === pinned) return 'pinned, in force';
  if (outcome === 'refused') return `refused, ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`;
  if (number === inForce) return 'in force';
  return restored === undefined ? 'was in force' : `was in force, as ${restored}`;
}

function textOf({ number, files }: ConfigurationRecord, file: string): string {
  const found = files?.find((each) => each.file === file);
  if (found) return found.text;
  const names = files?.map((each) => each.file).join(', ') ?? 'none, they were too large to be kept';
  throw new Refusal('NOT_FOUND', `configuration ${number} has no file "${file}"; its files: ${names}`);
}

function wordsOf(record: ConfigurationRecord): string {
  const { number, createdAt, outcome, reason, hash, restored, faults, files } = record;
  const head = [
    `# configuration ${number}: ${outcome} ${createdAt}, ${reason}`,
    ...(hash === null ? [] : [`# hash ${hash}`]),
    ...(restored === undefined ? [] : [`# the same as configuration ${restored}`]),
    ...faults.map((fault) => `# fault: ${fault}`),
    ...(files === null ? ['# its files were too large to be kept'] : []),
  ];
  const texts = (files ?? []).map(
    ({ file, text }) => `\n# ---- ${file}\n${text.endsWith('\n') ? text : `${text}\n`}`,
  );
  return `${head.join('\n')}\n${texts.join('')}`;
}
