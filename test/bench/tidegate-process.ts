/** Starts Tidegate for the benches, on the shipped configuration: the embedded server, or a gateway alone before the bench's upstream. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type BenchProcesses, type RunningProcess, untilReady } from './bench-processes.ts';
import { MissingRequirement } from './target.ts';

export interface TidegateOptions {
  readonly processes: BenchProcesses;
  /** Root of the project. */
  readonly root: string;
  /** Of its own, for the stores and the provisioning file; made when it is not there. */
  readonly folder: string;
  /** The provisioning file's text. */
  readonly provisioning: string;
  readonly processor: number | null;
  /** Further arguments of node, such as `--cpu-prof`. */
  readonly nodeArguments?: readonly string[];
  /** Further settings, by their names in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RunningTidegate {
  readonly url: string;
  readonly process: RunningProcess;
}

/** Starts the embedded server and waits until it is ready. @throws MissingRequirement before a build */
export async function startEmbedded(options: TidegateOptions): Promise<RunningTidegate> {
  mkdirSync(options.folder, { recursive: true });
  const PROVISION_FILE = path.join(options.folder, 'provision.yml');
  writeFileSync(PROVISION_FILE, options.provisioning, { mode: 0o600 });
  return startScript('start', options, { PROVISION_FILE });
}

/**
 * Starts a gateway alone whose services are all at `upstreamUrl`. What it reads itself, organizations, keys and secrets, an
 * embedded server makes before, which has ended by then.
 * @throws MissingRequirement before a build
 */
export async function startGatewayAlone(
  options: TidegateOptions & { readonly upstreamUrl: string },
): Promise<RunningTidegate> {
  const { upstreamUrl } = options;
  const { process } = await startEmbedded({ ...options, nodeArguments: [] });
  await process.stop();
  return startScript('start:gateway', options, {
    QUERY_URL: upstreamUrl,
    TRACKING_URL: upstreamUrl,
    RESOURCES_URL: upstreamUrl,
  });
}

/** Runs node as a script of package.json does, and waits until it answers. @throws MissingRequirement before a build */
export async function startScript(
  script: string,
  options: TidegateOptions,
  settings: Readonly<Record<string, string>>,
): Promise<RunningTidegate> {
  const { processes, root, folder, processor, nodeArguments = [] } = options;
  const nodeCommand = commandOf(root, script);
  const program = nodeCommand.at(-1) ?? '';
  if (!existsSync(path.join(root, program))) {
    throw new MissingRequirement(`${program} is missing; run "npm run build" first.`);
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await processes.start(process.execPath, [...nodeArguments, ...nodeCommand], {
    processor,
    cwd: root,
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      LOG_LEVEL: 'error',
      ...settings,
      ...options.settings,
    },
  });
  await untilReady(`${url}/health`, running);
  return { url, process: running };
}

/** The arguments of node in a script, the program last. @throws Error when the script starts something else */
function commandOf(root: string, script: string): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [exec, node, ...rest] = String(scripts[script]).split(' ');
  if (exec !== 'exec' || node !== 'node' || rest.length === 0) {
    throw new Error(`package.json: "${script}" is not "exec node …": ${scripts[script]}`);
  }
  return rest;
}
