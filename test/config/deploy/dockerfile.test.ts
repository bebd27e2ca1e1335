/** Holds the Dockerfile to a linter, to what it must guarantee, and to what a process needs of the repository. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { z } from 'zod';
import { PACKAGE_ROOT, SETTINGS } from '../../../config/settings.ts';
import { CONFIGURATION_FILES } from '../../../gateway/configuration/load-configuration.ts';
import { readSources } from '../../support/source-files.ts';
import { DEPLOY, ENGINES, SCRIPTS } from './deployed.ts';

const TEXT = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
/** Instructions, with continued lines joined and comments left out. */
const INSTRUCTIONS = TEXT.replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll(/ +/g, ' '));
/** Those of the stage that becomes the image. */
const FINAL = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex((line) => line.startsWith('FROM ')));

/** What instructions of a kind say. */
function of(kind: string, instructions: readonly string[] = FINAL): string[] {
  return instructions
    .filter((line) => line.startsWith(`${kind} `))
    .map((line) => line.slice(kind.length + 1));
}

/** Whether a version is in a range of the forms that package.json uses. */
function satisfies(version: readonly number[], range: string): boolean {
  return range.split(' || ').some((part) => {
    const [, form, ...least] = /^(\^|>=)(\d+)\.(\d+)\.(\d+)$/.exec(part) ?? [];
    if (form === undefined) throw new Error(`engines: ${part} is of no form that is known here`);
    const below = least.map(Number).findIndex((number, place) => number !== version[place]);
    const isAtLeast = below === -1 || Number(least[below]) < Number(version[below]);
    return isAtLeast && (form === '>=' || Number(least[0]) === version[0]);
  });
}

/** Whether a path of the repository goes into the build, by the patterns of the ignore file; the last that fits decides. */
function isInContext(path: string): boolean {
  const lines = readFileSync(join(DEPLOY, 'Dockerfile.dockerignore'), 'utf8').split('\n');
  let isIn = true;
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const pattern = line.replace(/^!/, '');
    const fits =
      pattern === '*' ||
      path === pattern ||
      path.startsWith(`${pattern}/`) ||
      (pattern.startsWith('**/*') && path.endsWith(pattern.slice(4))) ||
      (pattern.startsWith('**/') && path.split('/').includes(pattern.slice(3)));
    if (fits) isIn = line.startsWith('!');
  }
  return isIn;
}

/** The instructions of each stage. */
function splitStages(): string[][] {
  const stages: string[][] = [];
  for (const line of INSTRUCTIONS) {
    if (line.startsWith('FROM ')) stages.push([]);
    stages.at(-1)?.push(line);
  }
  return stages;
}

/** Whether a module is one that only the build of the pages runs. */
function isOfPages(path: string): boolean {
  return path.startsWith('services/dashboard/');
}

/** The packages that a built file imports. */
function packagesOf(path: string): string[] {
  const text = readFileSync(join(PACKAGE_ROOT, 'dist', path), 'utf8');
  const named = [
    ...text.matchAll(/^(?:import|export)[^'"`]*?from ['"]([^'"]+)['"]|^import ['"]([^'"]+)['"]/gms),
  ];
  return named
    .map(([, from, alone]) => from ?? alone ?? '')
    .filter((target) => !/^(?:\.|node:)/.test(target))
    .map((target) => (/^(@[^/]+\/)?[^/]+/.exec(target) ?? [''])[0]);
}

