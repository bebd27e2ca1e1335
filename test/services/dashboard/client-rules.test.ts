/** Holds the rules of the dashboard's pages: what they may import, who calls the API, who touches the address. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { SECTIONS } from '../../../services/dashboard/client/share/text-sections.ts';
import { readSources, withoutComments, withoutTexts } from '../../support/source-files.ts';

const CLIENT = 'services/dashboard/client/';
const FILES = readSources('services/dashboard/client');

/** Packages that the pages are made of; each is bundled, and none is there at run time. */
const PACKAGES = /^(?:preact|preact\/hooks|@preact\/signals|preact-iso|lean-qr\/nano|virtual:world)$/;

/** What a file imports to run, types left out. */
function valueImports(text: string, path: string): string[] {
  return [...text.matchAll(/^(?:import|export) (?!type\b)[^'";]*?'(\.[^']+)'/gms)].map(([, target = '']) =>
    join(path, '..', target),
  );
}

const using = (pattern: RegExp): string[] =>
  FILES.filter(({ text }) => pattern.test(withoutTexts(text))).map(({ path }) => path.slice(CLIENT.length));

describe('the pages of the dashboard', () => {
  it('import their own files and a few packages, and types of the services in one file', () => {
    const offences = FILES.flatMap(({ path, imports }) =>
      imports
        .filter((target) => !target.startsWith(CLIENT) && !PACKAGES.test(target))
        .filter(() => path !== `${CLIENT}api/wire.ts`)
        .map((target) => `${path} imports ${target}`),
    );
    expect(offences).to.deep.equal([]);
    const wire = withoutComments(readFileSync(join(PACKAGE_ROOT, CLIENT, 'api/wire.ts'), 'utf8'));
    expect(wire).not.to.match(/^(?:import|export) (?!type\b)/m);
  });

  it('are bundled: no package of theirs is needed at run time', () => {
    const { dependencies } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
    expect(Object.keys(dependencies).filter((name) => PACKAGES.test(name))).to.deep.equal([]);
  });

  it('call the API in one place', () => {
    expect(using(/\bfetch\(|\bXMLHttpRequest\b|\bsendBeacon\b|\bEventSource\b|\bWebSocket\b/)).to.deep.equal([
      'api/send.ts',
    ]);
  });

  it('read and write the address in one place', () => {
    expect(using(/\blocation\.|\bhistory\.|\buseLocation\b/)).to.deep.equal(['address.ts']);
  });

  it('mark what is English in one place, and draw no sentence of the API past it', () => {
    const marking = FILES.filter(({ text }) => /\blang="en"/.test(withoutComments(text)));
    expect(marking.map(({ path }) => path.slice(CLIENT.length))).to.deep.equal(['design/worded.tsx']);
    // The sentences are `message` of a fault and of its details, and `error` of a dataset.
    const reading = FILES.filter(({ text }) =>
      /\b(?:said|fault|detail|answer)\??\.(?:message|error)\b/.test(text),
    );
    const wording = /\bworded\(|english: answer\.error/;
    expect(reading.filter(({ text }) => !wording.test(text)).map(({ path }) => path)).to.deep.equal([
      `${CLIENT}api/fault.ts`,
    ]);
  });

  it('draw the page of shares with the few texts that it has', () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      const file = FILES.find((each) => each.path === path);
      if (file === undefined || reached.has(path)) return;
      reached.add(path);
      for (const target of valueImports(file.text, path)) visit(target);
    };
    visit(`${CLIENT}share/main.tsx`);
    expect([...reached]).to.include(`${CLIENT}design/table.tsx`);
    expect([...reached].filter((path) => /api\/(?:call|session)|texts\/speak/.test(path))).to.deep.equal([]);
    const reading = FILES.filter(({ path }) => reached.has(path)).flatMap(({ path, text }) =>
      [...text.matchAll(/\btexts\.value(?!\s*=)(?:\.(\w+))?/g)].map(
        ([, section = 'all']) => `${section} in ${path}`,
      ),
    );
    const known = new RegExp(`^(?:${SECTIONS.join('|')}) `);
    expect(reading.filter((each) => !known.test(each))).to.deep.equal([]);
  });

  it('write nothing to the console', () => {
    expect(using(/\bconsole\b/)).to.deep.equal([]);
  });

  it('build no markup, script or style out of texts', () => {
    expect(
      using(
        /\binnerHTML\b|\bouterHTML\b|dangerouslySetInnerHTML|\binsertAdjacentHTML\b|\beval\(|document\.write/,
      ),
    ).to.deep.equal([]);
  });

  it('are used by nothing else than their build', () => {
    const users = ['gateway', 'plugins', 'services', 'config']
      .flatMap(readSources)
      .filter(
        ({ path, imports }) => !path.startsWith(CLIENT) && imports.some((each) => each.startsWith(CLIENT)),
      );
    expect(users.filter(({ path }) => !path.startsWith('services/dashboard/build/'))).to.deep.equal([]);
  });
});
