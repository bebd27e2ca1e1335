/** The secrets file: signing keys that must outlive a restart, readable by its owner only. */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import { createSecretSealer, type SecretSealer } from '../../../services/shared/credentials/secret-sealer.ts';
import { IDENTITY_ALGORITHM } from '../../../services/shared/identity/identity-token.ts';

const secretsSchema = z.strictObject({
  /** Private Ed25519 keys (JWK, RFC 8037); the first signs, all are accepted. */
  identityKeys: z
    .array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        kid: z.string().min(1),
        x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
        d: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
      }),
    )
    .min(1),
  /** Part of visitor hashes, along with the random salt of the day; 32 bytes in base64url. */
  visitorSecret: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Key that signs session cookies and refresh tokens, 32 bytes in base64url. */
  cookieKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Keys that seal the secrets of integrations, 32 bytes in base64url; the first seals, all of them unseal. */
  integrationKeys: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(64),
        key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
      }),
    )
    .min(1)
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'two keys have the same id'),
});
export type Secrets = z.infer<typeof secretsSchema>;

/** Secrets that files of earlier versions lack: they are added when the file is loaded. */
const ADDED_LATER = ['cookieKey', 'integrationKeys'] as const;

/** The secrets in `path`; a missing file is created. @throws Error when it is malformed or others may read it. */
export async function loadSecrets(path: string): Promise<Secrets> {
  return existsSync(path) ? readSecrets(path) : writeNew(path, await createSecrets());
}

/** The secrets of an existing file. @throws Error when it is missing or malformed, or others may read it. */
export async function readSecrets(path: string): Promise<Secrets> {
  if (!existsSync(path)) {
    throw new Error(
      `the secrets file ${path} is missing: copy it from the other processes, or create the first with npx tidegate secrets create FILE`,
    );
  }
  const { mode, uid } = await stat(path);
  if (othersMayRead({ mode, uid }, process.getuid?.() ?? uid)) {
    throw new Error(
      `${path} may be read by others (mode ${(mode & 0o777).toString(8)}); run chmod 600 on it`,
    );
  }
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new Error(
      `${path} is not valid JSON; restore it from a backup, or remove it to have new secrets created`,
    );
  }
  content = await withAdded(path, content);
  const result = secretsSchema.safeParse(content);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
  throw new Error(
    `the secrets file ${path} is malformed; fix it, or restore it from a backup:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

/**
 * Whether anyone besides the process (user `ownUid`) may read the file. Files mounted by an orchestrator belong to root, and
 * a process that is not root reads them through its group: PostgreSQL has the same rule for its private key (ssl_key_file).
 */
export function othersMayRead(
  file: { readonly mode: number; readonly uid: number },
  ownUid: number,
): boolean {
  const isMounted = file.uid === 0 && ownUid !== 0;
  return (file.mode & (isMounted ? 0o037 : 0o077)) !== 0;
}

async function createSecrets(): Promise<Secrets> {
  const { privateKey } = await generateKeyPair(IDENTITY_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const key: JWK = await exportJWK(privateKey);
  const kid = `identity-${randomBytes(6).toString('base64url')}`;
  return secretsSchema.parse({
    identityKeys: [{ kty: key.kty, crv: key.crv, kid, x: key.x, d: key.d }],
    visitorSecret: randomBytes(32).toString('base64url'),
    cookieKey: randomBytes(32).toString('base64url'),
    integrationKeys: [
      {
        id: `integration-${randomBytes(6).toString('hex')}`,
        key: randomBytes(32).toString('base64url'),
      },
    ],
  });
}

/** Seals and unseals the secrets of integrations. */
export function sealerOf({ integrationKeys }: Pick<Secrets, 'integrationKeys'>): SecretSealer {
  const keys = integrationKeys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64url') }));
  return createSecretSealer(keys, randomBytes);
}

/**
 * The content with the secrets added later; a file that lacked them is replaced as a whole, so it is never half written.
 * The temporary file is also the lock: its creator reads the original again first, in case another process was faster.
 */
async function withAdded(path: string, content: unknown): Promise<unknown> {
  if (missingIn(content).length === 0) return content;
  const next = `${path}.next`;
  const file = await open(next, 'wx', 0o600).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EEXIST') throw fault;
    throw new Error(
      `${next} exists: another process is adding a secret. Start again; if none runs, remove that file`,
    );
  });
  try {
    const current: unknown = JSON.parse(await readFile(path, 'utf8'));
    const missing = missingIn(current);
    const fresh = await createSecrets();
    const complete = {
      ...(current as object),
      ...Object.fromEntries(missing.map((name) => [name, fresh[name]])),
    };
    if (missing.length === 0 || !secretsSchema.safeParse(complete).success) {
      await unlink(next);
      return complete;
    }
    await file.writeFile(textOf(complete));
    await file.sync();
    await rename(next, path);
    return complete;
  } catch (fault) {
    await unlink(next);
    throw fault;
  } finally {
    await file.close();
  }
}

function missingIn(content: unknown): (typeof ADDED_LATER)[number][] {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return [];
  return ADDED_LATER.filter((name) => !(name in content));
}

function textOf(secrets: object): string {
  return `${JSON.stringify(secrets, null, 2)}\n`;
}

/** Creates the file. @throws Error if it exists: everything its keys signed and encrypted would be lost */
export async function createSecretsFile(path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists, and its keys may be in use; remove it first`);
  if (!existsSync(dirname(path))) throw new Error(`there is no folder ${dirname(path)} for the file`);
  await writeNew(path, await createSecrets());
}

async function writeNew(path: string, secrets: Secrets): Promise<Secrets> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(textOf(secrets));
    await file.sync();
  } finally {
    await file.close();
  }
  return secrets;
}
