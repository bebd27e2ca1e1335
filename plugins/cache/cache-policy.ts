/** Keeps answers to GET for callers with the same rights, so that the backend is asked less often. */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { AnswerRecorder } from '../kit/kept-answer.ts';
import type { ParameterFault } from '../kit/policy.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import { createAnswerByStore, OUTCOMES } from './answer-by-store.ts';
import { AnswerStore } from './answer-store.ts';
import { wishOf } from './cache-control.ts';
import { addressOf, keyOf } from './cache-key.ts';
import type { Asked } from './recording.ts';
import { createSentHeaders } from './sent-headers.ts';

const DAY = 86_400;

const cacheParams = z
  .strictObject({
    seconds: z
      .number()
      .int()
      .min(0)
      .max(DAY)
      .describe(
        'How long an answer is fresh that does not say so itself; 0: such answers are not fresh at all.',
      ),
    staleSeconds: z
      .number()
      .int()
      .min(0)
      .max(DAY)
      .default(0)
      .describe(
        'How long after that it is still sent while it is asked for anew, where it does not say so itself. Default 0.',
      ),
    per: z
      .enum(['organization', 'caller'])
      .default('organization')
      .describe(
        'Who shares answers: callers of an organization with the same rights, or nobody. Default organization.',
      ),
    maxBytes: z
      .number()
      .int()
      .min(65_536)
      .max(4_294_967_296)
      .default(67_108_864)
      .describe('Memory of all answers, in each process; those used least go first. Default 64 MiB.'),
    maxAnswerBytes: z
      .number()
      .int()
      .min(1)
      .max(67_108_864)
      .default(1_048_576)
      .describe('Largest answer that is kept. Default 1 MiB.'),
  })
  .refine(({ maxBytes, maxAnswerBytes }) => maxAnswerBytes <= maxBytes, {
    path: ['maxAnswerBytes'],
    message: 'is more than maxBytes, so nothing so large could be kept',
  });

const SAFE = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

export const cachePolicy = defineGatewayPolicy({
  name: 'cache',
  schema: cacheParams,
  unconditional: true,
  check(_params, { before, after }) {
    const faults: ParameterFault[] = [];
    if (!before.includes('rate-limit'))
      faults.push({
        path: [],
        text: 'stands before "rate-limit": its answers would go to callers unjudged and uncounted',
      });
    if (before.includes('cache')) faults.push({ path: [], text: 'is the second one of its pipeline' });
    if (after.at(-1) !== 'proxy')
      faults.push({ path: [], text: 'keeps answers of backends, but its pipeline has no proxy' });
    else if (after.length > 1) {
      const text = `stands before "${after[0]}", which kept answers would pass by; write it last before "proxy"`;
      faults.push({ path: [], text });
    }
    return faults;
  },
  explain({ seconds, staleSeconds, per }) {
    const whom = per === 'caller' ? 'each caller alone' : 'callers of an organization with the same rights';
    const stale = staleSeconds === 0 ? '' : `, then ${staleSeconds} s more while it asks anew`;
    return `keeps answers to GET for ${seconds} s where they say nothing else${stale}, for ${whom}`;
  },
  create(params, { bus, clock, isFromTrustedProxy, metrics, onClose }) {
    const sentHeaders = createSentHeaders(isFromTrustedProxy);
    const store = new AnswerStore(params.maxBytes);
    onClose(bus.subscribe(({ kind }) => kind === 'keptAnswers' && store.clear()));
    const requests = metrics.counter(
      'tidegate_cache_requests_total',
      'Requests at kept answers, by outcome.',
      {
        outcome: OUTCOMES,
      },
    );
    const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, requests.of({ outcome })]));
    const count = (outcome: string): void => counts[outcome]?.add();
    function askedOf(req: GatewayRequest): Asked {
      const { principal } = req.context;
      if (principal === null) throw new Error('the cache was reached by a request without a caller');
      return {
        req,
        key: keyOf(req, principal.caller, params.per, isFromTrustedProxy),
        address: addressOf(req),
        sent: () => sentHeaders(req),
        askedAtMs: clock.now(),
      };
    }

    const answerByStore = createAnswerByStore({ store, limits: params, clock, askedOf, count });

    /** A write that succeeded makes what is kept of its address old (RFC 9111, 4.4). */
    function writeRecorder(address: string): AnswerRecorder {
      const ignore = (): void => undefined;
      return {
        begin: (status) => {
          if (status < 400) store.written(address, clock.now());
        },
        data: ignore,
        end: ignore,
        fail: ignore,
      };
    }

    return function cache(req, res, next) {
      const { context } = req;
      const wish = wishOf(req.method, req.headers);
      if (wish.way === 'pass' || context.upgrade !== null) {
        if (!SAFE.includes(req.method)) context.recorder = writeRecorder(addressOf(req));
        count('pass');
        next();
        return;
      }
      answerByStore(req, res, next, wish);
    };
  },
});
