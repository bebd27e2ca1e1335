/**
 * The way from `npm start` to a first chart, by the words of README.md alone: its command starts the product over an empty
 * folder, and its numbered steps are followed in a browser, sentence by sentence.
 *
 * Each act of a step has one of the forms in ACTS. What stands in bold is what a button, a link or the page says in English;
 * what stands in quotes is a line that the start prints.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { requireChromium, startChromium } from './support/chromium.ts';
import { freePort } from './support/free-port.ts';
import { createTempDirectory, type TempDirectory } from './support/temp-directory.ts';

const README = readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8');
/** From the command to the chart. */
const BOUND_MS = 180_000;
/** What each single act may take: the bound is that of all. */
const PATIENCE_MS = BOUND_MS;

/** What a reader has: the page, and what the start printed. */
interface Reader {
  readonly page: Page;
  readonly printed: string;
}
type Act = (reader: Reader, words: string) => Promise<unknown>;

const ACTS: readonly (readonly [form: RegExp, act: Act])[] = [
  [/^Open the address printed below "(.+)"$/, ({ page, printed }, line) => page.goto(below(printed, line))],
  [/^Log in with the email and the password of the owner$/, logIn],
  [/^Press \*\*(.+?)\*\*/, ({ page }, name) => page.getByRole('link', { name, exact: true }).click()],
  [/^The page that opens waits for a first event$/, ({ page }) => seen(page, 'Waiting for the first event')],
  [/^Paste the line printed below "(.+)" into another terminal$/, paste],
  [/^The page says \*\*(.+)\*\*$/, ({ page }, text) => seen(page, text)],
  [/^the chart shows one visitor$/, ({ page }) => oneVisitor(page)],
];

/** The command that runs the product, without the installation that this copy has behind it. */
function commandOf(readme: string): string {
  const [, line = ''] = /^Run it .*:\n\n {4}(.+)$/m.exec(readme) ?? [];
  const [installation, start = ''] = line.split(' && ');
  expect(installation, line).to.equal('npm ci');
  return start;
}

/** The acts of the numbered steps, in order. */
function actsOf(readme: string): string[] {
  const [, section = ''] = readme.split('\n## The first five minutes\n');
  const steps = [...(section.split('\n## ')[0] ?? '').matchAll(/^\d+\. (.+)$/gm)];
  return steps.flatMap(([, step = '']) => step.split(/\.(?: |$)|: /)).filter((act) => act !== '');
}

/** The line that is printed below another one. */
const below = (printed: string, line: string): string => {
  const lines = printed.split('\n').filter((each) => each !== '');
  const at = lines.findIndex((each) => each.startsWith(line));
  expect(at, `"${line}" is printed`).to.be.at.least(0);
  return lines[at + 1] ?? '';
};

async function logIn({ page, printed }: Reader): Promise<void> {
  const [, email = '', password = ''] = /Owner +(\S+), password (\S+)/.exec(printed) ?? [];
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function paste({ printed }: Reader, line: string): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', ['-c', below(printed, line)]);
  expect(JSON.parse(stdout)).to.include({ success: true, count: 1 });
}

const seen = (page: Page, text: string) => page.getByText(text).first().waitFor();

async function oneVisitor(page: Page): Promise<void> {
  await page.getByRole('slider', { name: 'Visitors over time' }).waitFor();
  await page.locator('.chart path.area').waitFor();
  await page.getByRole('button', { name: /^Visitors\s*1$/ }).waitFor();
}

describe('the first steps of README.md', function () {
  this.timeout(2 * BOUND_MS);
  let folder: TempDirectory;
  let browser: Browser;
  let child: ChildProcess | null = null;

  before(async function () {
    requireChromium(this);
    folder = createTempDirectory();
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await end();
    folder?.remove();
  });

  /** Runs a command as README has it, over a folder and a port of its own, until it listens; what it printed. */
  async function start(command: string): Promise<string> {
    const port = await freePort();
    const started = spawn('sh', ['-c', `exec ${command}`], {
      cwd: PACKAGE_ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        PORT: `${port}`,
        DATA_DIR: folder.file('data'),
        npm_config_update_notifier: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what npm started ends with it.
      detached: true,
    });
    child = started;
    let text = '';
    let log = '';
    started.stderr.on('data', (chunk: Buffer) => {
      log += chunk;
    });
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (chunk: Buffer) => {
        text += chunk;
        if (/Tidegate listens on \S+\n/.test(text)) resolve();
      });
      started.once('close', (code) => reject(new Error(`it ended with ${code}: ${text}${log}`)));
    });
    return text;
  }

  async function end(): Promise<void> {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }

  it('lead to a first chart in under three minutes', async () => {
    const acts = actsOf(README);
    expect(acts).to.have.length.of.at.least(ACTS.length);
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);

    const begun = performance.now();
    const printed = await start(commandOf(README));
    for (const sentence of acts) {
      const [found, ...others] = ACTS.flatMap(([form, act]) => {
        const match = form.exec(sentence);
        return match ? [{ act, words: match[1] ?? '' }] : [];
      });
      if (!found || others.length > 0) throw new Error(`this step has no form, or two: ${sentence}`);
      await found.act({ page, printed }, found.words);
    }
    expect(performance.now() - begun).to.be.at.most(BOUND_MS);
    await context.close();
  });
});
