/** `tidegate routes`: every method and path with its rule, as configured. */
import type { Command } from 'commander';
import { listRoutes, type RouteRow } from '../configuration/explain.ts';
import { placeText } from '../configuration/place.ts';
import { type ConfigurationCommandContext, loadOrRefuse } from './check.ts';
import { textTable } from './text-table.ts';

/** Adds `routes`; prints a table, one line per method and path. */
export function registerRoutesCommand(program: Command, context: ConfigurationCommandContext): void {
  program
    .command('routes')
    .description('List every method and path with its rule, policies, service and place in the files.')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const configuration = await loadOrRefuse(context.configDir(), context, options.json === true);
      const rows = listRoutes(configuration);
      if (options.json) context.out(JSON.stringify({ success: true, routes: rows }));
      else context.out(textTable(HEAD, rows.map(cells)).trimEnd());
    });
}

const HEAD = ['METHOD', 'PATH', 'ENDPOINT', 'RULE', 'PIPELINE', 'POLICIES', 'SERVICE', 'PLACE'];

function cells(row: RouteRow): string[] {
  const { method, path, endpoint, rule, pipeline, policies, service } = row;
  return [method, path, endpoint, rule, pipeline, policies.join(' '), service ?? '-', placeText(row)];
}
