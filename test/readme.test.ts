/** Holds README and reference pages to the code: their tables of settings, errors and plans say what is so, no more and no less. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT, SETTINGS } from '../config/settings.ts';
import { explainRequest } from '../gateway/configuration/explain.ts';
import { loadConfiguration } from '../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../gateway/process/reload/configuration-variables.ts';
import { ERRORS } from '../services/shared/errors/catalogue.ts';
import { organizationLimitsSchema } from '../services/shared/model/organization.ts';
import { plansFileSchema } from '../services/shared/plans/plans.ts';
import { tableIn } from './support/markdown-table.ts';

/** The text of a page of the documentation. */
const page = (name: string) => readFileSync(join(PACKAGE_ROOT, name), 'utf8');

const README = page('README.md');

const SHIPPED = join(PACKAGE_ROOT, 'config');

const shippedPlans = () => plansFileSchema.parse(parse(readFileSync(join(SHIPPED, 'plans.yml'), 'utf8')));

/** The rows of the table of limits. */
const limitRows = () => tableIn(page('docs/limits.md'), 'limit', 'per minute', 'counted per', 'counts');

describe('the README', () => {
  it('opens with the two commands', () => {
    const run = README.indexOf('npm ci && npm start');
    const test = README.indexOf('npm ci && npm test');
    expect(run).to.be.within(0, 400);
    expect(test).to.be.within(run, 500);
  });

  it('is short, and the index of the guides names every one of them', () => {
    expect(README.split('\n')).to.have.length.of.at.most(150);
    const index = page('docs/README.md');
    const guides = readdirSync(join(PACKAGE_ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    const unnamed = guides.filter((name) => name !== 'README.md' && !index.includes(`](${name})`));
    expect(unnamed).to.deep.equal([]);
  });
});

describe('the pictures of the documents', () => {
  it('are there, none larger than 200 KB, each shown with a text in place of it', () => {
    const pages = [README, page('docs/dashboard.md'), page('docs/performance.md')].join('\n');
    const shown = [...pages.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    const files = readdirSync(join(PACKAGE_ROOT, 'docs/pictures'));
    expect(shown.map(([, , path = '']) => basename(path))).to.have.members(files);
    expect(shown.filter(([, text = '']) => text.length < 20)).to.deep.equal([]);
    const sizes = files.map((name) => statSync(join(PACKAGE_ROOT, 'docs/pictures', name)).size);
    expect(Math.max(...sizes)).to.be.within(10_000, 200 * 1_024);
  });
});

describe('the reference pages', () => {
  it('list every setting with its default and meaning', () => {
    const expected = Object.entries(SETTINGS).map(([name, { default: value, description }]) => [
      name,
      value || '–',
      description,
    ]);
    expect(tableIn(page('docs/settings.md'), 'setting', 'default', 'meaning')).to.deep.equal(expected);
  });

  it('list every error with its status', () => {
    const expected = Object.values(ERRORS).map(({ code, status, when }) => [code, String(status), when]);
    expect(tableIn(page('docs/errors.md'), 'code', 'status', 'when')).to.deep.equal(expected);
  });

  it('list the plans as they are shipped', () => {
    const { plans } = shippedPlans();
    const expected = Object.entries(plans).map(([name, plan]) => [
      name,
      String(plan.per10Seconds),
      String(plan.perMinute),
    ]);
    expect(tableIn(page('docs/limits.md'), 'plan', 'per 10 seconds', 'per minute')).to.deep.equal(expected);
  });

  it('list the limits as they are shipped, per minute where nothing else is said', () => {
    const { limits } = shippedPlans();
    const expected = Object.entries(limits).map(([name, { limit, windowSeconds, per }]) => {
      return [name, windowSeconds === 60 ? String(limit) : `${limit} per ${windowSeconds} s`, per];
    });
    const rows = limitRows().map((row) => row.slice(0, 3));
    expect(rows).to.deep.equal(expected);
  });

  it('say of the limit of an account that one address takes a part of it alone', () => {
    const rows = limitRows();
    const row = rows.find(([name]) => name === 'login-account');
    expect(row?.at(-1)).to.match(/; one address takes at most a tenth of it$/);
  });

  it('tell of plans and limits apart from sending events', () => {
    const inOrder = (name: string, heads: string[]) => {
      const places = heads.map((head) => page(name).indexOf(`\n${head}`));
      expect(places).to.not.include(-1);
      expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    };
    inOrder('docs/limits.md', ['| plan |', '| limit |']);
    inOrder('docs/api.md', ['## Sending events', '| route |', '## Queries']);
    expect(page('docs/api.md')).to.not.contain('\n| limit |');
  });

  it('show a plan and a limit that can be pasted as they stand', async () => {
    const [, part = ''] = page('docs/configuration.md').split('\n### Adding a plan or a limit\n');
    const blocks = (part.split('\n### ')[0]?.match(/(?:^ {4}.*\n)+/gm) ?? []).map((block) =>
      block.replaceAll(/^ {4}/gm, ''),
    );
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

describe('docs/architecture.md', () => {
  const text = page('docs/architecture.md');

  it('names files that are there', () => {
    const named = [...text.matchAll(/`((?:config|gateway|plugins|services|test)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.filter((path) => path.endsWith('.ts'))).to.have.length.of.at.least(30);
    expect(named.filter((path) => !existsSync(join(PACKAGE_ROOT, path)))).to.deep.equal([]);
  });

  it('lists every decision, and each by its own number', () => {
    const rows = tableIn(text, 'decision', 'in one line').map(([link]) => link);
    const names = readdirSync(join(PACKAGE_ROOT, 'docs/decisions')).sort();
    const expected = names.map((name) => `[${Number(name.slice(0, 4))}](decisions/${name})`);
    expect(rows).to.deep.equal(expected);
  });
});

describe('docs/configuration.md', () => {
  it('lists every limit that an organization may carry, and what it stands in place of', () => {
    const text = page('docs/configuration.md');
    const rows = tableIn(text, 'name', 'stands in place of', 'counts').map(([name, replaced = '']) => [
      name,
      replaced.replaceAll('`', ''),
    ]);
    const { limits, documents } = shippedPlans();
    const expected = Object.keys(organizationLimitsSchema.shape).map((name) => {
      const [replaced = name in documents ? `documents.${name}` : 'the number of the plan'] =
        Object.entries(limits).find(([, { override }]) => override === name) ?? [];
      return [name, replaced];
    });
    expect(rows).to.deep.equal(expected);
  });
});