/** The exit code of node with these arguments. */
async function runNode(args: readonly string[], environment: Record<string, string>): Promise<number | null> {
  const child = spawn(process.execPath, args, { env: environment, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('the Dockerfile', () => {
  it('passes its linter', () => {
    expect(validate(TEXT).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).to.deep.equal(
      [],
    );
    expect(validate('FROM node\nEXPOSE never\n')).to.have.length(1);
  });

  it('is built on one pinned Node, of a version that the package allows', () => {
    const bases = [...new Set(of('FROM', INSTRUCTIONS).map((text) => text.split(' ')[0]))];
    expect(bases).to.have.length(1);
    const version =
      /^node:(\d+)\.(\d+)\.(\d+)-[a-z]+-slim$/
        .exec(bases[0] ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    expect(version).to.have.length(3);
    expect(satisfies(version, ENGINES.node)).to.equal(true);
    expect([20, 18, 22].map((major) => satisfies([major, 19, 1], '^20.19.0 || >=22.12.0'))).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('runs what the build makes with what runs need: no packages of development, no sources, no tests', () => {
    const [build = [], dependencies = []] = splitStages().slice(0, 2);
    expect(build).to.include.members(['RUN npm ci --ignore-scripts', 'RUN npm run build']);
    expect(Object.keys(SCRIPTS)).to.include('build');
    expect(dependencies).to.include('RUN npm ci --omit=dev --ignore-scripts');
    expect(of('COPY').filter((line) => line.startsWith('--from='))).to.deep.equal([
      '--from=dependencies /app/node_modules ./node_modules',
      '--from=build /app/dist ./dist',
    ]);
    for (const folder of ['test', 'docs', '.git', '.data', 'config/deploy']) {
      expect(isInContext(folder), folder).to.equal(false);
    }
    expect(isInContext('config/deploy/secrets.json')).to.equal(false);
    expect(isInContext('services/query/README.md')).to.equal(false);
  });

  it('copies only what is there and goes into the build, and every file that a process reads', () => {
    const copied = INSTRUCTIONS.filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(' ').slice(1, -1))
      .filter((path) => path !== '.');
    for (const path of copied) {
      expect(existsSync(join(PACKAGE_ROOT, path)), path).to.equal(true);
      expect(isInContext(path), path).to.equal(true);
    }
    const final = of('COPY').flatMap((line) => line.split(' ').slice(0, -1));
    const needed = [
      ...CONFIGURATION_FILES.map((name) => `config/${name}`),
      'config/node.env',
      'package.json',
    ];
    const isCopied = (path: string) => final.some((one) => path === one || path.startsWith(`${one}/`));
    expect(needed.filter((path) => !isCopied(path))).to.deep.equal([]);
    for (const folder of ['gateway', 'plugins', 'services', 'config/settings.ts', 'tsconfig.json']) {
      expect(isInContext(folder), folder).to.equal(true);
    }
  });

  it('imports nothing at run time but dependencies of the package', () => {
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')));
    // The build makes tracker.js with a minifier and the pages with a bundler; no process does.
    const ofBuild =
      /^services\/(?:tracking\/script\/(?:main|build-tracker)|dashboard\/(?:build|client)\/.*)\.js$/;
    const foreign = ['config', 'gateway', 'plugins', 'services'].flatMap((folder) =>
      readdirSync(join(PACKAGE_ROOT, 'dist', folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name}`)
        .filter((path) => path.endsWith('.js') && !ofBuild.test(path))
        .flatMap((path) =>
          packagesOf(path)
            // In a text that writes an import, the package is yet to be filled in.
            .filter((name) => !(name in dependencies) && !name.includes('${'))
            .map((name) => `${path}: ${name}`),
        ),
    );
    expect(foreign).to.deep.equal([]);
    const users = ['config', 'gateway', 'plugins', 'services']
      .flatMap(readSources)
      .filter(({ path, imports }) => !path.startsWith('services/dashboard/') && imports.some(isOfPages));
    expect(users.map(({ path }) => path)).to.deep.equal([]);
    expect(packagesOf('gateway/process/run-process.js')).to.include('pino');
  });

  it('runs as a user that is not root, by number, and ends by SIGTERM', () => {
    expect(of('USER')).to.deep.equal(['1000:1000']);
    expect(of('STOPSIGNAL')).to.deep.equal(['SIGTERM']);
    // The arguments of a process, not a shell, so that the signal reaches it.
    expect(of('ENTRYPOINT')).to.deep.equal(['["node", "--env-file=config/node.env"]']);
    expect(of('CMD')).to.deep.equal(['["dist/gateway/process/main-gateway.js"]']);
    const user = INSTRUCTIONS.indexOf('USER 1000:1000');
    expect(INSTRUCTIONS.findLastIndex((line) => line.startsWith('RUN '))).to.be.below(user);
  });

  it('sets nothing but settings, and no secret', () => {
    const names = of('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')[0]));
    expect(names).to.have.members(['HOST', 'PORT', 'DATA_DIR']);
    expect(Object.keys(SETTINGS)).to.include.members(names);
    expect(of('ARG', INSTRUCTIONS)).to.deep.equal([]);
  });

  it('has a health check that a living process passes and a dead or failing one does not', async () => {
    const [, command = '[]'] = /CMD (\[.*\])$/.exec(of('HEALTHCHECK')[0] ?? '') ?? [];
    const [program, ...args] = z.array(z.string()).parse(JSON.parse(command));
    expect(program).to.equal('node');
    const asked: (string | undefined)[] = [];
    let status = 200;
    const server = createServer((req, res) => {
      asked.push(req.url);
      res.writeHead(status).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const check = () => runNode(args, { PORT: String(port) });
    expect(await check()).to.equal(0);
    status = 503;
    expect(await check()).to.equal(1);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await check()).to.equal(1);
    expect(asked).to.deep.equal(['/health', '/health']);
  });
});
