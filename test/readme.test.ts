/** Holds the README to the code: its tables of settings, errors and plans say what is so, no more and no less. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT, SETTINGS } from '../config/settings.ts';
import { ERRORS } from '../services/shared/errors/catalogue.ts';
import { plansFileSchema } from '../services/shared/plugin/plans.ts';
import { tableIn } from './support/markdown-table.ts';

const README = readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8');

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
    const { plans } = plansFileSchema.parse(
      parse(readFileSync(join(PACKAGE_ROOT, 'config/plans.yml'), 'utf8')),
    );
    const expected = Object.entries(plans).map(([name, plan]) => [
      name,
      String(plan.per10Seconds),
      String(plan.perMinute),
    ]);
    expect(table('plan', 'per 10 seconds', 'per minute')).to.deep.equal(expected);
  });

  it('lists the limits as they are shipped, all of them per minute', () => {
    const { limits } = plansFileSchema.parse(
      parse(readFileSync(join(PACKAGE_ROOT, 'config/plans.yml'), 'utf8')),
    );
    const expected = Object.entries(limits).map(([name, { limit, windowSeconds, per }]) => {
      expect(windowSeconds, name).to.equal(60);
      return [name, String(limit), per];
    });
    const rows = table('limit', 'per minute', 'counted per', 'counts').map((row) => row.slice(0, 3));
    expect(rows).to.deep.equal(expected);
  });
});
