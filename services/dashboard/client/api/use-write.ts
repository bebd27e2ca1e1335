/** Sends what a form holds: once at a time, and its fault stands beside the form until it is sent again. */
import { useRef, useState } from 'preact/hooks';
import { type Words, worded } from '../texts/worded.ts';
import type { Answer, Request } from './answer.ts';
import { call } from './call.ts';
import type { Fault } from './fault.ts';

export interface Write {
  readonly isSending: boolean;
  readonly fault: Fault | undefined;
  /** Sends, or does nothing and answers null while an earlier call is under way. */
  send<T>(request: Request | (() => Promise<Answer<T>>)): Promise<Answer<T> | null>;
  /** What the API says of a field of the body, such as `name` or `settings.timezone`; undefined when it said nothing. */
  faultOf(field: string): Words | undefined;
  forget(): void;
}

export function useWrite(): Write {
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<Fault | undefined>();
  const underWay = useRef(false);
  return {
    isSending,
    fault,
    async send(request) {
      if (underWay.current) return null;
      underWay.current = true;
      setSending(true);
      setFault(undefined);
      const answer = await (typeof request === 'function' ? request() : call(request)).finally(() => {
        underWay.current = false;
        setSending(false);
      });
      if (!answer.ok) setFault(answer.fault);
      return answer as never;
    },
    faultOf: (field) => saidOf(fault, field),
    forget: () => setFault(undefined),
  };
}

/** What the API says of a field of the body or a parameter; undefined when it said nothing. */
export function saidOf(fault: Fault | undefined, field: string): Words | undefined {
  const said = fault?.details.find((detail) => isWithin(detail.field, field));
  return said && worded(said.message);
}

/** Whether `path`, such as `settings.allowedOrigins[0]`, is `field` or lies in it. */
function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
