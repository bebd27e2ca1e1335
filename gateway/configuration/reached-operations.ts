/** Which operations of a backend's document clients can ask for, and by which paths: found by trying, as requests would go. */
import type { BackendDocument, BackendOperation } from './backend-document.ts';
import type { ApiEndpoint, CheckedFiles, PipelineStep } from './configuration.ts';
import { answeringEndpoint } from './explain.ts';
import { matches, type PathPattern, parsePath } from './path-patterns.ts';

/** An operation at a path of the gateway. */
export interface ReachedOperation extends BackendOperation {
  /** With the parameters of the operation, such as `/shop/orders/{id}`. */
  readonly clientPath: string;
  readonly endpoint: ApiEndpoint;
}

/** Values that stand for the parameters of a path: words, numbers or UUIDs, as the form of an endpoint's parameters may be. */
const SAMPLES: readonly ((index: number) => string)[] = [
  (index) => `sample${index}`,
  (index) => `${1_000_001 + index}`,
  (index) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
];
const PARAMETER = /\{[^}]*\}/g;

/**
 * The operations of the backend `service` that an endpoint reaches. For each, the paths are tried that begin as a path of the
 * endpoint and end as the operation's: one counts when the gateway hands it to this endpoint, and what the policies of its
 * pipeline make of it is the operation's path. Endpoints on a host or under an expression are not tried.
 */
export function reachedOperations(
  configuration: CheckedFiles,
  service: string,
  { operations }: BackendDocument,
): ReachedOperation[] {
  const found: ReachedOperation[] = [];
  for (const endpoint of configuration.endpoints) {
    const isPlain = endpoint.host === null && endpoint.hostRegex === null && endpoint.pathRegex === null;
    const steps = configuration.pipelines.find(({ name }) => name === endpoint.pipeline)?.steps ?? [];
    if (!isPlain || !steps.some((step) => asks(step, service))) continue;
    for (const pattern of endpoint.paths.map(parsePath)) {
      for (const operation of operations) {
        const clientPath = pathTo(operation, pattern, { configuration, endpoint, steps });
        if (clientPath !== null) found.push({ ...operation, clientPath, endpoint });
      }
    }
  }
  return found;
}

function asks({ policy, parameters }: PipelineStep, service: string): boolean {
  return policy === 'proxy' && parameters.serviceEndpoint === service;
}

interface Way {
  readonly configuration: CheckedFiles;
  readonly endpoint: ApiEndpoint;
  readonly steps: readonly PipelineStep[];
}

/** The path by which clients ask for an operation through this path of the endpoint; null: by none. */
function pathTo({ path, method }: BackendOperation, pattern: PathPattern, way: Way): string | null {
  const { configuration, endpoint, steps } = way;
  const segments = path.slice(1).split('/');
  const begin = fixedPart(pattern);
  for (let from = 0; from <= segments.length; from++) {
    const rest = segments.slice(from);
    const clientPath = `${begin}${rest.map((segment) => `/${segment}`).join('')}` || '/';
    for (const sample of SAMPLES) {
      const asked = withSamples(clientPath, path, sample);
      if (!matches(pattern, asked)) break;
      if (targetOf(configuration, steps, asked) !== withSamples(path, path, sample)) continue;
      if (answeringEndpoint(configuration, method.toUpperCase(), asked) === endpoint) return clientPath;
    }
  }
  return null;
}

/** The segments before the first parameter. */
function fixedPart({ segments }: PathPattern): string {
  let text = '';
  for (const segment of segments) {
    if (segment.kind !== 'text') break;
    text += `/${segment.text}`;
  }
  return text === '/' ? '' : text;
}

/** `text` with a sample for each parameter, the same for the same one of `path`. */
function withSamples(text: string, path: string, sample: (index: number) => string): string {
  const names: readonly string[] = path.match(PARAMETER) ?? [];
  return text.replace(PARAMETER, (name) => sample(names.indexOf(name)));
}

/** The path that the backend gets; null: the request does not come there. */
function targetOf({ rewriters }: CheckedFiles, steps: readonly PipelineStep[], path: string): string | null {
  let target: string | null = path;
  for (const { policy, parameters } of steps) {
    const rewrite = rewriters.get(policy);
    if (rewrite !== undefined && target !== null) target = rewrite(parameters, target);
  }
  return target?.split('?', 1)[0] ?? null;
}
