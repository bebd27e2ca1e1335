/** Compares the backends, plugins and the listener of two configurations, and marks what trusts more or protects less. */
import { createHash } from 'node:crypto';
import type { ServiceEndpoint } from '../../../services/shared/plans/service-endpoint.ts';
import type { Configuration } from '../configuration.ts';
import { type Change, canonical, compareNamed, type Parts, shown } from './change.ts';

export function diffBackends(before: Configuration, after: Configuration): Change[] {
  const [old, next] = withoutRenamed(services(before), services(after));
  return [
    ...compareNamed('upstream', old, next, partsOfService, dangersOfService),
    ...compareNamed('plugin', plugins(before), plugins(after), partsOfPlugin, () => []),
    ...compareNamed('listener', listener(before), listener(after), (parts) => parts, dangersOfListener),
  ];
}

interface Backend extends ServiceEndpoint {
  /** What it says of itself, as text; null: it has no document. */
  readonly openapi: string | null;
}
type Services = Map<string, Backend>;

function services({ serviceEndpoints, backendDocuments }: Configuration): Services {
  return new Map(
    Object.entries(serviceEndpoints).map(([name, service]) => {
      const { file: _, ...document } = backendDocuments.get(name) ?? { file: null };
      const openapi = backendDocuments.has(name)
        ? `${backendDocuments.get(name)?.title}, ${digestOf(document)}`
        : null;
      return [name, { ...service, openapi }];
    }),
  );
}

/** Tells two documents apart without showing either. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 12);
}

/** Another name for the same backend is no change: nobody but the file knows it. */
function withoutRenamed(before: Services, after: Services): readonly [Services, Services] {
  const [gone, come] = [onlyIn(before, after), onlyIn(after, before)];
  const old = new Map(before);
  const next = new Map(after);
  for (const [name, service] of gone) {
    const same = come.findIndex(
      ([, other]) => canonical(partsOfService(other)) === canonical(partsOfService(service)),
    );
    const [renamed] = same === -1 ? [] : come.splice(same, 1);
    if (renamed === undefined) continue;
    old.delete(name);
    next.delete(renamed[0]);
  }
  return [old, next];
}

function onlyIn(one: Services, other: Services): [string, Backend][] {
  return [...one].filter(([name]) => !other.has(name));
}

function partsOfService({ tls, ...service }: Backend): Parts {
  const parts = Object.entries({ ...service, dropHeaders: [...service.dropHeaders].sort() }).map(
    ([part, value]) => [part, shown(value)],
  );
  return {
    ...Object.fromEntries(parts),
    tls: tls === null ? null : `own${tls.servername === null ? '' : `, for ${tls.servername}`}`,
  };
}

function dangersOfService(before: ServiceEndpoint | undefined, after: ServiceEndpoint | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  const dangers: string[] = [];
  if (before.identity !== null && after.identity === null) dangers.push('no longer learns who calls');
  if (before.identity !== 'headers' && before.identity !== null && after.identity === 'headers')
    dangers.push('learns who calls from headers that it cannot verify');
  if (canonical(before.audience) !== canonical(after.audience))
    dangers.push('gets the identity of another service');
  const passed = before.dropHeaders.filter((name) => !after.dropHeaders.includes(name));
  if (passed.length > 0) dangers.push(`clients may now send it ${passed.join(', ')}`);
  const isPlain = ({ urls }: ServiceEndpoint) => urls.some((url) => url.startsWith('http:'));
  if (!isPlain(before) && isPlain(after)) dangers.push('is now spoken to without TLS');
  return dangers;
}

function plugins({ plugins: list, directory }: Configuration): Map<string, Configuration['plugins'][number]> {
  const relative = (manifest: string) => manifest.replace(directory, '.');
  return new Map(list.map((plugin) => [plugin.name, { ...plugin, package: relative(plugin.package) }]));
}

function partsOfPlugin({ package: from, policies }: Configuration['plugins'][number]): Parts {
  return { manifest: from, policies: [...policies].sort().join(', ') || null };
}

/** The listener, and each certificate or key that anything uses. */
function listener({ https, tlsFiles, directory }: Configuration): Map<string, Parts> {
  const own = {
    tls: https === null ? 'off' : 'on',
    hstsSeconds: shown(https?.hstsSeconds)?.toString() ?? null,
  };
  const files = [...tlsFiles].map(
    ([file, digest]) => [file.replace(directory, '.'), { digest: digest.slice(0, 12) }] as const,
  );
  return new Map<string, Parts>([['listener', own], ...files]);
}

function dangersOfListener(before: Parts | undefined, after: Parts | undefined): string[] {
  return before?.tls === 'on' && after?.tls === 'off' ? ['speaks plain HTTP from now on'] : [];
}
