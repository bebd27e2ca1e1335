/** Checks the certificates and keys of the listener and of backends: each is read here, and a fault says which file is wrong. */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { z } from 'zod';
import type { BackendTls } from '../../services/shared/plans/service-endpoint.ts';
import type { Listener } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import type { Steps } from './place.ts';
import { parseAt } from './schema-faults.ts';

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;

const file = z.string().refine(isAbsolute, 'is not the absolute path of a file');
const minVersion = z.enum(VERSIONS).default('TLSv1.2').describe('Oldest version of TLS. Default TLSv1.2.');

export const backendTlsSchema = z.strictObject({
  ca: file
    .optional()
    .describe(
      'File of the authorities that may have signed the certificate of the backend. Default: those of Node.',
    ),
  cert: file
    .optional()
    .describe('File of the certificate by which the gateway proves itself, its own first.'),
  key: file.optional().describe('File of the private key of `cert`, without a passphrase.'),
  servername: z
    .string()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, 'is not the name of a host')
    .optional()
    .describe('Name that the certificate of the backend must have. Default: the host of its address.'),
  minVersion,
});

export const httpsSchema = z.strictObject({
  cert: file.describe('File of the certificate, its own first, then those between it and its authority.'),
  key: file.describe('File of its private key, without a passphrase.'),
  minVersion,
  hstsSeconds: z
    .number()
    .int()
    .min(0)
    .max(63_072_000)
    .default(31_536_000)
    .describe(
      'How long browsers ask this host by https alone (Strict-Transport-Security); 0: no such header. Default one year.',
    ),
});

/** What was read of certificates and keys. */
export class ReadTlsFiles {
  /** By path, a digest of what the file held: a reload compares it. */
  readonly digests = new Map<string, string>();
  /** Files of a certificate that has ended, with the place that names each. */
  readonly ended: { readonly path: string; readonly steps: Steps; readonly text: string }[] = [];
}

/** Null: no file is read. */
export type TlsFiles = ReadTlsFiles | null;

/** Null after a fault. */
export function checkBackendTls(cursor: Cursor, urls: readonly string[], files: TlsFiles): BackendTls | null {
  const written = parseAt<z.output<typeof backendTlsSchema>>(cursor, backendTlsSchema);
  if (written === undefined) return null;
  if (urls.some((url) => url.startsWith('http:'))) {
    cursor.report('has no effect on an address by http', { allowed: ['addresses by https'], candidates: [] });
    return null;
  }
  for (const [one, other] of [
    ['cert', 'key'],
    ['key', 'cert'],
  ] as const) {
    if (written[one] === undefined || written[other] !== undefined) continue;
    cursor.at(other).report(`is missing beside ${one}`, { candidates: [] });
    return null;
  }
  if (files === null) return null;
  const ca = written.ca === undefined ? undefined : readAuthorities(cursor.at('ca'), written.ca, files);
  const own =
    written.cert === undefined || written.key === undefined
      ? {}
      : readPair(cursor, written.cert, written.key, files);
  if (ca === null || own === null) return null;
  const options = { ...own, ...(ca !== undefined && { ca }), minVersion: written.minVersion };
  const secureContext = contextOf(cursor, options);
  return secureContext && { secureContext, servername: written.servername ?? null };
}

/** Null after a fault. */
export function checkHttps(cursor: Cursor, files: TlsFiles): Listener | null {
  const written = parseAt<z.output<typeof httpsSchema>>(cursor, httpsSchema);
  if (written === undefined) return null;
  const { cert, key, minVersion, hstsSeconds } = written;
  if (files === null) return { secure: () => ({}), hstsSeconds };
  const pair = readPair(cursor, cert, key, files);
  if (pair === null) return null;
  const secure = { ...pair, minVersion };
  return contextOf(cursor, secure) && { secure: () => secure, hstsSeconds };
}

