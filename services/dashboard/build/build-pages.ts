/** Turns the sources of the pages into what the gateway serves: a document, files under hashed names, and both compressed. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Plugin, rolldown } from 'rolldown';
import { packedPath } from '../client/map/packed-path.ts';
import { renderDocument } from './document.ts';
import { iconSprite } from './icon-sprite.ts';
import { licencesOf } from './licences.ts';
import { worldMap } from './world-map.ts';

/** Where the gateway serves the pages. */
const BASE = '/dashboard/';
/** Style sheets that come first, in this order; those of screens follow by name. */
export const FIRST_STYLES: readonly string[] = [
  'design/tokens.css',
  'design/base.css',
  'design/components.css',
];

/** That of the page of shares, which is a document of its own. */
export const SHARE_STYLE = 'share/share.css';

export interface BuildOptions {
  /** Sources of the pages, with a slash at the end. */
  readonly client: string;
  /** Root of the project, where `node_modules` lies. */
  readonly root: string;
  /** What is built; everything in it is replaced. */
  readonly folder: string;
}

/** @throws Error that names the file and line of what cannot be built */
export async function buildPages({ client, root, folder }: BuildOptions): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { script, modules } = await buildScripts(client, folder, root);
  const style = writeHashed(folder, 'style', 'css', styles(client));
  const licences = writeHashed(folder, 'licences', 'txt', licencesOf(root, modules));
  const document = renderDocument({
    script: BASE + script,
    style: BASE + style,
    licences: BASE + licences,
    sprite: iconSprite(root),
  });
  writeFileSync(path.join(folder, 'document.html'), document);
  for (const file of readdirSync(folder)) compress(path.join(folder, file));
}

/** The name of the first script, beside which those of screens lie, and the files that all are made of. */
async function buildScripts(
  client: string,
  folder: string,
  root: string,
): Promise<{ script: string; modules: string[] }> {
  const bundle = await rolldown({
    input: { main: path.join(client, 'main.tsx') },
    tsconfig: path.join(client, 'tsconfig.json'),
    platform: 'browser',
    plugins: [worldModule(root)],
    transform: {
      target: 'es2022',
      // Elements as calls of `h` are a hundredth smaller than as calls of the JSX runtime, which name their children.
      jsx: { runtime: 'classic', pragma: 'jsxElement', pragmaFrag: 'jsxFragment' },
      inject: { jsxElement: ['preact', 'h'], jsxFragment: ['preact', 'Fragment'] },
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'es',
    minify: true,
    comments: false,
    entryFileNames: '[name].[hash].js',
    chunkFileNames: ({ moduleIds }) => `${languageOf(moduleIds) ?? '[name]'}.[hash].js`,
    // What several screens share goes into the first script, and what leads deeper into one more: a screen is one file more, not five.
    codeSplitting: {
      groups: [
        { name: 'main', test: isOfFirstScript },
        { name: 'drill', test: isOfDrill },
        { name: areaOf, debugName: 'areas' },
      ],
    },
  });
  await bundle.close();
  const [entry] = output;
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return { script: entry.fileName, modules };
}

/** Screens that open most often are part of the first script, with their charts: their numbers wait for no second one. */
const LATER =
  /\/client\/(share\/|exports\/shown-sql|screens\/(?!index\.ts|login\/|websites\/|overview\/(?!panels\/|notes\/|no-events|emptiness))|texts\/(?!en\/)\w+\/|drill\/|commands\/|map\/)|virtual:world|\/lean-qr\//;

/** What a website did. */
const REPORTS =
  /^(?:now|pages|sources|events|paths|goals|funnels|retention|journeys|sessions|visitors|speed|errors)$/;
/** Who works here, and what they may. */
const ORGANIZATION = /^(?:accept|account|audit|keys|members|organization|platform|reset|styles)$/;

/**
 * The script of a module of a screen that is loaded later; null: it is none. People open the screens of an area one after another: they
 * are one script, which is a quarter smaller than as many, and their texts in another language than English one more.
 */
function areaOf(file: string): string | null {
  const [, known] = /\/client\/screens\/areas\/(\w+)\.ts$/.exec(file) ?? [];
  if (known !== undefined) return known;
  const [, screen] = /\/client\/screens\/([^/]+)\//.exec(file) ?? [];
  // What only a button of a screen opens comes with that button.
  if (screen === undefined || screen === 'overview' || /\/qr-/.test(file)) return null;
  const area = REPORTS.test(screen) ? 'reports' : ORGANIZATION.test(screen) ? 'organization' : 'website';
  const language = languageOf([file]) ?? 'en';
  return language === 'en' ? area : `${area}-${language}`;
}

/** The language whose texts modules are, and nothing else; undefined: they are more. */
function languageOf(modules: readonly string[]): string | undefined {
  const [code, ...others] = new Set(
    modules.map((file) => /\/texts[-/]([a-z]{2})(?:\/|\.ts$)/.exec(file)?.[1]),
  );
  return others.length === 0 ? code : undefined;
}

/** Whether a module leads deeper, from any screen of a website or by the palette: what is loaded after the numbers of the overview is one script. */
function isOfDrill(file: string): boolean {
  return /\/client\/(?:drill|commands|screens\/overview\/(?:notes|panels))\/(?!texts-(?!en))/.test(file);
}

/** Whether a module is loaded with the first script: all but other screens, languages other than English, the map, and what draws QR codes. */
function isOfFirstScript(file: string): boolean {
  return !LATER.test(file);
}

/** Gives the pages the projected map as a module, so that it is part of the file that draws it. */
function worldModule(root: string): Plugin {
  const world = worldMap(root);
  const outlines = world.outlines.map(([code, path]) => code + packedPath(path));
  const map = JSON.stringify(JSON.stringify({ ...world, outlines }));
  const id = /^virtual:world$/;
  return {
    name: 'world',
    resolveId: { filter: { id }, handler: (source) => source },
    load: { filter: { id }, handler: () => `export const world = JSON.parse(${map})` },
  };
}

/** All style sheets in one. */
function styles(client: string): string {
  const others = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.css') && !FIRST_STYLES.includes(file) && file !== SHARE_STYLE)
    .sort();
  return joinStyles(client, [...FIRST_STYLES, ...others]);
}

/** These style sheets in one, without their comments and the white space that means nothing. */
export function joinStyles(client: string, files: readonly string[]): string {
  return files
    .map((file) =>
      readFileSync(path.join(client, file), 'utf8')
        .replace(/\/\*.*?\*\//gs, '')
        .replace(/\s+/g, ' ')
        .replace(/ ?([{};,]) ?/g, '$1')
        .replaceAll(': ', ':')
        .replaceAll(';}', '}')
        .trim(),
    )
    .join('');
}

/** Writes `name.<hash>.extension`; its name. */
export function writeHashed(folder: string, name: string, extension: string, text: string): string {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const file = `${name}.${hash}.${extension}`;
  writeFileSync(path.join(folder, file), text);
  return file;
}

/** Writes `file.gz` and `file.br`, as small as they get: they are made once and sent often. */
export function compress(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
}
