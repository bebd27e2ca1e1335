/** `tidegate salvage`: saves what is still readable in a damaged event store. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import {
  type SalvageReport,
  salvageEventStore,
} from '../../services/shared/storage/duckdb/salvage/salvage-event-store.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';

export interface SalvageCommandContext {
  settings(): { readonly dataDir: string };
  print(text: string): void;
  readonly clock: Clock;
}

/** Adds `salvage`; exit code 0 when the store is usable afterwards, 1 when nothing is readable or a server has it open. */
export function registerSalvageCommand(program: Command, context: SalvageCommandContext): void {
  program
    .command('salvage')
    .description(
      'Save what is still readable in a damaged event store to a new file, and keep the old one beside it.',
    )
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const path = dataPathsOf(context.settings().dataDir).events;
      if (!existsSync(path)) throw new Refusal('NOT_FOUND', `there is no event store ${path}: set DATA_DIR`);
      const at = new Date(context.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
      const report = await salvageEventStore(path, `damaged-${at}`);
      if (options.json) printJson(context.print, report);
      else context.print(`${reportText(path, report)}\n`);
    });
}

function reportText(path: string, report: SalvageReport): string {
  const { outcome, events, copied, withGaps, commitsLost, isLogLost, isOlderState, keptAs } = report;
  if (outcome === 'sound') return `${path} is sound: all ${events} events can be read. Nothing was changed.`;
  const saved = events === null ? `${copied} events` : `${copied} of ${events} events`;
  const lines = [`${saved} saved to ${path}; the damaged files are kept as ${keptAs}.`];
  if (withGaps > 0) lines.push(`${withGaps} of them have gaps: columns that could not be read are null.`);
  if (events !== null && copied < events) lines.push(`${events - copied} events could not be read.`);
  if (commitsLost > 0)
    lines.push(
      `${commitsLost} of the latest commits could not be read; how many events they held is not known.`,
    );
  if (isLogLost)
    lines.push('Nothing of the log could be read: everything since the last checkpoint is lost.');
  if (isOlderState) {
    lines.push(
      'Only the state before the last checkpoint could be read: how many events are lost is not known.',
    );
  }
  return lines.join('\n');
}
