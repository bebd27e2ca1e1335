/** The files of config/deploy, read: every container that runs Tidegate, in one shape for compose and Kubernetes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { PACKAGE_ROOT } from '../../../config/settings.ts';

export const DEPLOY = join(PACKAGE_ROOT, 'config/deploy');
export const KUBERNETES = join(DEPLOY, 'kubernetes');

export const {
  version: VERSION,
  scripts: SCRIPTS,
  engines: ENGINES,
  bin: BIN,
} = z
  .object({
    version: z.string(),
    scripts: z.record(z.string(), z.string()),
    engines: z.object({ node: z.string() }),
    bin: z.object({ tidegate: z.string() }),
  })
  .parse(JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')));

/** A container of the image of Tidegate. */
export interface DeployedProcess {
  /** The file, and the name in it. */
  readonly where: string;
  readonly image: string;
  /** What follows the entry point of the image. */
  readonly args: readonly string[];
  /** Its settings; what comes from a Secret or from .env stands as a text of the right form. */
  readonly environment: Readonly<Record<string, string>>;
}

const composeService = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.record(z.string(), z.unknown()).optional(),
  ports: z.array(z.string()).optional(),
  networks: z.array(z.string()),
  secrets: z.array(z.string()).optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
  stop_grace_period: z.string().optional(),
});
export type ComposeService = z.infer<typeof composeService>;

/** docker-compose.yml with its anchors put in. */
export const COMPOSE = z
  .object({
    services: z.record(z.string(), composeService),
    networks: z.record(z.string(), z.object({ internal: z.boolean().optional() })),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parse(readFileSync(join(DEPLOY, 'docker-compose.yml'), 'utf8'), { merge: true }));

/** Texts with the default of each variable put in, as compose does; what has none gets `x`. */
function interpolated(environment: Readonly<Record<string, string>>): Record<string, string> {
  const fill = (text: string) =>
    text.replaceAll(
      /\$\{\w+(?::-([^}]*)|:\?[^}]*)?\}/g,
      (_, fallback: string | undefined) => fallback ?? 'x',
    );
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]));
}

/** Those of docker-compose.yml. */
export const COMPOSE_PROCESSES: readonly DeployedProcess[] = Object.entries(COMPOSE.services)
  .filter(([, { image }]) => image.startsWith('tidegate:'))
  .map(([name, { image, command = [], environment = {} }]) => ({
    where: `docker-compose.yml ${name}`,
    image,
    args: command,
    environment: interpolated(environment),
  }));

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
const container = z.object({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).optional(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).optional(),
  envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))),
  startupProbe: probe.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.array(z.string()) }) }) }).optional(),
  securityContext: z.record(z.string(), z.unknown()),
  resources: z.record(z.enum(['requests', 'limits']), z.object({ cpu: z.string(), memory: z.string() })),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
});
export const podSpec = z.object({
  containers: z.array(container).length(1),
  terminationGracePeriodSeconds: z.number().optional(),
  automountServiceAccountToken: z.boolean(),
  securityContext: z.record(z.string(), z.unknown()),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const resource = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z.looseObject({}).optional(),
  data: z.record(z.string(), z.string()).optional(),
});
export type Resource = z.infer<typeof resource> & { readonly file: string };

export const KUBERNETES_FILES = readdirSync(KUBERNETES).filter((name) => name !== 'kustomization.yaml');

/** Every resource of every file. */
export const RESOURCES: readonly Resource[] = KUBERNETES_FILES.flatMap((file) =>
  // As Kubernetes reads it: version 1.1, in which 0440 is octal.
  parseAllDocuments(readFileSync(join(KUBERNETES, file), 'utf8'), { version: '1.1' }).map((document) => ({
    ...resource.parse(document.toJS()),
    file,
  })),
);

/** Those of a kind. */
export function ofKind(kind: string): readonly Resource[] {
  return RESOURCES.filter((one) => one.kind === kind);
}

/** The pod of a Deployment or Job. */
export function podOf(owner: Resource): z.infer<typeof podSpec> {
  return z.object({ template: z.object({ spec: podSpec }) }).parse(owner.spec).template.spec;
}

/** What the Secret tidegate-stores holds by docs/deployment.md, with made-up values. */
const STORES = { MONGODB_URI: 'mongodb://a,b,c/tidegate?replicaSet=rs0', REDIS_URL: 'rediss://redis:6379' };

/** Those of the Deployments and Jobs. */
export const KUBERNETES_PROCESSES: readonly DeployedProcess[] = RESOURCES.filter(({ kind }) =>
  ['Deployment', 'Job'].includes(kind),
).flatMap((owner) =>
  podOf(owner).containers.map(({ name, image, args = [], env = [], envFrom }) => ({
    where: `${owner.file} ${name}`,
    image,
    args,
    environment: {
      ...Object.assign({}, ...envFrom.map(sourceOf)),
      ...Object.fromEntries(env.map((one) => [one.name, one.value])),
    },
  })),
);

function sourceOf(from: Readonly<Record<string, { readonly name: string }>>): Record<string, string> {
  const { configMapRef, secretRef } = from;
  if (secretRef?.name === 'tidegate-stores') return STORES;
  const found = ofKind('ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
  if (found?.data === undefined) throw new Error(`${JSON.stringify(from)} is nowhere declared`);
  return found.data;
}
