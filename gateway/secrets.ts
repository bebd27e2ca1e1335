/** The secrets file: signing keys that must outlive a restart, readable by its owner only. */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import { IDENTITY_ALGORITHM } from '../services/shared/identity/identity-token.ts';

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
  /** Key of the daily salts that anonymize visitors, 32 bytes in base64url. */
  visitorSecret: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export type Secrets = z.infer<typeof secretsSchema>;

/** The secrets of `path`, made when the file is missing. @throws Error when it is malformed or others may read it. */
export async function loadSecrets(path: string): Promise<Secrets> {
  return existsSync(path) ? readSecrets(path) : writeNew(path, await createSecrets());
}

/** The secrets of an existing file. @throws Error when it is missing or malformed, or others may read it. */
export async function readSecrets(path: string): Promise<Secrets> {
  if (!existsSync(path)) throw new Error(`the secrets file ${path} is missing`);
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) {
    throw new Error(
      `${path} may be read by others (mode ${(mode & 0o777).toString(8)}); run chmod 600 on it`,
    );
  }
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch {
    throw new Error(`${path} is no JSON; restore it from a backup, or remove it to have new secrets made`);
  }
  const result = secretsSchema.safeParse(content);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
  throw new Error(`${path} is malformed:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
}

async function createSecrets(): Promise<Secrets> {
  const { privateKey } = await generateKeyPair(IDENTITY_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const key: JWK = await exportJWK(privateKey);
  const kid = `identity-${randomBytes(6).toString('base64url')}`;
  return secretsSchema.parse({
    identityKeys: [{ kty: key.kty, crv: key.crv, kid, x: key.x, d: key.d }],
    visitorSecret: randomBytes(32).toString('base64url'),
  });
}

async function writeNew(path: string, secrets: Secrets): Promise<Secrets> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return secrets;
}
