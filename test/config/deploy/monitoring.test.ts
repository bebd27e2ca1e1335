/** Holds the alerts and the dashboard to the metrics that docs/operations.md lists, and to the page about the alerts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { tableIn } from '../../support/markdown-table.ts';

const read = (path: string) => readFileSync(join(PACKAGE_ROOT, path), 'utf8');

const alertsSchema = z.strictObject({
  groups: z
    .array(
      z.strictObject({
        name: z.string(),
        rules: z.array(
          z.strictObject({
            alert: z.string().regex(/^Tidegate[A-Z]\w+$/),
            expr: z.string(),
            for: z
              .string()
              .regex(/^\d+[smh]$/)
              .optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string().min(1) }),
          }),
        ),
      }),
    )
    .min(1),
});
const dashboardSchema = z.looseObject({
  uid: z.literal('tidegate'),
  schemaVersion: z.number(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      gridPos: z.strictObject({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
      targets: z
        .array(z.looseObject({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
        .min(1),
    }),
  ),
});

/** Type and labels of each metric, by its name. */
const METRICS = new Map(
  tableIn(read('docs/operations.md'), 'metric', 'type', 'labels', 'meaning').map(([name, type, labels]) => [
    name ?? '',
    { type, labels: (labels ?? '').split(', ').filter((label) => label !== '–') },
  ]),
);

/** What an expression asks that no metric has: unknown names, labels of none, a rate of what is no counter. */
function faultsOf(expr: string): string[] {
  const names = expr.match(/\btidegate_\w+/g) ?? [];
  const labels = names.flatMap((name) => known(name)?.labels ?? []);
  const asked = [
    ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(',').map((each) => each.trim()),
    ),
    ...[...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|=|!~)"/g)].map(([, label = '']) => label),
  ];
  const rated = [...expr.matchAll(/\b(?:rate|increase)\((tidegate_\w+)/g)].map(([, name = '']) => name);
  const isBalanced = expr.split('(').length === expr.split(')').length;
  return [
    ...names.filter((name) => known(name) === undefined).map((name) => `unknown metric ${name}`),
    ...asked
      .filter((label) => label !== 'le' && !labels.includes(label))
      .map((label) => `unknown label ${label}`),
    ...rated.filter((name) => known(name)?.type === 'gauge').map((name) => `rate of the gauge ${name}`),
    ...(isBalanced ? [] : ['unbalanced parentheses']),
  ];
}
const known = (name: string) => METRICS.get(name) ?? METRICS.get(name.replace(/_(?:bucket|sum|count)$/, ''));

describe('monitoring', () => {
  const rules = alertsSchema
    .parse(parse(read('config/deploy/monitoring/alerts.yml')))
    .groups.flatMap((group) => group.rules);
  const { panels } = dashboardSchema.parse(
    JSON.parse(read('config/deploy/monitoring/grafana-dashboard.json')),
  );

  it('asks only for metrics and labels that there are', () => {
    const expressions = [
      ...rules.map(({ alert, expr }) => [alert, expr]),
      ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr])),
    ];
    const faults = expressions.flatMap(([where, expr = '']) =>
      faultsOf(expr).map((fault) => `${where}: ${fault}`),
    );
    expect(faults).to.deep.equal([]);
    expect(faultsOf('sum by (nobody) (rate(tidegate_connections[5m])')).to.deep.equal([
      'unknown label nobody',
      'rate of the gauge tidegate_connections',
      'unbalanced parentheses',
    ]);
    expect(faultsOf('tidegate_nothing_total > 1')).to.deep.equal(['unknown metric tidegate_nothing_total']);
  });

  it('has a row about each alert, and none about others', () => {
    const rows = tableIn(read('docs/alerts.md'), 'alert', 'what it means', 'what to do');
    expect(rows.map(([name]) => name)).to.deep.equal(rules.map(({ alert }) => alert));
    expect(rows.flat().filter((cell) => cell === '')).to.deep.equal([]);
  });

  it('has panels of their own ids and places', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).to.equal(panels.length);
  });
});
