/** Turns the page of shares into a folder of its own: a document, one script, one style sheet, and the licences, compressed. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import {
  type BuildOptions,
  compress,
  FIRST_STYLES,
  joinStyles,
  SHARE_STYLE,
  writeHashed,
} from './build-pages.ts';
import { iconSprite } from './icon-sprite.ts';
import { licencesOf } from './licences.ts';
import { renderShareDocument } from './share-document.ts';

/** Where the gateway serves its files; the document lies at the address of each share. */
const BASE = '/share/_/';
/** The style sheets of the components that it draws with. */
const STYLES = [
  ...FIRST_STYLES,
  ...['design/tabs.css', 'charts/chart.css', 'screens/overview/overview.css', SHARE_STYLE],
];
const ICONS = ['activity', 'circle-alert', 'circle-check', 'info', 'refresh-cw', 'table', 'triangle-alert'];

/** @throws Error that names the file and line of what cannot be built */
export async function buildShare({ client, root, folder }: BuildOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { script, modules } = await buildScript(client, folder);
  const style = writeHashed(folder, 'share', 'css', joinStyles(client, STYLES));
  const licences = writeHashed(folder, 'licences', 'txt', licencesOf(root, modules));
  const document = renderShareDocument({
    script: BASE + script,
    style: BASE + style,
    licences: BASE + licences,
    sprite: iconSprite(root, ICONS),
  });
  writeFileSync(path.join(folder, 'document.html'), document);
  for (const file of readdirSync(folder)) compress(path.join(folder, file));
}

/** The name of the one script, and the files that it is made of. */
async function buildScript(
  client: string,
  folder: string,
): Promise<{ readonly script: string; readonly modules: readonly string[] }> {
  const bundle = await rolldown({
    input: { share: path.join(client, 'share/main.tsx') },
    tsconfig: path.join(client, 'tsconfig.json'),
    platform: 'browser',
    transform: { target: 'es2022' },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'es',
    minify: true,
    entryFileNames: '[name].[hash].js',
    codeSplitting: false,
  });
  await bundle.close();
  const [entry] = output;
  return { script: entry.fileName, modules: entry.moduleIds };
}
