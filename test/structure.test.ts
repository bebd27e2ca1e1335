/** Holds the invariants of the architecture: who may import whom, where each rule lives, how large a file may grow. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { ERRORS } from '../services/shared/errors/catalogue.ts';
import { circleIn, importsOf, readSources, withoutComments, withoutTexts } from './support/source-files.ts';

const SOURCES = ['gateway', 'plugins', 'services', 'config'].flatMap(readSources);
/** The pages of the dashboard run in browsers, under rules of their own: test/services/dashboard/client-rules.test.ts. */
const SERVER = SOURCES.filter(({ path }) => !path.startsWith('services/dashboard/client/'));
const TESTS = readSources('test').filter((file) => !file.path.startsWith('test/bench/'));

/** Packages behind a port, each with the one adapter folder that may import it. */
const ADAPTED_PACKAGES: Record<string, string> = {
  libsql: 'services/shared/storage/sqlite/',
  '@duckdb/node-api': 'services/shared/storage/duckdb/',
  mongoose: 'services/shared/storage/mongodb/',
  ioredis: 'services/shared/storage/redis/',
  'prom-client': 'services/shared/metrics/',
  '@opentelemetry/api': 'services/shared/tracing/',
  '@opentelemetry/core': 'services/shared/tracing/',
  '@opentelemetry/resources': 'services/shared/tracing/',
  '@opentelemetry/sdk-trace-base': 'services/shared/tracing/',
  '@opentelemetry/exporter-trace-otlp-http': 'services/shared/tracing/',
};

/** Who may listen: entry points and the embedded composer, with the listeners that they use. */
const LISTENERS =
  /(?:^|\/)(?:main|start-[a-z-]+)\.ts$|^gateway\/(?:process\/embedded|administration\/server|serve\/create-gateway|serve\/http\/listen)\.ts$/;
/** Who may open a store: the two files that know where stores lie, and the command that brings embedded ones to this version's schema. */
const STORE_OPENERS =
  /^gateway\/(?:process\/stores\/open-(?:mongodb-)?(?:documents|events)|cli\/installation\/migrate-embedded)\.ts$/;
/** The functions that open a store, each with the file that declares it. */
const STORE_MAKERS: Record<string, string> = {
  createDuckDbEventStore: 'services/shared/storage/duckdb/duckdb-event-store.ts',
  createMongodbDocumentStore: 'services/shared/storage/mongodb/mongodb-document-store.ts',
  createMongodbEventStore: 'services/shared/storage/mongodb/mongodb-event-store.ts',
  createSqliteDocumentStore: 'services/shared/storage/sqlite/sqlite-document-store.ts',
};

/** Second words for a thing, with the first. */
const OTHER_WORDS: readonly { readonly word: RegExp; readonly say: string; readonly except?: RegExp }[] = [
  {
    word: /(?<![Ww]eb)(?:\b[Ss]|S)ites?(?![a-z_])|(?<!WEB)\bSITES?_?\b/,
    say: 'website',
    // The sites of browsers: same-site, other sites; and names that clients send by mistake.
    except: /origin|\/tracker(?:-[a-z]+|\/)|tracked-|website-names|unknown-names|cookies|sdk/,
  },
  { word: /\bGenerations\b/, say: 'bounded map' },
  { word: /\badmin(?:istration)? ?(?:socket|port)\b/i, say: 'operator socket or metrics port' },
];

