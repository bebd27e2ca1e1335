/** A logger that greps each of its lines for what no log may hold; every server that a test starts logs to one. */
import { type Logger, pino } from 'pino';

/** What a secret looks like, wherever it comes from. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'an API key': /\b[a-z][a-z0-9]{0,15}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}\b/,
  'a signed token': /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/,
  'a session cookie': /\btg_(?:access|refresh)=/,
  'a password hash': /\$argon2/,
  'a private key': /"d\\*":\\*"[A-Za-z0-9_-]{43}/,
  'a header of credentials': /"(?:x-api-key|authorization|cookie|set-cookie)\\*":/i,
};

export interface LogWatch {
  /** Logs everything, from the least level on. */
  readonly logger: Logger;
  readonly lines: readonly string[];
  /** @throws Error with each line that holds a secret, which is masked */
  assertClean(): void;
}

/** `known` are further texts that no line may hold. */
export function createLogWatch(known: readonly string[] = []): LogWatch {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  return { logger, lines, assertClean: () => assertCleanLog(lines, known) };
}

/** For what is never closed: logs to nowhere, and throws out of the call that logs a secret. */
export function createStrictLogger(): Logger {
  return pino({ level: 'trace' }, { write: (line: string) => assertCleanLog([line]) });
}

/** @throws Error with each line that holds a secret, which is masked */
export function assertCleanLog(lines: readonly string[], known: readonly string[] = []): void {
  const offences = lines.flatMap((line) => {
    const kinds = Object.entries(SECRETS).filter(([, pattern]) => pattern.test(line));
    const texts = known.filter((text) => line.includes(text));
    if (kinds.length + texts.length === 0) return [];
    const masked = [...kinds.map(([, pattern]) => pattern), ...texts].reduce<string>(
      (text, secret) => text.replaceAll(typeof secret === 'string' ? secret : new RegExp(secret, 'g'), '***'),
      line,
    );
    return [`${kinds.map(([kind]) => kind).join(', ') || 'a known secret'} in: ${masked.trim()}`];
  });
  if (offences.length > 0) throw new Error(`secrets in the log:\n${offences.join('\n')}`);
}
