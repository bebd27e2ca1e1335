/** What leaves the pages, of every list that has no other test of it: the file holds the rows, and the command answers what the page shows. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../support/answers.ts';
import { OWNER, useDashboard } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';
import { startTidegate } from '../../../../support/start-tidegate.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';

/** Answers of the API, of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
type Body = any;

interface Exported {
  readonly path: string;
  /** As its buttons name it. */
  readonly title: string;
  readonly file: string;
  /** The page's own request whose answer the rows are. */
  readonly asks: string;
  /** The rows of an answer, cell by cell, as the file has them. */
  readonly rows: (answer: Body) => unknown[][];
  /** What the command answers beyond that: its own login is a session, and a record. */
  readonly isLonger?: boolean;
}

const EXPORTS: readonly Exported[] = [
  {
    ...{ path: '/dashboard', title: 'Websites', file: 'websites.csv', asks: '/v1/query' },
    rows: ({ results }) =>
      results
        .flatMap(({ data }: Body) => data)
        .find(({ parameter }: Body) => parameter === 'website_totals')
        .data.map(({ website_id, visitors, pageviews }: Body) => [website_id, visitors, pageviews]),
  },
  {
    ...{ path: '/dashboard/members', title: 'Members', file: 'members.csv', asks: '/v1/members' },
    rows: ({ data }) => data.map(({ id, email, role }: Body) => [id, email, role]),
  },
  {
    ...{ path: '/dashboard/audit', title: 'Audit', file: 'audit.csv', asks: '/v1/audit', isLonger: true },
    rows: ({ data }) => data.map(({ id, at, action, targetId }: Body) => [id, at, action, targetId]),
  },
  {
    ...{ path: '/dashboard/organization', title: 'Plan and limits', file: 'limits.csv' },
    asks: '/v1/organization',
    rows: ({ data }) => Object.entries(data.limits),
  },
  {
    ...{ path: '/dashboard/organization', title: 'Usage', file: 'usage.csv', asks: '/v1/organization' },
    rows: ({ data }) => data.usage.months.map(({ month, events }: Body) => [month, events]),
  },
  {
    ...{ path: '/dashboard/account', title: 'Sessions', file: 'sessions.csv', asks: '/v1/auth/sessions' },
    isLonger: true,
    rows: ({ data }) => data.map(({ id, createdAt }: Body) => [id, createdAt]),
  },
];

/** Lines of cells; those in quotes may hold commas and quotes. */
const parsed = (file: string): string[][] =>
  file
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

async function download(page: Page, title: string) {
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: `Download CSV: ${title}` }).click();
  const file = await begun;
  return { name: file.suggestedFilename(), lines: parsed(readFileSync(await file.path(), 'utf8')) };
}

async function commandOf(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: `Show as curl: ${title}` }).click();
  const command = await page.getByRole('dialog').locator('code').innerText();
  await page.keyboard.press('Escape');
  return command;
}

describe('what leaves the pages', () => {
  const directory = createTempDirectory();
  // By a server that has ended: the usage that it counted is all written, and changes no more.
  before(async () => {
    const server = await startTidegate({ dataDir: directory.path });
    const event = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'a', sessionId: 's', path: '/' };
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body: event }));
    await addMember(server, 'viewer');
    await server.close();
  });
  const dashboard = useDashboard({ dataDir: directory.path });
  after(() => directory.remove());

  /** Runs a command as somebody pastes it. */
  async function run(command: string): Promise<Body> {
    const { stdout } = await promisify(execFile)('sh', ['-euc', command], {
      env: {
        PATH: process.env.PATH,
        TIDEGATE_KEY: dashboard.server.keys.all,
        TIDEGATE_EMAIL: OWNER.email,
        TIDEGATE_PASSWORD: OWNER.password,
      },
    });
    return JSON.parse(stdout);
  }

  for (const { path, title, file, asks, rows, isLonger } of EXPORTS) {
    it(`is what the page shows, and what the command answers: ${title}`, async () => {
      const { page } = await dashboard.enter('/dashboard/keys');
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === asks);
      await page.goto(dashboard.origin + path);
      const shown = rows(await (await answered).json()).map((row) => row.map((cell) => String(cell ?? '')));
      expect(shown).to.have.length.of.at.least(1);

      const { name, lines } = await download(page, title);
      expect(name).to.equal(file);
      expect(lines).to.have.length(shown.length + 1);
      for (const row of shown) {
        expect(
          lines.some((line) => row.every((cell) => line.includes(cell))),
          row.join(),
        ).to.equal(true);
      }

      const answer = rows(await run(await commandOf(page, title))).map((row) =>
        row.map((cell) => String(cell ?? '')),
      );
      expect(answer).to.have.length.of.at.least(shown.length);
      if (isLonger) expect(answer).to.deep.include.members(shown);
      else expect(answer).to.deep.equal(shown);
    });
  }
});
