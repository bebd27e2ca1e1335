/** `tidegate diff [A] B`: what changes for whom between two configurations, before one takes the place of the other. */
import type { Command } from 'commander';
import type { Change, Difference } from '../configuration/diff/change.ts';
import { diffConfigurations } from '../configuration/diff/diff-configurations.ts';
import { type HistoryCommandContext, loadNamed } from './load-named.ts';

/** Of the names that change alike so many are shown; `--json` has all. */
const MOST_NAMES = 8;

/** Adds `diff`; `ended` is told of exit code 1 where `--exit-code` is given and something changes. */
export function registerDiffCommand(
  program: Command,
  context: HistoryCommandContext,
  ended: (code: number) => void,
): void {
  program
    .command('diff')
    .description(
      'Show what changes for whom from one configuration to another; dangerous changes are marked.',
    )
    .argument(
      '<folders...>',
      'one, compared with CONFIG_DIR, or two: from and to; @running stands for what is in force, @3 for number 3 of the history',
    )
    .option('--exit-code', 'end with 1 when something changes')
    .option('--json', 'print one JSON object')
    .action(async (folders: string[], options: { json?: boolean; exitCode?: boolean }) => {
      const [first = '', second, ...others] = folders;
      if (others.length > 0) program.error('error: diff takes one folder or two');
      const [from, to] = second === undefined ? [context.configDir(), first] : [first, second];
      const json = options.json === true;
      const before = await loadNamed(from, context, json);
      const after = await loadNamed(to, context, json);
      const changes = diffConfigurations(before.configuration, after.configuration);
      const told = { from: before.called, to: after.called, changes };
      if (json) context.out(JSON.stringify({ success: true, ...told }));
      else for (const line of linesOf(changes)) context.out(line);
      if (options.exitCode && changes.length > 0) ended(1);
    });
}

/** Changes in words, those that are alike together, and their sum. */
function linesOf(changes: readonly Change[]): string[] {
  if (changes.length === 0) return ['no change: both mean the same'];
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const { name: _, ...alike } = change;
    const key = JSON.stringify(alike);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const marked = changes.filter(({ dangers }) => dangers.length > 0).length;
  const sum = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  return [
    ...[...groups.values()].flatMap(textOf),
    marked === 0 ? sum : `${sum}, ${marked} to look at twice (marked !)`,
  ];
}

function textOf(alike: readonly Change[]): string[] {
  const [change] = alike;
  if (change === undefined) return [];
  const shownNames = alike.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = alike.length > MOST_NAMES ? ` and ${alike.length - MOST_NAMES} more` : '';
  return [
    `${change.kind} ${change.subject} ${shownNames.join(', ')}${more}`,
    ...change.dangers.map((danger) => `  ! ${danger}`),
    ...change.differences.map(differenceText),
  ];
}

function differenceText({ part, from, to }: Difference): string {
  if (from === null || to === null) return `  ${part}: ${from === null ? to : `${from} → nothing`}`;
  return `  ${part}: ${from === to ? 'a secret differs' : `${from} → ${to}`}`;
}
