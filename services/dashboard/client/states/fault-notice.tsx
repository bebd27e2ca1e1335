/** The one drawing of every fault of the API: what happened, what may help, and when it is tried again. */
import { useEffect, useState } from 'preact/hooks';
import type { Fault } from '../api/fault.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Worded } from '../design/worded.tsx';
import { formatTime } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { worded } from '../texts/worded.ts';

interface FaultNoticeProps {
  readonly fault: Fault;
  /** When the numbers came that stay on the page, in milliseconds since 1970. */
  readonly at?: number;
  /** When it is tried again by itself. */
  readonly repeatsAt?: number;
  readonly again?: () => void;
}

export function FaultNotice({ fault, at, repeatsAt, again }: FaultNoticeProps) {
  const t = texts.value.states;
  const hint = {
    missing: t.missingHint,
    forbidden: t.forbiddenHint,
    changed: t.changedHint,
    over: t.overHint,
  };
  // What is read is no form that could be sent again, and asking again changes nothing.
  const isOfQuestion = fault.kind === 'invalid' && again !== undefined;
  const hintOf: Partial<Record<string, string>> = hint;
  return (
    <Notice kind={fault.kind === 'limit' ? 'warn' : 'bad'}>
      <strong>
        {fault.kind === 'limit'
          ? t.limit(fault.limit)
          : isOfQuestion
            ? t[questionFault(fault)]
            : t[fault.kind]}
      </strong>
      {saysMore(fault) && (
        <p>
          <Worded text={worded(fault.message)} />
        </p>
      )}
      {isOfQuestion &&
        fault.details.map(({ field, message }) => (
          <p key={field}>
            <Worded text={worded(message)} />
          </p>
        ))}
      {hintOf[fault.kind] && <p>{hintOf[fault.kind]}</p>}
      {at !== undefined && <p>{t.lastNumbers(formatTime(at))}</p>}
      {repeatsAt !== undefined && <Countdown until={repeatsAt} />}
      {again && !isOfQuestion && (
        <Button icon="refresh-cw" onClick={again}>
          {t.again}
        </Button>
      )}
      {fault.requestId !== '' && fault.kind === 'unavailable' && (
        <p class="small soft">{t.requestId(fault.requestId)}</p>
      )}
    </Notice>
  );
}

/** What is wrong with a question, by its text: custom SQL that the engine does not take is no matter of what is allowed. */
const questionFault = ({ code }: Fault) => (code === 'QUERY_ERROR' ? 'invalidSql' : 'invalidQuestion');

/** Conflicts and refused values are about what was asked, so the API's own sentence says more than ours. */
function saysMore({ kind, message, details }: Fault): boolean {
  return message !== '' && (kind === 'conflict' || (kind === 'invalid' && details.length === 0));
}

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  // Said once by readers of the screen, not every second.
  return <p aria-live="off">{texts.value.states.triesAgain(Math.max(0, Math.ceil((until - now) / 1000)))}</p>;
}
