/** Faults of certificates and keys are told before anything starts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigurationError, formatFault } from '../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../../gateway/process/reload/configuration-variables.ts';
import { writeEdited } from '../../support/start-limited-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TEST_TLS } from '../../support/test-tls.ts';

const { path } = TEST_TLS;

describe('certificates and keys', () => {
  let folder: TempDirectory;
  before(() => {
    folder = createTempDirectory();
    writeFileSync(
      folder.file('broken.pem'),
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
  });
  after(() => folder.remove());

  async function faultsOf(text: string): Promise<string[]> {
    const directory = join(folder.path, 'config');
    writeEdited(directory, [['gateway.config.yml', 'apiEndpoints:\n', `${text}\napiEndpoints:\n`]]);
    const services = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
    try {
      const { https, warnings } = await loadConfiguration(directory, configurationVariables(services), null, {
        readsFiles: true,
      });
      const told = warnings.map(formatFault).filter((text) => text.includes('certificate'));
      return [`none, hsts ${https?.hstsSeconds}`, ...told.map((text) => text.replace(/^([\w.]+):\d+ /, ''))];
    } catch (fault) {
      if (!(fault instanceof ConfigurationError)) throw fault;
      return fault.faults.map((one) => formatFault(one).replace(/^([\w.]+):\d+ /, ''));
    }
  }
  const https = (cert: string, key: string, more = '') =>
    faultsOf(`https: { cert: ${cert}, key: ${key}${more} }`);

  it('of the listener are judged file by file', async () => {
    const [cert, key] = [path('server.pem'), path('server.key')];
    expect(await https(cert, key)).to.deep.equal(['none, hsts 31536000']);
    expect(await https(cert, key, ', hstsSeconds: 0')).to.deep.equal(['none, hsts 0']);
    const cases: [found: string[], fault: string][] = [
      [
        await faultsOf('https: { port: 8443 }'),
        'https.port: unknown key "port"; allowed: cert, key, minVersion, hstsSeconds',
      ],
      [await https('tls.pem', key), 'https.cert: is not the absolute path of a file'],
      [await https('/nowhere.pem', key), 'https.cert: the file /nowhere.pem does not exist'],
      [await https(key, key), `https.cert: ${key} holds no certificate in the form PEM`],
      [
        await https(folder.file('broken.pem'), key),
        `https.cert: ${folder.file('broken.pem')} holds a certificate that cannot be read`,
      ],
      [await https(cert, cert), `https.key: ${cert} holds no private key in the form PEM`],
      [
        await https(cert, path('client.key')),
        `https.key: ${path('client.key')} is not the key of the certificate ${cert}`,
      ],
      [
        await https(cert, key, ', minVersion: TLSv1.1'),
        'https.minVersion: "TLSv1.1" is not allowed; allowed: TLSv1.2, TLSv1.3',
      ],
    ];
    for (const [found, fault] of cases) expect(found.join('\n')).to.include(fault);
  });

  it('that have ended are told and stop no start', async () => {
    expect(await https(path('expired.pem'), path('expired.key'))).to.deep.equal([
      'none, hsts 31536000',
      `https.cert: ${path('expired.pem')} holds a certificate (CN=expired) that ended on Jan  1 00:00:00 2021 GMT`,
    ]);
  });

  it('of a backend are too', async () => {
    const backend = (url: string, tls: string) => writeAndCheck(`  shop: { url: "${url}", tls: { ${tls} } }`);
    async function writeAndCheck(service: string): Promise<string> {
      const directory = join(folder.path, 'backend');
      writeEdited(directory, [
        ['gateway.config.yml', 'serviceEndpoints:\n', `serviceEndpoints:\n${service}\n`],
      ]);
      const services = { query: 'http://q.test', tracking: 'http://t.test', resources: 'http://r.test' };
      const found = await loadConfiguration(directory, configurationVariables(services), null, {
        readsFiles: true,
      }).catch((fault: ConfigurationError) => fault);
      if (!(found instanceof ConfigurationError)) return 'none';
      return found.faults.map((one) => formatFault(one).replace(/^([\w.]+):\d+ /, '')).join('\n');
    }
    const at = 'serviceEndpoints.shop.tls';
    const cert = path('client.pem');
    expect(await backend('http://a.test', `ca: ${path('ca.pem')}`)).to.include(
      `${at}: has no effect on an address by http; allowed: addresses by https`,
    );
    expect(await backend('https://a.test', `cert: ${cert}`)).to.include(`${at}.key: is missing beside cert`);
    expect(await backend('https://a.test', `key: ${cert}`)).to.include(`${at}.cert: is missing beside key`);
    expect(await backend('https://a.test', 'ca: /nowhere.pem')).to.include(
      `${at}.ca: the file /nowhere.pem does not exist`,
    );
    expect(await backend('https://a.test', 'servername: "a b"')).to.match(/tls\.servername: "a b" is not/);
    expect(await backend('https://a.test', `cert: ${cert}, key: ${path('server.key')}`)).to.include(
      'is not the key of the certificate',
    );
    expect(await backend('https://a.test', `ca: ${path('ca.pem')}`)).to.not.include(`${at}`);
    expect(await backend('https://a.test', `ca: ${path('expired.pem')}`)).to.include('that ended on');
    const bundle = TEST_TLS.read('expired.pem') + TEST_TLS.read('ca.pem');
    writeFileSync(folder.file('bundle.pem'), bundle);
    expect(await backend('https://a.test', `ca: ${folder.file('bundle.pem')}`)).to.not.include(at);
  });
});
