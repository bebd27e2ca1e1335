/** The pages built once more, in a language of longer texts: what is shipped stays as it is. */
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { buildPages } from '../../services/dashboard/build/build-pages.ts';
import { buildShare } from '../../services/dashboard/build/build-share.ts';
import { createTempDirectory } from './temp-directory.ts';

const LENGTHENED = 'lengthened.ts';

/** Modules that give the pages their English, each with what stands in its place; `shipped` is what it was. */
const IN_PLACE: Readonly<Record<string, (shipped: string, lengthened: string) => string>> = {
  'texts/en/index.ts': (shipped, lengthened) =>
    `import { en as shipped } from '${shipped}';
import { lengthened } from '${lengthened}';
export const en = lengthened(shipped);`,
  'texts/screen-texts.ts': (shipped, lengthened) =>
    `import { screenTexts as shipped } from '${shipped}';
import { lengthened } from '${lengthened}';
export { textsOfScreens } from '${shipped}';
export const screenTexts = (all) => shipped({ ...all, en: lengthened(all.en) });`,
  'share/speak-share.ts': (shipped, lengthened) =>
    `import { speakShare as speak } from '${shipped}';
import { texts } from '../texts/texts.ts';
import { lengthened } from '${lengthened}';
export function speakShare(language) {
  speak(language);
  if (language === 'en') texts.value = lengthened(texts.value);
}`,
};

export interface LongTexts {
  /** With which a server serves those pages. */
  readonly settings: Readonly<Record<string, string>>;
  /** The script of the page of shares, which no setting leads to. */
  shareScript(): string;
}

/** Builds those pages. Call it in a suite: they are built before it, and removed afterwards. */
export function withLongTexts(): LongTexts {
  const directory = createTempDirectory();
  const client = `${directory.file('services/dashboard/client')}/`;
  const [folder, share] = [directory.file('pages'), directory.file('share')];
  before(async () => {
    cpSync(join(PACKAGE_ROOT, 'services/dashboard/client'), client, { recursive: true });
    cpSync(join(PACKAGE_ROOT, 'tsconfig.json'), directory.file('tsconfig.json'));
    cpSync(join(PACKAGE_ROOT, 'test/support', LENGTHENED), join(client, LENGTHENED));
    symlinkSync(join(PACKAGE_ROOT, 'node_modules'), directory.file('node_modules'));
    for (const [file, inPlace] of Object.entries(IN_PLACE)) {
      const shipped = file.replace(/\.ts$/, '.shipped.ts');
      cpSync(join(client, file), join(client, shipped));
      const up = '../'.repeat(file.split('/').length - 1);
      writeFileSync(join(client, file), inPlace(`./${shipped.split('/').at(-1)}`, up + LENGTHENED));
    }
    await buildPages({ client, root: `${PACKAGE_ROOT}/`, folder });
    await buildShare({ client, root: `${PACKAGE_ROOT}/`, folder: share });
  });
  after(() => directory.remove());
  return {
    settings: { DASHBOARD_DIR: folder },
    shareScript() {
      const name = readdirSync(share).find((each) => each.endsWith('.js'));
      return readFileSync(join(share, `${name}`), 'utf8');
    },
  };
}
