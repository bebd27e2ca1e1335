/** The bus of several processes on one Redis channel; after a lost connection everything counts as changed. */
import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { z } from 'zod';
import {
  type Bus,
  type Invalidation,
  type InvalidationListener,
  invalidationSchema,
} from '../../ports/bus.ts';
import { MemoryBus } from '../memory/memory-bus.ts';

export interface RedisBusOptions {
  /** Such as `redis://127.0.0.1:6379`; may hold a password, so it is never logged. */
  readonly url: string;
  /** Told when the connection is lost (with its fault) and when it is back (null); at most once per change. */
  onConnection(fault: Error | null): void;
}

const CHANNEL = 'tidegate:invalidations';
/** Longest wait between two attempts to connect, in milliseconds: below the age that a verdict may reach. */
const LONGEST_RETRY_MS = 1_000;
/** How long an attempt to connect, and a command, may take, in milliseconds. */
const CONNECT_MS = 2_000;
const COMMAND_MS = 300;
/** How often the listening connection is tried, and how long it may owe the answer until it counts as lost, in milliseconds. */
const TRY_MS = 1_000;
const SILENCE_MS = 2_000;

const messageSchema = z.object({ from: z.string(), invalidation: invalidationSchema });

/** Works without Redis too: then it reaches this process only, and goes on trying to connect. */
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
  #later: NodeJS.Timeout | undefined;
  readonly #trying: NodeJS.Timeout;
  #waiting: (() => void)[] = [];

  constructor(options: RedisBusOptions) {
    this.#onConnection = options.onConnection;
    const common: RedisOptions = {
      connectTimeout: CONNECT_MS,
      commandTimeout: COMMAND_MS,
      keepAlive: 10_000,
      retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_RETRY_MS),
      // An invalidation that waited for a connection would come late; everything is dropped then anyway.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    };
    this.#publisher = new Redis(options.url, common);
    // Resubscribed here, so that what was missed is dropped after the subscription stands and not before.
    this.#subscriber = new Redis(options.url, {
      ...common,
      autoResubscribe: false,
      socketTimeout: SILENCE_MS,
    });
    this.#publisher.on('error', () => {});
    this.#publisher.on('ready', () => {
      this.#makeUp();
      this.#wake();
    });
    this.#subscriber.on('error', (fault: Error) => this.#noteLost(fault));
    this.#subscriber.on('close', () => this.#noteLost(new Error('the connection to Redis closed')));
    this.#subscriber.on('ready', () => this.#resume());
    // A server that hangs closes nothing: it owes an answer, and is given up when none comes.
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

  /** A message that is lost is made up for as soon as one goes out again: the others then take everything for changed. */
  #send(invalidation: Invalidation): void {
    const text = JSON.stringify({ from: this.#from, invalidation });
    this.#publisher.publish(CHANNEL, text).then(
      () => this.#makeUp(),
      () => {
        this.#owes = true;
        // A command may time out on a connection that stands.
        if (this.#publisher.status === 'ready') this.#makeUpLater();
      },
    );
  }

  #makeUp(): void {
    if (!this.#owes || this.#closed) return;
    this.#owes = false;
    this.#send({ kind: 'everything' });
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

  /** Resolves while invalidations arrive from other processes and go out to them, else once they do. */
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
    // What was published goes out first; without a connection there is nothing to wait for.
    await this.#publisher.quit().catch(() => {});
    this.#publisher.disconnect();
  }

  #resume(): void {
    this.#subscriber.subscribe(CHANNEL).then(
      () => {
        this.#subscribed = true;
        if (this.#lost) this.#onConnection(null);
        this.#lost = false;
        this.#local.publish({ kind: 'everything' });
        this.#wake();
      },
      // Not subscribed is as good as not connected: begin again.
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

  /** A message that is not understood may be a newer version's: it counts as a change of everything. */
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
