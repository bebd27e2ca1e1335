/** Modules of the dashboard's pages in a test without a browser: bundled as the pages are, with the globals that they use. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { PACKAGE_ROOT } from '../../config/settings.ts';

const CLIENT = join(PACKAGE_ROOT, 'services/dashboard/client');
const bundles = new Map<string, Promise<string>>();
let loads = 0;

async function bundled(file: string): Promise<string> {
  const bundle = await rolldown({
    input: join(CLIENT, file),
    tsconfig: join(CLIENT, 'tsconfig.json'),
    platform: 'browser',
    transform: { target: 'es2022' },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** A module with everything that it imports, anew each time: it shares no state with another. `file` is below `client/`. */
export async function loadClientModule<T>(file: string): Promise<T> {
  const code = bundles.get(file) ?? bundled(file);
  bundles.set(file, code);
  const text = `${await code}\n// ${++loads}`;
  return (await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)) as T;
}

/** Sets globals for a test; what it returns puts back those that were there. */
export function withGlobals(globals: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(globals).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
}
