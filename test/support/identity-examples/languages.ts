/** How the examples of docs/identity.md are built and run, by language. */
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import type { TempDirectory } from '../temp-directory.ts';

const PYTHON = join(PACKAGE_ROOT, '.venv/bin/python');
const JARS = join(PACKAGE_ROOT, '.jose4j');

export interface Language {
  /** The word after the fence. */
  readonly fence: string;
  /** What a machine needs to run it; null: it is there. */
  missing(): string | null;
  /** Writes the example into a folder; the command that runs it there. */
  prepare(text: string, folder: TempDirectory): readonly [string, ...string[]];
}

const runs = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** The file, with the example in it. */
const write = (folder: TempDirectory, name: string, text: string): string => {
  writeFileSync(folder.file(name), text);
  return folder.file(name);
};

/** Each runs its example as a server at PORT that reads the keys at JWKS_URL. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  TypeScript: {
    fence: 'ts',
    missing: () => null,
    prepare(text, folder) {
      symlinkSync(join(PACKAGE_ROOT, 'node_modules'), folder.file('node_modules'));
      const source = write(folder, 'orders.mts', text);
      const compiler = join(PACKAGE_ROOT, 'node_modules/typescript/bin/tsc');
      const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node'];
      execFileSync(process.execPath, [compiler, ...options, source], { cwd: folder.path });
      return [process.execPath, folder.file('orders.mjs')];
    },
  },
  Python: {
    fence: 'python',
    missing: () =>
      existsSync(PYTHON) && runs(PYTHON, '-c', 'import jwt, cryptography')
        ? null
        : 'PyJWT (python3 -m venv .venv && .venv/bin/pip install -r test/support/identity-examples/requirements.txt)',
    prepare: (text, folder) => [PYTHON, write(folder, 'orders.py', text)],
  },
  Go: {
    fence: 'go',
    missing: () => (runs('go', 'version') ? null : 'go (apt-get install -y golang-go)'),
    prepare(text, folder) {
      // Built, so that to end the program is to end the backend.
      const source = write(folder, 'main.go', text);
      execFileSync('go', ['build', '-o', folder.file('orders'), source], {
        env: { ...process.env, GO111MODULE: 'off' },
      });
      return [folder.file('orders')];
    },
  },
  Java: {
    fence: 'java',
    missing: () =>
      existsSync(JARS) && runs('java', '-version')
        ? null
        : 'Java 17 and `mvn -f test/support/identity-examples dependency:copy-dependencies`',
    prepare(text, folder) {
      const classes = [join(JARS, '*'), folder.path].join(delimiter);
      execFileSync('javac', ['-cp', classes, '-d', folder.path, write(folder, 'Orders.java', text)]);
      return ['java', '-cp', classes, 'Orders'];
    },
  },
};
