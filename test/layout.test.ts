/** Holds where things stand: the top level, the rooms of the gateway, and the tests as a mirror of the source. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { readSources, roomOf } from './support/source-files.ts';

const SOURCES = ['gateway', 'plugins', 'services', 'config'].flatMap(readSources);
const TESTS = readSources('test').filter((file) => !file.path.startsWith('test/bench/'));

/** Tests of one part of the source; those of HTTP contracts, of ports and of the whole have folders of their own. */
const MIRRORED = TESTS.filter(({ path }) =>
  /^test\/(?:gateway|plugins|services|config)\/.*\.test\.ts$/.test(path),
);
const TESTS_OF_MORE = /^test\/(?:[a-z-]+(?:\.system)?\.test\.ts$|(?:contract|fuzz|routes|sample|support)\/)/;
/** Files that are not TypeScript. */
const DEPLOYMENT = 'config/deploy';

/** Everything that stands at the top; what .gitignore names may come on top of it. */
const TOP_LEVEL = [
  '.c8rc.json',
  '.ci',
  '.editorconfig',
  '.github',
  '.gitignore',
  '.mocharc.json',
  '.npmrc',
  '.nvmrc',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'biome.json',
  'config',
  'docs',
  'gateway',
  'package-lock.json',
  'package.json',
  'plugins',
  'services',
  'test',
  'tsconfig.json',
];

/** The rooms of the gateway, each with the rooms that it may import. */
const ROOMS: Record<string, readonly string[]> = {
  configuration: [],
  openapi: ['configuration'],
  serve: ['configuration'],
  administration: ['serve'],
  process: ['administration', 'configuration', 'openapi', 'serve'],
  cli: ['administration', 'configuration', 'process', 'serve'],
};

describe('the layout', () => {
  it('has the prescribed top level and nothing else', () => {
    const ignored = readFileSync(join(PACKAGE_ROOT, '.gitignore'), 'utf8').split('\n');
    const isIgnored = (name: string) =>
      name === '.git' ||
      ignored.some(
        (line) =>
          [name, `${name}/`, `/${name}/`].includes(line) || (line === '*.log' && name.endsWith('.log')),
      );
    expect(readdirSync(PACKAGE_ROOT).filter((name) => !isIgnored(name))).to.have.members(TOP_LEVEL);
  });

  it('keeps the gateway in rooms, each with a sentence of its own, and imports between them one way', () => {
    const folder = join(PACKAGE_ROOT, 'gateway');
    const found = readdirSync(folder, { withFileTypes: true });
    expect(found.filter((entry) => entry.isDirectory()).map(({ name }) => name)).to.have.members(
      Object.keys(ROOMS),
    );
    expect(found.filter((entry) => entry.isFile()).map(({ name }) => name)).to.deep.equal(['README.md']);
    for (const room of Object.keys(ROOMS))
      expect(readFileSync(join(folder, room, 'README.md'), 'utf8')).to.match(/^[A-Z].*\.\n$/);
    const arrows = SOURCES.flatMap(({ path, imports }) => {
      const from = roomOf(path);
      if (from === undefined) return [];
      return imports
        .map(roomOf)
        .filter((to) => to !== undefined && to !== from)
        .map((to) => `${from} imports ${to}`);
    });
    const declared = Object.entries(ROOMS).flatMap(([from, to]) =>
      to.map((room) => `${from} imports ${room}`),
    );
    expect([...new Set(arrows)]).to.have.members(declared);
    expect(declared).to.have.length.at.most(12);
  });

  it('mirrors the source in its tests: a test stands where what it tests does, and is named after it if it is one file', () => {
    const folders = new Set(SOURCES.map(({ path }) => dirname(path)));
    const offences = MIRRORED.flatMap(({ path }) => {
      const folder = dirname(path).replace(/^test\//, '');
      if (!folders.has(folder) && folder !== DEPLOYMENT) return [`${path}: there is no ${folder}`];
      const subject = `/${basename(path).split('.')[0]}.ts`;
      const places = SOURCES.map((file) => file.path).filter((file) =>
        file.replace(/x$/, '').endsWith(subject),
      );
      return places.length === 0 || places.some((file) => file.replace(/x$/, '') === `${folder}${subject}`)
        ? []
        : [`${path}: belongs beside the mirror of ${places.join(' or ')}`];
    });
    expect(offences).to.deep.equal([]);
    const elsewhere = TESTS.filter((file) => file.path.endsWith('.test.ts') && !MIRRORED.includes(file));
    expect(elsewhere.map(({ path }) => path).filter((path) => !TESTS_OF_MORE.test(path))).to.deep.equal([]);
  });
});
