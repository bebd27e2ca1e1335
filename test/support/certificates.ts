/** Certificates for a test run, made by openssl: an authority of its own, and what it signed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends CertificateFiles {
  /** A certificate of the authority; `names` such as `IP:127.0.0.1,DNS:localhost`. */
  sign(name: string, names: string): CertificateFiles;
}

/** Why suites that need certificates cannot run here, or null. */
export function missingOpenssl(): string | null {
  return spawnSync('openssl', ['version']).error === undefined
    ? null
    : 'skipped: it needs openssl (apt-get install -y openssl), then npm run test:all runs it';
}

/** Makes one whose files lie in `folder` and begin with `name`. */
export function makeAuthority(folder: string, name: string): Authority {
  const own = request(folder, name, ['-x509', '-days', '2']);
  return {
    ...own,
    sign(subject, names) {
      const { cert, key } = request(folder, subject, []);
      const extensions = join(folder, `${subject}.ext`);
      writeFileSync(extensions, `subjectAltName=${names}\n`);
      const signed = [
        '-req',
        '-in',
        cert,
        '-CA',
        own.cert,
        '-CAkey',
        own.key,
        '-CAcreateserial',
        '-days',
        '2',
      ];
      const text = execFileSync('openssl', ['x509', ...signed, '-extfile', extensions], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      writeFileSync(cert, text);
      return { cert, key };
    },
  };
}

/** A new key, and a certificate or a request for one. */
function request(folder: string, name: string, further: readonly string[]): CertificateFiles {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const made = [
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    `/CN=${name}`,
  ];
  execFileSync('openssl', [...made, ...further, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}
