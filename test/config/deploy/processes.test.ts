/** Holds the deployment files to the product: what they start exists, what they set is a setting, what they call listens. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect } from 'chai';
import { loadSettings, PACKAGE_ROOT, SETTINGS } from '../../../config/settings.ts';
import { createProgram } from '../../../gateway/cli/create-program.ts';
import {
  BIN,
  COMPOSE,
  COMPOSE_PROCESSES,
  DEPLOY,
  type DeployedProcess,
  KUBERNETES_PROCESSES,
  ofKind,
  SCRIPTS,
  VERSION,
} from './deployed.ts';

const PROCESSES = [...COMPOSE_PROCESSES, ...KUBERNETES_PROCESSES];
const SERVICES = ['query', 'tracking', 'resources'] as const;
const PORTS = { gateway: '8080', query: '4001', tracking: '4002', resources: '4003' } as const;

/** `gateway` of `dist/gateway/process/main-gateway.js`. */
function kindOf({ args }: DeployedProcess): string {
  return (
    /^dist\/gateway\/process\/main-([a-z]+)\.js$/.exec(
      args[0] ?? 'dist/gateway/process/main-gateway.js',
    )?.[1] ?? 'command'
  );
}

describe('what is deployed', () => {
  it('is every process, by compose and on Kubernetes: each service and the gateway, and the migration', () => {
    const kinds = (processes: readonly DeployedProcess[]) => [...new Set(processes.map(kindOf))].sort();
    const expected = ['command', 'gateway', 'query', 'resources', 'tracking'];
    expect(kinds(COMPOSE_PROCESSES)).to.deep.equal(expected);
    expect(kinds(KUBERNETES_PROCESSES)).to.deep.equal(expected);
  });

  it('starts each process by what `npm run start:…` runs, and only files that the build makes', () => {
    for (const one of PROCESSES.filter((process) => kindOf(process) !== 'command')) {
      const [main = 'dist/gateway/process/main-gateway.js', ...further] = one.args;
      expect(further, one.where).to.deep.equal([]);
      expect(SCRIPTS[`start:${kindOf(one)}`], one.where).to.equal(
        `exec node --env-file=config/node.env ${main}`,
      );
      expect(existsSync(join(PACKAGE_ROOT, main)), main).to.equal(true);
    }
  });

  it('runs commands that the command line has', async () => {
    const silent = { out: () => undefined, error: () => undefined };
    const commands = (await createProgram(silent)).commands.map((command) => command.name());
    const running = PROCESSES.filter((process) => kindOf(process) === 'command');
    expect(running).to.have.length(2);
    for (const { where, args } of running) {
      expect(args[0], where).to.equal(normalize(BIN.tidegate));
      expect(commands, where).to.include(args[1]);
    }
  });

  it('sets nothing but settings, all of them as they are allowed', () => {
    for (const { where, environment } of PROCESSES) {
      expect(Object.keys(SETTINGS), where).to.include.members(Object.keys(environment));
      expect(() => loadSettings(environment), where).to.not.throw();
    }
  });

  it('gives every process the stores and the secrets file', () => {
    for (const { where, environment } of PROCESSES) {
      const settings = loadSettings(environment);
      expect(settings.mongodbUri, where).to.not.equal(null);
      expect(settings.redis, where).to.not.equal(null);
      expect(settings.secretsFile, where).to.match(/^\/run\/secrets\/tidegate/);
    }
  });

  it('lets each process listen on its own port, and the gateway call it there', () => {
    for (const one of PROCESSES.filter((process) => kindOf(process) !== 'command')) {
      expect(one.environment.PORT, one.where).to.equal(PORTS[kindOf(one) as keyof typeof PORTS]);
    }
    const names = {
      compose: Object.keys(COMPOSE.services),
      kubernetes: ofKind('Service').map(({ metadata }) => metadata.name),
    };
    const gateways = { compose: COMPOSE_PROCESSES, kubernetes: KUBERNETES_PROCESSES };
    for (const by of ['compose', 'kubernetes'] as const) {
      const gateway = gateways[by].find((process) => kindOf(process) === 'gateway');
      for (const service of SERVICES) {
        const text = gateway?.environment[`${service.toUpperCase()}_URL`] ?? '';
        const called = text.split(',').map((url) => new URL(url));
        expect(called, text).to.have.length(by === 'compose' ? 2 : 1);
        for (const { hostname, port } of called) {
          expect(names[by]).to.include(hostname);
          expect(hostname).to.match(new RegExp(`^${service}(-\\d)?$`));
          expect(port).to.equal(PORTS[service]);
        }
      }
    }
  });

  it('is the version of the package', () => {
    for (const { where, image } of PROCESSES) {
      expect([`tidegate:${VERSION}`, `tidegate:\${TIDEGATE_TAG:-${VERSION}}`], where).to.include(image);
    }
    const [job] = ofKind('Job');
    expect(job?.metadata.name).to.equal(`migrate-${VERSION.replaceAll('.', '-')}`);
    const kustomization = readFileSync(join(DEPLOY, 'kubernetes/kustomization.yaml'), 'utf8');
    expect(kustomization).to.include(`newTag: ${VERSION}\n`);
  });

  it('holds no secret in any file, and names none that a repository could take in', () => {
    const files = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$|file$/.test(name),
    );
    expect(files).to.include.members(['Dockerfile', 'docker-compose.yml', 'kubernetes/settings.yaml']);
    for (const name of files.filter((file) => file !== '.env' && file !== 'secrets.json')) {
      const text = readFileSync(join(DEPLOY, name), 'utf8').replaceAll(/^\s*(?:#|\/\/|\/\*\*).*$/gm, '');
      // A password or key that is written out, in an assignment or before the @ of an address.
      const written =
        /(?:password|passwd|secret|token|api_?key)["']?\s*[:=]\s*["']?(?![$"'\s]|MONGODB_PASSWORD\b)[\w+/-]{3,}/gi;
      expect(
        text.match(written)?.filter((match) => !/secretName|secretRef|Token: false/.test(match)) ?? [],
        name,
      ).to.deep.equal([]);
      expect(text.match(/:\/\/[^\s/@]*:[^\s/@$]+@/g) ?? [], name).to.deep.equal([]);
      expect(text, name).to.not.match(/kind: Secret\b/);
    }
    const ignored = readFileSync(join(PACKAGE_ROOT, '.gitignore'), 'utf8').split('\n');
    const guides = ['docs/processes.md', 'docs/deployment.md'].map((file) =>
      readFileSync(join(PACKAGE_ROOT, file), 'utf8'),
    );
    const made = [...guides.join('\n').matchAll(/^ {4}npx tidegate secrets create (\S+\.json)$/gm)];
    expect(made).to.have.length.of.at.least(3);
    expect(ignored).to.include.members(['config/deploy/.env', ...made.map(([, file]) => file)]);
  });
});
