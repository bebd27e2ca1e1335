/**
 * The bus of several processes over one channel of Redis, whatever its form; after a lost connection everything counts as
 * changed, and kept answers are forgotten.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import {
  type Bus,
  type Invalidation,
  type InvalidationListener,
  invalidationSchema,
} from '../../ports/bus.ts';
import { MemoryBus } from '../memory/memory-bus.ts';
import { LONGEST_RETRY_MS, openConnection } from './open-redis.ts';
import type { RedisAddress } from './redis-address.ts';

export interface RedisBusOptions {
  readonly address: RedisAddress;
  /** Called when the connection is lost (with its fault) and when it is back (null); at most once per change. */
  onConnection(fault: Error | null): void;
}

const CHANNEL = 'tidegate:invalidations';
/** How long a command may take, in milliseconds. */
const COMMAND_MS = 300;
/** How often the listening connection is checked, in milliseconds. */
const TRY_MS = 1_000;

/** What is told where messages may have been lost: a change of anything, and an operator's wish. */
const AFTER_A_GAP: readonly Invalidation[] = [{ kind: 'everything' }, { kind: 'keptAnswers' }];

const messageSchema = z.object({ from: z.string(), invalidation: invalidationSchema });

/** Also works without Redis: it then reaches only this process, and keeps trying to connect. */
export class RedisBus implements Bus {
  readonly #local = new MemoryBus();
  readonly #from = randomUUID();
  readonly #publisher: Redis;
  readonly #subscriber: Redis;
  readonly #onConnection: RedisBusOptions['onConnection'];
  #subscribed = false;
  #lost = false;
  #closed = false;
  /** Whether a message of this process was lost. */
  #owes = false;
  /** Whether anything was sent on the current publishing connection. */
  #sent = false;
  #later: NodeJS.Timeout | undefined;
  readonly #trying: NodeJS.Timeout;
  #waiting: (() => void)[] = [];

  constructor(options: RedisBusOptions) {
    this.#onConnection = options.onConnection;
    this.#publisher = openConnection(options.address, { commandTimeout: COMMAND_MS });
    // Resubscribed here, so that the caches are dropped after the subscription is active, not before.
    this.#subscriber = openConnection(options.address, {
      commandTimeout: COMMAND_MS,
      autoResubscribe: false,
    });
    this.#publisher.on('error', () => {});
    // A Cluster node may end before it passes on what it accepted; subscribers at other nodes notice nothing.
    if (options.address.form === 'cluster') {
      this.#publisher.on('close', () => {
        this.#owes ||= this.#sent;
        this.#sent = false;
      });
    }
    this.#publisher.on('ready', () => {
      this.#makeUp();
      this.#wake();
    });
    this.#subscriber.on('error', (fault: Error) => this.#noteLost(fault));
    this.#subscriber.on('close', () => this.#noteLost(new Error('the connection to Redis closed')));
    this.#subscriber.on('ready', () => this.#resume());
    // A hanging server closes nothing: it owes an answer, and is given up when none comes.
    this.#trying = setInterval(() => {
      if (this.#subscribed) this.#subscriber.ping().catch(() => {});
    }, TRY_MS);
    this.#trying.unref();
    this.#subscriber.on('message', (_channel: string, text: string) => this.#receive(text));
  }

  publish(invalidation: Invalidation): void {
    this.#local.publish(invalidation);
    if (this.#closed) return;
    this.#send(invalidation);
  }

  /** Once a message can be sent again, it makes up for a lost one: the other processes then treat everything as changed. */
  #send(invalidation: Invalidation): void {
    const text = JSON.stringify({ from: this.#from, invalidation });
    this.#publisher.publish(CHANNEL, text).then(
      () => {
        this.#sent = true;
        this.#makeUp();
      },
      () => {
        this.#owes = true;
        // A command may time out although its connection is intact.
        if (this.#publisher.status === 'ready') this.#makeUpLater();
      },
    );
  }

  #makeUp(): void {
    if (!this.#owes || this.#closed) return;
    this.#owes = false;
    for (const invalidation of AFTER_A_GAP) this.#send(invalidation);
  }

  #makeUpLater(): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#makeUp(), LONGEST_RETRY_MS);
    this.#later.unref();
  }

  publishHere(invalidation: Invalidation): void {
    this.#local.publish(invalidation);
  }

  subscribe(listener: InvalidationListener): () => void {
    return this.#local.subscribe(listener);
  }

  /** Resolves once invalidations flow in both directions between this process and others. */
  async connected(): Promise<void> {
    if (this.#isConnected()) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#later);
    clearInterval(this.#trying);
    await this.#local.close();
    this.#subscriber.disconnect();
    // Published messages are sent first; without a connection there is nothing to wait for.
    await this.#publisher.quit().catch(() => {});
    this.#publisher.disconnect();
  }

  #resume(): void {
    this.#subscriber.subscribe(CHANNEL).then(
      () => {
        this.#subscribed = true;
        if (this.#lost) this.#onConnection(null);
        this.#lost = false;
        for (const invalidation of AFTER_A_GAP) this.#local.publish(invalidation);
        this.#wake();
      },
      // Not subscribed is as bad as not connected: start over.
      () => {
        if (!this.#closed) this.#subscriber.disconnect(true);
      },
    );
  }

  #isConnected(): boolean {
    return this.#subscribed && this.#publisher.status === 'ready';
  }

  #wake(): void {
    if (!this.#isConnected()) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #noteLost(fault: Error): void {
    this.#subscribed = false;
    if (this.#lost || this.#closed) return;
    this.#lost = true;
    this.#onConnection(fault);
  }

  /** A message that cannot be parsed may come from a newer version: it counts as a change of everything. */
  #receive(text: string): void {
    const message = messageSchema.safeParse(jsonOf(text));
    if (!message.success) this.#local.publish({ kind: 'everything' });
    else if (message.data.from !== this.#from) this.#local.publish(message.data.invalidation);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
