/** Holds docker-compose.yml to a linter and to what it must guarantee. */

import { join } from 'node:path';
import { expect } from 'chai';
import { DCLinter } from 'dclint';
import { COMPOSE, COMPOSE_PROCESSES, type ComposeService, DEPLOY } from './deployed.ts';

const SERVICES: readonly (readonly [string, ComposeService])[] = Object.entries(COMPOSE.services);
const OWN = SERVICES.filter(([, { image }]) => image.startsWith('tidegate:'));
/** Runs once and ends. */
const ONCE = ['migrate', 'mongodb-init'];

describe('docker-compose.yml', () => {
  it('passes its linter without error and warning', () => {
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
    const [result] = linter.lintFiles([join(DEPLOY, 'docker-compose.yml')], false);
    expect(result?.messages ?? null).to.deep.equal([]);
  });

  it('starts two of each service behind one gateway', () => {
    const names = OWN.map(([name]) => name).sort();
    const pairs = ['query', 'resources', 'tracking'].flatMap((name) => [`${name}-1`, `${name}-2`]);
    expect(names).to.deep.equal(['gateway', 'migrate', ...pairs]);
    expect(COMPOSE_PROCESSES).to.have.length(names.length);
  });

  it('publishes one port, of the gateway, on this machine alone', () => {
    const published = SERVICES.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).to.deep.equal(['gateway 127.0.0.1:8080:8080']);
    expect(COMPOSE.networks.inside).to.deep.equal({ internal: true });
    const outside = SERVICES.filter(([, { networks }]) => networks.join() !== 'inside');
    expect(outside.map(([name]) => name)).to.deep.equal(['gateway']);
  });

  it('starts nothing before what it needs: stores, then the migration, then services, then the gateway', () => {
    const waits = (name: string) =>
      Object.entries(COMPOSE.services[name]?.depends_on ?? {}).map(
        ([on, { condition }]) => `${on} ${condition}`,
      );
    const done = 'service_completed_successfully';
    const healthy = 'service_healthy';
    expect(waits('mongodb-init')).to.deep.equal([`mongodb ${healthy}`]);
    expect(waits('migrate')).to.deep.equal([`mongodb-init ${done}`]);
    for (const [name] of OWN.filter(([own]) => /-\d$/.test(own))) {
      expect(waits(name), name).to.deep.equal([`migrate ${done}`, `redis ${healthy}`]);
    }
    const services = OWN.map(([name]) => name).filter((name) => /-\d$/.test(name));
    expect(waits('gateway')).to.have.members([...services, 'redis'].map((name) => `${name} ${healthy}`));
  });

  it('can tell of everything that goes on whether it is healthy: by its own check, or that of the image', () => {
    for (const [name, { healthcheck }] of SERVICES.filter(([own]) => !ONCE.includes(own))) {
      const isOwn = OWN.some(([own]) => own === name);
      expect(healthcheck === undefined, name).to.equal(isOwn);
    }
  });

  it('gives no process more rights than it needs', () => {
    for (const [name, service] of SERVICES) {
      expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
      // MongoDB's image begins as root, hands its folder over, and goes on as its own user.
      if (name === 'mongodb') continue;
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      expect(service.read_only, name).to.equal(true);
    }
    for (const [name, { user, secrets, stop_grace_period: grace }] of OWN) {
      expect(user, name).to.equal(undefined);
      expect(secrets, name).to.deep.equal(['tidegate']);
      expect(grace, name).to.equal('20s');
    }
  });

  it('evicts no counter from Redis, and writes none of them down', () => {
    const command = COMPOSE.services.redis?.command?.join(' ');
    expect(command).to.include('--maxmemory-policy noeviction').and.to.include('--save "" --appendonly no');
  });

  it('pins every image', () => {
    const images = SERVICES.map(([, { image }]) => image).filter((image) => !image.startsWith('tidegate:'));
    expect(images).to.have.length(3);
    for (const image of images) expect(image).to.match(/^[a-z]+:\d+\.\d+\.\d+-[a-z]+$/);
  });
});
