/** Holds the Kubernetes files to their schemas and to what they must guarantee. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { CONFIGURATION_FILES } from '../../../gateway/configuration/load-configuration.ts';
import { healthRoutes } from '../../../gateway/serve/health-routes.ts';
import { GRACE_MS } from '../../../gateway/serve/http/listen.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { KUBERNETES, KUBERNETES_FILES, ofKind, podOf, RESOURCES, type Resource } from './deployed.ts';
import { requireValidator, validateFiles } from './kubernetes-validate.ts';

/** The oldest and the newest version that the files are judged by. */
const VERSIONS = ['1.30', '1.37'];
const DEPLOYMENTS = ofKind('Deployment');
const DEPLOYED = ['gateway', 'query', 'resources', 'tracking'];

const nameOf = ({ metadata }: Resource) => metadata.name;
/** The resource of a kind that is for a Deployment of this name. */
const forName = (kind: string, name: string) => ofKind(kind).find((one) => nameOf(one) === name);

describe('the Kubernetes files', () => {
  for (const version of VERSIONS) {
    it(`are valid by the schemas of Kubernetes ${version}, without a field that these do not know`, async function () {
      const validator = requireValidator(this);
      const files = KUBERNETES_FILES.map((name) => join(KUBERNETES, name));
      const { exitCode, text } = await validateFiles(validator, version, files);
      expect(exitCode, text).to.equal(0);
      expect(text.match(/ passed for resource /g)).to.have.length(RESOURCES.length);
    });
  }

  it('would not be valid with a misspelt field', async function () {
    const validator = requireValidator(this);
    const folder = createTempDirectory();
    try {
      const text = readFileSync(join(KUBERNETES, 'query.yaml'), 'utf8');
      writeFileSync(
        folder.file('query.yaml'),
        text.replace('readOnlyRootFilesystem', 'readonlyRootFilesystem'),
      );
      const { exitCode } = await validateFiles(validator, '1.30', [folder.file('query.yaml')]);
      expect(exitCode).to.not.equal(0);
    } finally {
      folder.remove();
    }
  });

  it('deploy the gateway and each service, all in one namespace, all named by the kustomization', () => {
    expect(DEPLOYMENTS.map(nameOf).sort()).to.deep.equal(DEPLOYED);
    for (const { kind, metadata } of RESOURCES.filter((one) => one.kind !== 'Namespace')) {
      expect(metadata.namespace, `${kind} ${metadata.name}`).to.equal('tidegate');
    }
    const { resources } = parse(readFileSync(join(KUBERNETES, 'kustomization.yaml'), 'utf8'));
    expect(resources).to.have.members(KUBERNETES_FILES);
  });

  it('ask every process whether it started, is ready and lives, at paths that are served', () => {
    const served = healthRoutes.map(({ path }) => path);
    for (const deployment of DEPLOYMENTS) {
      const [container] = podOf(deployment).containers;
      const { startupProbe, readinessProbe, livenessProbe, ports } = container ?? {};
      const paths = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet.path);
      // A gateway stays in service when one service or store fails: what does not need it goes on.
      const ready = nameOf(deployment) === 'gateway' ? '/health' : '/health/ready';
      expect(paths, nameOf(deployment)).to.deep.equal(['/health/ready', ready, '/health']);
      expect(served).to.include.members(paths);
      expect(ports).to.have.length(1);
    }
  });

  it('reach each process by a Service of its name at the port where it listens', () => {
    for (const deployment of DEPLOYMENTS) {
      const service = forName('Service', nameOf(deployment));
      expect(service?.spec?.ports, nameOf(deployment)).to.have.length(1);
      const [container] = podOf(deployment).containers;
      const port = container?.env?.find(({ name }) => name === 'PORT')?.value;
      expect(container?.ports).to.deep.equal([{ name: 'http', containerPort: Number(port) }]);
      const published = nameOf(deployment) === 'gateway' ? 80 : Number(port);
      expect(service?.spec?.ports).to.deep.equal([{ name: 'http', port: published, targetPort: 'http' }]);
      expect(service?.spec?.type).to.equal('ClusterIP');
      expect(service?.spec?.selector).to.deep.equal(labelsOf(deployment));
    }
  });

  it('let pods finish what is in flight, and take none away before another is ready', () => {
    for (const deployment of DEPLOYMENTS) {
      const { terminationGracePeriodSeconds: grace = 0, containers } = podOf(deployment);
      const [, seconds] = containers[0]?.lifecycle?.preStop.exec.command ?? [];
      expect(grace * 1_000, nameOf(deployment)).to.be.at.least(Number(seconds) * 1_000 + GRACE_MS);
      expect(deployment.spec?.strategy).to.deep.equal({
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
      });
      const budget = forName('PodDisruptionBudget', nameOf(deployment))?.spec;
      expect(budget).to.deep.equal({ maxUnavailable: 1, selector: { matchLabels: labelsOf(deployment) } });
    }
  });

  it('scale what carries load, and keep at least two of everything', () => {
    const scaled = ofKind('HorizontalPodAutoscaler').map(nameOf).sort();
    expect(scaled).to.deep.equal(['gateway', 'query', 'tracking']);
    for (const deployment of DEPLOYMENTS) {
      const scaler = forName('HorizontalPodAutoscaler', nameOf(deployment))?.spec;
      // A number of replicas beside a scaler would set it back at each apply.
      expect(deployment.spec?.replicas, nameOf(deployment)).to.equal(scaler ? undefined : 2);
      if (!scaler) continue;
      expect(scaler.minReplicas).to.equal(2);
      expect(scaler.scaleTargetRef).to.deep.equal({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: nameOf(deployment),
      });
    }
  });

  it('give no pod more rights than it needs, and each a measure of what it may use', () => {
    for (const owner of [...DEPLOYMENTS, ...ofKind('Job')]) {
      const pod = podOf(owner);
      expect(pod.automountServiceAccountToken, nameOf(owner)).to.equal(false);
      expect(pod.securityContext).to.deep.equal({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [container] = pod.containers;
      expect(container?.securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(container?.resources ?? {})).to.deep.equal(['requests', 'limits']);
    }
    const namespace = RESOURCES.find(({ kind }) => kind === 'Namespace');
    expect(namespace?.metadata.labels).to.include({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it('mount the whole configuration, the secrets for the group alone, and folders that may be written', () => {
    for (const owner of [...DEPLOYMENTS, ...ofKind('Job')]) {
      const { volumes, containers } = podOf(owner);
      const byName = Object.fromEntries(volumes.map(({ name, ...source }) => [name, source]));
      const items = CONFIGURATION_FILES.map((path) => ({ key: path.replace(/^models\//, ''), path }));
      const { configMap } = byName.configuration as { configMap: { name: string; items: object[] } };
      expect(configMap.name).to.equal('tidegate-configuration');
      expect(configMap.items).to.have.deep.members(items);
      expect(byName.secrets).to.deep.equal({
        secret: { secretName: 'tidegate-secrets', defaultMode: 0o440 },
      });
      const mounts = Object.fromEntries(
        (containers[0]?.volumeMounts ?? []).map(({ name, mountPath }) => [
          mountPath,
          Object.keys(byName[name] ?? {}),
        ]),
      );
      expect(mounts).to.deep.equal({
        '/etc/tidegate': ['configMap'],
        '/run/secrets/tidegate': ['secret'],
        '/data': ['emptyDir'],
        '/tmp': ['emptyDir'],
      });
    }
  });

  it('let nobody in but clients to the gateway, and the gateway to each service', () => {
    const policies = ofKind('NetworkPolicy');
    const closed = policies.find(({ spec }) => JSON.stringify(spec?.podSelector) === '{}')?.spec;
    expect(closed).to.deep.equal({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const entries = policies.flatMap(({ spec }) => {
      const { ingress = [], podSelector } = spec as { ingress?: Entry[]; podSelector: Selector };
      return ingress.map(({ from, ports }) => [
        componentOf(podSelector),
        from?.map((one) => componentOf(one.podSelector)) ?? 'anybody',
        ports.map(({ port }) => port),
      ]);
    });
    expect(entries).to.have.deep.members([
      ['gateway', 'anybody', [8080]],
      ['query', ['gateway'], [4001]],
      ['tracking', ['gateway'], [4002]],
      ['resources', ['gateway'], [4003]],
    ]);
  });

  it('come with the commands that make what they refer to', () => {
    const guide = readFileSync(join(PACKAGE_ROOT, 'docs/deployment.md'), 'utf8');
    for (const command of [
      'create secret generic tidegate-secrets',
      'create secret generic tidegate-stores',
      'create configmap tidegate-configuration',
    ]) {
      expect(guide).to.include(command);
    }
    for (const name of CONFIGURATION_FILES) expect(guide).to.include(`--from-file=config/${name}`);
  });
});

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
}
interface Entry {
  readonly from?: readonly { readonly podSelector: Selector }[];
  readonly ports: readonly { readonly port: number }[];
}

function componentOf({ matchLabels = {} }: Selector): string | undefined {
  return matchLabels['app.kubernetes.io/component'];
}

/** By which everything finds the pods of a Deployment. */
function labelsOf(deployment: Resource): Record<string, string> {
  return { 'app.kubernetes.io/name': 'tidegate', 'app.kubernetes.io/component': nameOf(deployment) };
}
