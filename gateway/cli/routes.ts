/** `tidegate routes`: every method and path with its rule, as the configuration says it. */
import type { Command } from 'commander';
import { listRoutes, type RouteRow } from '../configuration/explain.ts';
import { type ConfigurationCommandContext, loadOrTell } from './check.ts';

/** Adds `routes`; prints a table, one line per method and path. */
export function registerRoutesCommand(program: Command, context: ConfigurationCommandContext): void {
  program
    .command('routes')
    .description('list every method and path with its rule, policies and service')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const configuration = await loadOrTell(context.configDir, context, options.json === true);
      if (!configuration) return;
      const rows = listRoutes(configuration);
      if (options.json) context.out(JSON.stringify({ ok: true, routes: rows }));
      else for (const line of table([HEAD, ...rows.map(cells)])) context.out(line);
    });
}

const HEAD = ['METHOD', 'PATH', 'ENDPOINT', 'RULE', 'PIPELINE', 'POLICIES', 'SERVICE'];

function cells(row: RouteRow): string[] {
  const { method, path, endpoint, rule, pipeline, policies, service } = row;
  return [method, path, endpoint, rule, pipeline, policies.join(' '), service ?? '-'];
}

/** Rows as lines, each column as wide as its widest cell. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
