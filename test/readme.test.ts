/** Holds the README to the code: its tables of settings, errors and plans say what is so, no more and no less. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT, SETTINGS } from '../config/settings.ts';
import { explainRequest } from '../gateway/configuration/explain.ts';
import { loadConfiguration } from '../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../gateway/configuration-variables.ts';
import { ERRORS } from '../services/shared/errors/catalogue.ts';
import { organizationLimitsSchema } from '../services/shared/model/organization.ts';
import { plansFileSchema } from '../services/shared/plugin/plans.ts';
import { tableIn } from './support/markdown-table.ts';

const README = readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8');

const SHIPPED = join(PACKAGE_ROOT, 'config');

const shippedPlans = () => plansFileSchema.parse(parse(readFileSync(join(SHIPPED, 'plans.yml'), 'utf8')));

/** The rows of the table of the README whose head starts with these cells. */
const table = (...head: string[]) => tableIn(README, ...head);

describe('the README', () => {
  it('opens with the two commands', () => {
    const run = README.indexOf('npm ci && npm start');
    const test = README.indexOf('npm ci && npm test');
    expect(run).to.be.within(0, 400);
    expect(test).to.be.within(run, 500);
  });

  it('lists every setting with its default and meaning', () => {
    const expected = Object.entries(SETTINGS).map(([name, { default: value, description }]) => [
      name,
      value || '–',
      description,
    ]);
    expect(table('setting', 'default', 'meaning')).to.deep.equal(expected);
  });

  it('lists every error with its status', () => {
    const expected = Object.values(ERRORS).map(({ code, status, when }) => [code, String(status), when]);
    expect(table('code', 'status', 'when')).to.deep.equal(expected);
  });

  it('lists the plans as they are shipped', () => {
    const { plans } = shippedPlans();
    const expected = Object.entries(plans).map(([name, plan]) => [
      name,
      String(plan.per10Seconds),
      String(plan.perMinute),
    ]);
    expect(table('plan', 'per 10 seconds', 'per minute')).to.deep.equal(expected);
  });

  it('lists the limits as they are shipped, all of them per minute', () => {
    const { limits } = shippedPlans();
    const expected = Object.entries(limits).map(([name, { limit, windowSeconds, per }]) => {
      expect(windowSeconds, name).to.equal(60);
      return [name, String(limit), per];
    });
    const rows = table('limit', 'per minute', 'counted per', 'counts').map((row) => row.slice(0, 3));
    expect(rows).to.deep.equal(expected);
  });

  it('tells of plans and limits apart from sending events', () => {
    const heads = [
      '### Plans and limits',
      '| plan |',
      '| limit |',
      '### Sending events',
      '| route |',
      '## Errors',
    ];
    const places = heads.map((head) => README.indexOf(`\n${head}`));
    expect(places).to.not.include(-1);
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
  });

  it('shows a plan and a limit that can be pasted as they stand', async () => {
    const part = README.slice(README.indexOf('**A plan or a limit.**'), README.indexOf('**An endpoint.**'));
    const blocks = (part.match(/(?:^ {4}.*\n)+/gm) ?? []).map((block) => block.replaceAll(/^ {4}/gm, ''));
    expect(blocks).to.have.length(3);
    const directory = mkdtempSync(join(tmpdir(), 'tidegate-readme-'));
    cpSync(SHIPPED, directory, { recursive: true });
    for (const [file, below, block = ''] of [
      ['plans.yml', 'plans:\n', blocks[0]],
      ['plans.yml', 'limits:\n', blocks[1]],
      ['gateway.config.yml', '  query-websites:\n', blocks[2]],
    ] as const) {
      const text = readFileSync(join(directory, file), 'utf8');
      expect(text.split(`\n${below}`), below).to.have.length(2);
      writeFileSync(join(directory, file), text.replace(`\n${below}`, `\n${below}${block}`));
    }
    const service = 'http://127.0.0.1:4001';
    const configuration = await loadConfiguration(
      directory,
      configurationVariables({ query: service, tracking: service, resources: service }),
    );
    rmSync(directory, { recursive: true, force: true });
    expect(configuration.plans.plans.team).to.deep.equal({ per10Seconds: 150, perMinute: 900 });
    const [, target = ''] = /explain GET (\S+)`/.exec(part) ?? [];
    const { limits } = explainRequest(configuration, 'GET', target);
    expect(limits.join()).to.contain('exports: 10 per 3600 s, per organization');
  });
});

describe('docs/configuration.md', () => {
  it('lists every limit that an organization may carry, and what it stands in place of', () => {
    const text = readFileSync(join(PACKAGE_ROOT, 'docs/configuration.md'), 'utf8');
    const rows = tableIn(text, 'name', 'stands in place of', 'counts').map(([name, replaced = '']) => [
      name,
      replaced.replaceAll('`', ''),
    ]);
    const { limits } = shippedPlans();
    const expected = Object.keys(organizationLimitsSchema.shape).map((name) => {
      const [replaced = 'the number of the plan'] =
        Object.entries(limits).find(([, { override }]) => override === name) ?? [];
      return [name, replaced];
    });
    expect(rows).to.deep.equal(expected);
  });
});
