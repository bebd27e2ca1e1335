/** `npm run pictures`: pictures of every screen of the dashboard, made of sample data of a fixed seed and day, to be looked at. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { startChromium } from '../support/chromium.ts';
import { newAddress } from '../support/start-tidegate.ts';
import { MOMENT, startPictureServer, USERS } from './picture-server.ts';
import { SCENES, type Scene } from './scenes.ts';

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** How a scene is looked at. */
interface Look {
  readonly language: 'en' | 'de';
  readonly scheme: 'light' | 'dark';
  readonly width: 320 | 375 | 1280;
}

/** Longer pages are cut: what is beneath repeats itself. */
const MOST_HEIGHT = 2_400;
const LOOKS: readonly Look[] = [
  { language: 'en', scheme: 'light', width: 1280 },
  { language: 'en', scheme: 'dark', width: 1280 },
  { language: 'en', scheme: 'light', width: 375 },
  { language: 'en', scheme: 'dark', width: 375 },
];
/** Scenes with the most words in a line, in German and as narrow as it gets. */
const TIGHT = [
  ...['login', 'websites', 'overview', 'overview-away', 'keys', 'key-new-scopes'],
  ...['members', 'audit', 'organization'],
];
const TIGHT_LOOKS: readonly Look[] = [
  { language: 'de', scheme: 'light', width: 1280 },
  { language: 'de', scheme: 'light', width: 320 },
];

/** The pictures of the documents: how each is looked at, and how much of it is shown. */
const DOCUMENTS: readonly {
  readonly scene: string;
  readonly file: string;
  readonly look: Look;
  readonly height: number;
}[] = [
  {
    scene: 'overview',
    file: 'overview',
    look: { language: 'en', scheme: 'light', width: 1280 },
    height: 900,
  },
  {
    scene: 'overview',
    file: 'overview-dark',
    look: { language: 'en', scheme: 'dark', width: 1280 },
    height: 900,
  },
  {
    scene: 'websites',
    file: 'websites',
    look: { language: 'en', scheme: 'light', width: 1280 },
    height: 656,
  },
  {
    scene: 'key-new-scopes',
    file: 'key-scopes',
    look: { language: 'en', scheme: 'light', width: 1280 },
    height: 940,
  },
  { scene: 'members', file: 'members', look: { language: 'en', scheme: 'light', width: 1280 }, height: 580 },
];

/** A session that nobody renews lasts 15 minutes: it is not used for longer than this, in milliseconds. */
const SESSION_MS = 8 * 60_000;

/** A login, and when it was made by a clock that only goes on. */
interface LoggedIn {
  readonly state: State;
  readonly at: number;
}

class Photographer {
  readonly #logins = new Map<string, LoggedIn>();
  readonly #browser: Browser;
  readonly #origin: string;

  constructor(browser: Browser, origin: string) {
    this.#browser = browser;
    this.#origin = origin;
  }

  /** Takes a picture of a scene; `height` null: of the whole page. */
  async take(scene: Scene, look: Look, file: string, height: number | null): Promise<void> {
    const state = scene.user === null ? undefined : await this.#loggedIn(scene.user);
    const context = await this.#browser.newContext({
      ...this.#options(look),
      storageState: state,
      viewport: { width: look.width, height: height ?? 800 },
    });
    try {
      const page = await context.newPage();
      await page.clock.setFixedTime(MOMENT);
      await scene.prepare?.(page);
      await page.goto(this.#origin + scene.path);
      await page.locator('main h1, main .notice').first().waitFor();
      if (scene.user !== null && new URL(page.url()).pathname.endsWith('/login')) {
        throw new Error('the session is over: this would be a picture of the login');
      }
      await scene.act?.(page);
      await settled(page);
      const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
      if (height === null) {
        // What is loaded when it is seen, is seen.
        await page.setViewportSize({
          width: look.width,
          height: Math.max(800, Math.min(whole, MOST_HEIGHT)),
        });
        await settled(page);
      }
      const clip = { x: 0, y: 0, width: look.width, height: height ?? Math.min(whole, MOST_HEIGHT) };
      await page.screenshot({ path: file, scale: 'css', animations: 'disabled', fullPage: true, clip });
    } finally {
      await context.close();
    }
  }

  async #loggedIn(user: keyof typeof USERS): Promise<State> {
    const known = this.#logins.get(user);
    if (known && performance.now() - known.at < SESSION_MS) return known.state;
    const at = performance.now();
    const context = await this.#browser.newContext(this.#options(LOOKS[0] as Look));
    const page = await context.newPage();
    await page.clock.setFixedTime(MOMENT);
    await page.goto(`${this.#origin}/dashboard/login`);
    await page.locator('input[type=email]').fill(USERS[user].email);
    await page.locator('input[type=password]').fill(USERS[user].password);
    await page.locator('form button[type=submit]').click();
    await page.getByRole('navigation').first().waitFor();
    const state = await context.storageState();
    await context.close();
    this.#logins.set(user, { state, at });
    return state;
  }

  #options({ language, scheme }: Look): BrowserContextOptions {
    return {
      locale: language === 'de' ? 'de-DE' : 'en-US',
      colorScheme: scheme,
      reducedMotion: 'reduce',
      extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
    };
  }
}

/** Until nothing is asked for any more, or a scene keeps it waiting. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await page.waitForTimeout(300);
}

interface Wish {
  readonly scene: Scene;
  readonly look: Look;
  readonly file: string;
  readonly height: number | null;
}

function wishesOf(folder: string, only: string, isForDocuments: boolean): Wish[] {
  if (isForDocuments) {
    return DOCUMENTS.filter(({ scene }) => scene.includes(only)).map(({ scene, file, ...rest }) => ({
      ...rest,
      scene: SCENES.find(({ name }) => name === scene) as Scene,
      file: join(PACKAGE_ROOT, 'docs/pictures', `${file}.png`),
    }));
  }
  return SCENES.filter(({ name }) => name.includes(only)).flatMap((scene) =>
    [...LOOKS, ...(TIGHT.includes(scene.name) ? TIGHT_LOOKS : [])].map((look) => {
      const name = `${scene.name}-${look.language}-${look.scheme}-${look.width}.png`;
      return { scene, look, file: join(folder, name), height: null };
    }),
  );
}

const program = new Command('pictures')
  .description('Takes pictures of every screen of the dashboard, of sample data of a fixed seed and day.')
  .option('--out <folder>', 'where to', 'pictures')
  .option('--only <text>', 'only scenes whose name holds this text', '')
  .option('--docs', 'take those of the documents instead, into docs/pictures');
program.parse();
const options = program.opts<{ out: string; only: string; docs?: true }>();
const wishes = wishesOf(options.out, options.only, options.docs ?? false);
mkdirSync(options.docs ? join(PACKAGE_ROOT, 'docs/pictures') : options.out, { recursive: true });

const server = await startPictureServer();
const browser = await startChromium();
try {
  const photographer = new Photographer(browser, server.origin);
  let taken = 0;
  for (const { scene, look, file, height } of wishes) {
    try {
      await photographer.take(scene, look, file, height);
      taken++;
    } catch (error) {
      // One that fails must not hide the others.
      console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
  console.log(`${taken} of ${wishes.length} pictures`);
} finally {
  await browser.close();
  await server.close();
}
