/** What an attack of the bench is: what lies in the store, what the attacker does without pause, and whose waits are measured. */
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';

/** Who sends a request: one of the organizations by its key, or nobody in particular. */
export type Sender = 'victim' | 'attacker' | 'accomplice' | 'stranger';

/** Senders that are organizations. */
export type Tenant = Exclude<Sender, 'stranger'>;

export interface AttackRequest {
  readonly as: Sender;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query string. */
  readonly path: string;
  /** Sent as JSON, or as it is when text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's address; the attacker and the victim have one of their own each by default. */
  readonly address?: string;
}

export interface AttackAnswer {
  readonly status: number;
  readonly text: string;
}

/** A running server, as everybody calls it. */
export interface AttackTarget {
  readonly origin: string;
  /** Sends the request and reads the whole answer, whatever its status. */
  send(request: AttackRequest): Promise<AttackAnswer>;
}

/** Identifiers that every attack finds: organizations of plan `scale`, each with a website and a key with all scopes. */
export const VICTIM = { organizationId: 'org_victim', websiteId: 'web_victim' } as const;
export const ATTACKER = { organizationId: 'org_attacker', websiteId: 'web_attacker' } as const;

/** A second organization of the attacker, for what one alone may not do. */
export const ACCOMPLICE = { organizationId: 'org_accomplice', websiteId: 'web_accomplice' } as const;

/** The event that a victim sends by its key under most attacks. */
export function victimOrder(number: number): AttackRequest {
  const body = { name: 'order', websiteId: VICTIM.websiteId, properties: { number } };
  return { as: 'victim', method: 'POST', path: '/track', body };
}

/** Either at a fixed pace, or so many callers of whom each sends again as soon as it is answered. */
export type AttackLoad = { readonly perSecond: number } | { readonly callers: number };

/** One attack; `NAME.attack.ts` exports it as `attack`. It runs in a thread of its own, so it keeps no state that others read. */
export interface Attack {
  /** As on the command line. */
  readonly name: string;
  /** One sentence: what the attacker does. */
  readonly description: string;
  /** The part of an organization in the provisioning file that differs: limits that are raised, plan, flags. */
  readonly organizations?: Readonly<Partial<Record<Tenant, Readonly<Record<string, unknown>>>>>;
  /** Settings of the server besides the bench's own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long it runs before the victim is measured under it, in seconds; default 1. */
  readonly leadSeconds?: number;
  /** Fills the document store before the server starts. */
  seed?(documents: DocumentStore): Promise<void>;
  /** Calls the running server before anything is measured. */
  prepare?(target: AttackTarget): Promise<void>;
  readonly attacker: {
    readonly load: AttackLoad;
    /** The request with this number, 0 first. */
    request(number: number): AttackRequest;
  };
  /** What the victim does meanwhile, by a name for the table, each at its own pace; every answer must be of status 200. */
  readonly victim: Readonly<
    Record<string, { readonly perSecond: number; request(number: number): AttackRequest }>
  >;
}

/** A target at this origin. @throws Error when it cannot be reached */
export function attackTarget(origin: string, keys: AttackKeys): AttackTarget {
  return {
    origin,
    async send({ as, method = 'GET', path, body, headers, address = ADDRESSES[as] }) {
      const response = await fetch(origin + path, {
        method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': address,
          ...(as === 'stranger' ? {} : { 'x-api-key': keys[as] }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    },
  };
}

/** The texts of the keys. */
export type AttackKeys = Readonly<Record<Tenant, string>>;

const ADDRESSES: Readonly<Record<Sender, string>> = {
  victim: '10.0.0.1',
  attacker: '10.0.0.2',
  accomplice: '10.0.0.4',
  stranger: '10.0.0.3',
};