function readPair(
  cursor: Cursor,
  certFile: string,
  keyFile: string,
  files: ReadTlsFiles,
): { cert: string; key: string } | null {
  const cert = readCertificates(cursor.at('cert'), certFile, files);
  const key = readText(cursor.at('key'), keyFile, files);
  if (cert === null || key === null) return null;
  const parsed = privateKeyOf(key);
  if (typeof parsed === 'string') {
    cursor.at('key').report(`${keyFile} ${parsed}`, { candidates: [] });
    return null;
  }
  if (!new X509Certificate(cert).checkPrivateKey(parsed)) {
    cursor.at('key').report(`${keyFile} is not the key of the certificate ${certFile}`, { candidates: [] });
    return null;
  }
  return { cert, key };
}

/** The key, or what is wrong with it. */
function privateKeyOf(text: string): KeyObject | string {
  try {
    return createPrivateKey(text);
  } catch (fault) {
    const isLocked = (fault as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    return isLocked ? 'has a passphrase, which nobody could type' : 'holds no private key in the form PEM';
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The text of a file of certificates of its own; null after a fault. One that has ended is noted, no fault: a restart must not
 * end what still runs with it.
 */
function readCertificates(cursor: Cursor, path: string, files: ReadTlsFiles): string | null {
  return readValid(cursor, path, files, (found) => {
    const early = found.find((one) => Date.parse(one.validFrom) > Date.now());
    if (early !== undefined) return startsLater(early);
    const ended = found.find(hasEnded);
    if (ended !== undefined)
      files.ended.push({ path, steps: cursor.steps, text: `${path} ${endedText(ended)}` });
    return null;
  });
}

/** The text of a file of authorities, one of which at least is valid now; null after a fault. */
function readAuthorities(cursor: Cursor, path: string, files: ReadTlsFiles): string | null {
  return readValid(cursor, path, files, (found) => {
    if (found.some((one) => !hasEnded(one) && Date.parse(one.validFrom) <= Date.now())) return null;
    const [first] = found as [X509Certificate];
    return hasEnded(first) ? endedText(first) : startsLater(first);
  });
}

function readValid(
  cursor: Cursor,
  path: string,
  files: ReadTlsFiles,
  faultOf: (found: readonly X509Certificate[]) => string | null,
): string | null {
  const text = readText(cursor, path, files);
  if (text === null) return null;
  const found = certificatesOf(text);
  const fault = typeof found === 'string' ? found : faultOf(found);
  if (fault === null) return text;
  cursor.report(`${path} ${fault}`, { candidates: [] });
  return null;
}

/** The certificates, or what is wrong with them. */
function certificatesOf(text: string): X509Certificate[] | string {
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) return 'holds no certificate in the form PEM';
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch {
    return 'holds a certificate that cannot be read';
  }
}

const hasEnded = ({ validTo }: X509Certificate): boolean => Date.parse(validTo) < Date.now();
const named = ({ subject }: X509Certificate): string => subject.replaceAll('\n', ', ');
const endedText = (one: X509Certificate): string =>
  `holds a certificate (${named(one)}) that ended on ${one.validTo}`;
const startsLater = (one: X509Certificate): string =>
  `holds a certificate (${named(one)}) that begins on ${one.validFrom}`;

function readText(cursor: Cursor, path: string, files: ReadTlsFiles): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    files.digests.set(path, createHash('sha256').update(text).digest('base64'));
    return text;
  } catch (fault) {
    files.digests.set(path, '');
    const { code } = fault as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    cursor.report(`the file ${path} ${reason}`, { candidates: [] });
    return null;
  }
}

function contextOf(cursor: Cursor, options: SecureContextOptions): BackendTls['secureContext'] | null {
  try {
    return createSecureContext(options);
  } catch (fault) {
    const { message } = fault as Error;
    cursor.report(`the certificates do not serve: ${message}`, { candidates: [] });
    return null;
  }
}
