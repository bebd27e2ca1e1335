/** The attacks bench: what one tenant, or a stranger, can do to the waits of another. */
import { parseArgs } from 'node:util';
import { findAttacks } from './find-attacks.ts';
import { type AttackReport, runAttack } from './run-attack.ts';

const USAGE = `Usage: npm run bench:attacks [-- [options] [NAME ...]]
  NAME         an attack; all by default
  --seconds N  length of each of the two measurements, 5..600 (default 10)
  --list       print the attacks
  --help       print this`;

/** How often a victim may wait longer under the attack. */
const MOST_TO_BEFORE = 2;

function describe({ waits, statuses }: AttackReport): { readonly text: string; readonly isMet: boolean } {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rows = waits.map(({ name, before, during, failed }) => {
    const ratio = during.p95 / before.p95;
    const isMet = ratio <= MOST_TO_BEFORE && failed === 0;
    const cells = [
      ...[name, ms(before.p50), ms(during.p50), ms(before.p95), ms(during.p95)],
      ...[`${ratio.toFixed(2)} ×`, String(failed), isMet ? 'met' : 'MISSED'],
    ];
    return { isMet, cells };
  });
  const head = ['victim', 'p50 before', 'during', 'p95 before', 'during', 'p95 ratio', 'failed', 'goal'];
  const table = [head, ...rows.map(({ cells }) => cells)];
  const widths = head.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const answered = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return {
    text: `${lines.join('\n')}\nthe attacker was answered ${answered.join(', ') || 'nothing'}`,
    isMet: rows.every(({ isMet }) => isMet),
  };
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const seconds = Number(values.seconds ?? 10);
  if (!Number.isInteger(seconds) || seconds < 5 || seconds > 600) {
    throw new Error(`--seconds: "${values.seconds}" is not a whole number from 5 to 600`);
  }
  return { ...values, seconds, names: positionals };
}

async function main(): Promise<void> {
  const { seconds, names, list, help } = readOptions();
  if (help) return console.log(USAGE);
  const attacks = await findAttacks();
  if (list) {
    for (const { attack } of attacks) console.log(`${attack.name}: ${attack.description}`);
    return;
  }
  const unknown = names.filter((name) => !attacks.some(({ attack }) => attack.name === name));
  if (unknown.length > 0) {
    const known = attacks.map(({ attack }) => attack.name).join(', ');
    throw new Error(`no attack is named ${unknown.join(', ')}; there are: ${known}`);
  }
  const chosen = attacks.filter(({ attack }) => names.length === 0 || names.includes(attack.name));
  for (const { attack, url } of chosen) {
    console.log(`\n${attack.name}: ${attack.description}`);
    const { text, isMet } = describe(await runAttack(attack, url, seconds));
    console.log(text);
    if (!isMet) process.exitCode = 1;
  }
}

await main().catch((fault: unknown) => {
  console.error(fault instanceof Error ? fault.message : fault);
  console.error(USAGE);
  process.exitCode = 2;
});