describe('the structure', () => {
  it('greps every log of a test for secrets: no test has a logger of its own', () => {
    // Two hold what is logged, to the letter.
    const lettered = ['serve/client-address', 'process/stores/change-watch'].map(
      (name) => `test/gateway/${name}.test.ts`,
    );
    const own = ['test/support/log-watch.ts', ...lettered];
    const offences = TESTS.filter(({ path, text }) => /\bpino\(/.test(text) && !own.includes(path));
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });

  it('sees every form of import', () => {
    const text = [
      "import 'a';",
      "import type { B } from 'b';",
      "import {\n  c,\n} from 'c';",
      "export * from 'd';",
      "const e = await import('e');",
      "  const f = require('f');",
      'const g = require.resolve("g");',
      "type H = import('h').H;",
      'const i = import(`i`);',
      "import\n('j');",
    ];
    expect(importsOf(text.join('\n'))).to.have.members(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
  });

  it('lets only entry points and composers listen', () => {
    const callers = SOURCES.filter(({ text }) => /(?<!function )\blisten\(/.test(text));
    expect(callers.map(({ path }) => path)).to.include('gateway/serve/http/listen.ts');
    expect(callers.map(({ path }) => path).filter((path) => !LISTENERS.test(path))).to.deep.equal([]);
  });

  it('puts the options of a gateway together in one place', () => {
    const makers = SOURCES.filter(({ text }) => /(?<!function )\bcreateGateway\(/.test(text));
    expect(makers.map(({ path }) => path)).to.deep.equal(['gateway/process/compose/compose-gateway.ts']);
  });

  it('lets only entry points and composers open a store', () => {
    for (const [maker, declaredIn] of Object.entries(STORE_MAKERS)) {
      const users = SOURCES.filter(({ text }) => text.includes(maker)).map(({ path }) => path);
      expect(users).to.include(declaredIn);
      const offences = users.filter((path) => path !== declaredIn && !STORE_OPENERS.test(path));
      expect(offences, maker).to.deep.equal([]);
    }
  });

  it('keeps plugins to the kit and services/shared, the kit and services to services/shared', () => {
    const offences = SERVER.flatMap(({ path, imports }) => {
      const own = /^(?:plugins|services)\/[^/]+\//.exec(path)?.[0];
      if (own === undefined) return [];
      const open = [own, 'services/shared/', ...(own.startsWith('plugins/') ? ['plugins/kit/'] : [])];
      const strangers = imports.filter(
        (target) =>
          /^(?:plugins|services|gateway|config|test)\//.test(target) &&
          !open.some((folder) => target.startsWith(folder)),
      );
      return strangers.map((target) => `${path} imports ${target}`);
    });
    expect(offences).to.deep.equal([]);
  });

  it('has no circle of imports, of types neither', () => {
    expect(circleIn(SOURCES)).to.deep.equal([]);
  });

  it('lets nothing but tests import tests', () => {
    const offences = SOURCES.filter(({ imports }) => imports.some((target) => target.startsWith('test/')));
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });

  it('imports each package behind a port in one adapter folder only', () => {
    const offences = SOURCES.flatMap(({ path, imports }) =>
      imports
        .filter(
          (target) =>
            ADAPTED_PACKAGES[target] !== undefined && !path.startsWith(ADAPTED_PACKAGES[target] ?? ''),
        )
        .map((target) => `${path} imports ${target}`),
    );
    expect(offences).to.deep.equal([]);
  });

  it('parses URLs in one place, as the check of the platform errs on Node 20', () => {
    const users = SOURCES.filter(({ text }) => /\bURL\.canParse\(/.test(text));
    expect(users.map(({ path }) => path)).to.deep.equal([]);
  });

  it('keeps express out of domain and stores, and express-gateway behind one file', () => {
    const express = SOURCES.filter(({ imports }) => imports.includes('express')).map(({ path }) => path);
    for (const path of express) expect(path).to.match(/create-[a-z]+-(?:service|app)\.ts$/);
    const gateway = SOURCES.filter(({ text }) =>
      /require\.resolve\('express-gateway'\)|from 'express-gateway/.test(text),
    );
    expect(gateway.map(({ path }) => path)).to.deep.equal(['gateway/serve/engine/express-gateway.ts']);
  });

  it('has every program hear SIGUSR1 and set how it uses memory before anything else', () => {
    // What builds pages and scripts, and what runs in a browser, are no programs that stay.
    const programs = SERVER.filter(({ path }) =>
      /(?:^|\/)(?:[a-z]+-)?main(?:-[a-z]+)?\.ts$/.test(path),
    ).filter(({ path }) => !/\/(?:build|script|tracker)\/main\.ts$/.test(path));
    expect(programs).to.have.length.of.at.least(8);
    const first = ['no-inspector', 'memory'].map((name) => `services/shared/process/${name}.ts`);
    for (const { path, imports } of programs) expect(imports.slice(0, 2), path).to.deep.equal(first);
  });

  it('holds requests and connections under way in no Set or Map, which would keep those that have ended', () => {
    const held = /new (?:Set|Map)<\w*(?:Socket|Req|Res|Request|Response|Exchange|Turn|T)\b/;
    const found = SERVER.filter(({ text }) => held.test(text)).map(({ path }) => path);
    // Few connections pipeline requests or leave answers unread, and web sockets stay long.
    const few = ['pipelined-answers', 'unread-answers', 'upgrades'].map(
      (name) => `gateway/serve/http/${name}.ts`,
    );
    expect(found).to.deep.equal(few);
  });

  it('assigns no function expression to a property, as V8 makes such a function in the old space, where it holds what it sees', () => {
    const assigned =
      /^\s*[\w.[\]#]+(?:\.#?\w+|\])\s+(?:\?\?|\|\|)?=\s+(?:async\s+)?(?:function\b|(?:\([^()]*\)|\w+)(?:\s*:\s*[^=]+)?\s+=>)/m;
    const atStart = ['services/shared/storage/mongodb/closed-writes.ts'];
    const offences = SERVER.filter(({ text }) => assigned.test(withoutComments(text)));
    expect(offences.map(({ path }) => path).filter((path) => !path.includes('/tracker/'))).to.deep.equal(
      atStart,
    );
  });

  it('reserves no memory for caches that are empty yet: their entries are bounded by atMost', () => {
    const offences = SERVER.filter(({ text }) => /new LRUCache[^;]*?\bmax: (?!\d\d?,)/.test(text));
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });

  it('reads the environment in config/settings.ts only', () => {
    const readers = SERVER.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
    expect(readers).to.deep.equal(['config/settings.ts']);
  });

  it('opens the engine in one place, with the settings that every use of it shares', () => {
    const openers = SERVER.filter(({ text }) => /DuckDBInstance\.(?:create|fromCache)\(/.test(text));
    expect(openers.map(({ path }) => path)).to.deep.equal([
      'services/shared/storage/duckdb/create-instance.ts',
    ]);
  });

  it('reads query strings in one place, so that a rule and its handler never see different parameters', () => {
    const reader =
      /URLSearchParams|\bsearchParams\b|querystring'|\bqs'|\breq(?:uest)?\.query\b|'query parser', (?!false)/;
    const readers = SERVER.filter(({ text }) => reader.test(withoutComments(text))).map(({ path }) => path);
    expect(readers).to.deep.equal(['services/shared/http/query-string.ts']);
  });

  it('bounds no command of MongoDB by timeoutMS, which its driver takes and ignores', () => {
    const offences = SOURCES.filter(({ text }) => /\btimeoutMS\b/.test(withoutComments(text)));
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });

  it('lets status and error code meet in the catalogue only', () => {
    const codes = [...new Set(Object.values(ERRORS).map(({ code }) => code))].join('|');
    const pair = new RegExp(
      `(?:\\b[45]\\d\\d\\b[^\\n]*['"](?:${codes})['"])|(?:['"](?:${codes})['"][^\\n]*\\b[45]\\d\\d\\b)`,
    );
    const offences = SERVER.flatMap(({ path, text }) => {
      if (path === 'services/shared/errors/catalogue.ts') return [];
      return withoutComments(text)
        .split('\n')
        .filter((line) => pair.test(line))
        .map((line) => `${path}: ${line.trim()}`);
    });
    expect(offences).to.deep.equal([]);
  });

  it('writes the order of policies once', () => {
    const names = ["'auth'", "'body'", "'scopes'", "'rate-limit'"];
    const knowing = SOURCES.filter(({ text }) => names.every((name) => text.includes(name)));
    expect(knowing.map(({ path }) => path)).to.deep.equal(['gateway/configuration/policy-order.ts']);
  });

  it('keeps files at 300 lines, policies at 150, datasets at 60', () => {
    const bound = (path: string): number => {
      if (/^plugins\/.*-policy\.ts$/.test(path)) return 150;
      if (/^services\/query\/datasets\//.test(path)) return 60;
      return 300;
    };
    const offences = [...SOURCES, ...TESTS].filter(({ path, lines }) => lines > bound(path));
    expect(offences.map(({ path, lines }) => `${path}: ${lines}`)).to.deep.equal([]);
  });

  it('opens each file with one sentence that says what it holds', () => {
    const offences = [...SOURCES, ...TESTS].filter(
      ({ text }) => !/^(?:#!.*\n)?\/\*\* [A-Z`].*\S \*\/\n/.test(text) && !/^(?:#!.*\n)?\/\*\*\n/.test(text),
    );
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });

  it('calls one thing by one word, as CONTRIBUTING.md lists them', () => {
    const offences = [...SOURCES, ...TESTS].flatMap(({ path, text }) =>
      OTHER_WORDS.filter(({ word, except }) => !except?.test(path) && word.test(withoutTexts(text))).map(
        ({ say }) => `${path}: say ${say}`,
      ),
    );
    expect(offences).to.deep.equal([]);
  });

  it('names files in kebab-case, and none for being a drawer', () => {
    const offences = SOURCES.filter(({ path }) => {
      const name = path.split('/').at(-1) ?? '';
      return !/^[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/.test(name) || /utils?|helpers?|common|manager/.test(name);
    });
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });

  it('gives every plugin a manifest and a README, and the kit a README', () => {
    for (const plugin of readdirSync(join(PACKAGE_ROOT, 'plugins'), { withFileTypes: true })) {
      if (!plugin.isDirectory()) continue;
      const wanted = plugin.name === 'kit' ? ['README.md'] : ['manifest.ts', 'README.md'];
      expect(readdirSync(join(PACKAGE_ROOT, 'plugins', plugin.name)), plugin.name).to.include.members(wanted);
    }
  });

  it('numbers its decisions from 1 without gap or repetition, in file name and title alike', () => {
    const folder = join(PACKAGE_ROOT, 'docs/decisions');
    const names = readdirSync(folder).sort();
    const titled = names.map((name) => /^# (\d+)\. /.exec(readFileSync(join(folder, name), 'utf8'))?.[1]);
    const wanted = names.map((_, index) => index + 1);
    expect(names.map((name) => Number(/^(\d{4})-/.exec(name)?.[1]))).to.deep.equal(wanted);
    expect(titled.map(Number)).to.deep.equal(wanted);
  });

  it('has no default exports', () => {
    const offences = SOURCES.filter(({ text }) => /^export default/m.test(text));
    expect(offences.map(({ path }) => path)).to.deep.equal([]);
  });
});
