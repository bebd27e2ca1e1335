/** Where the user is logged in: this session is marked, and the others can be ended. */
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import type { OwnSession } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Instant } from '../../design/instant.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { Said } from '../../states/said.tsx';
import { formatAgo } from '../../texts/format.ts';
import { deviceOf, iconOf } from './device-of.ts';
import { accountTexts } from './texts.ts';

export function Sessions() {
  const t = accountTexts.value;
  const read = useRead<{ data: OwnSession[] }>({ path: '/v1/auth/sessions' });
  const write = useWrite();
  const [said, say] = useState('');
  const others = read.data?.data.filter(({ current }) => !current) ?? [];
  async function end(sessions: readonly OwnSession[], sentence: string): Promise<void> {
    say('');
    const answer = await write.send(() => endAll(sessions));
    if (answer === null) return;
    if (answer.ok) say(sentence);
    read.again();
  }
  return (
    <section class="card stack">
      <div class="row spread">
        <h2>{t.sessionsTitle}</h2>
        {others.length > 0 && (
          <Button isBusy={write.isSending} onClick={() => void end(others, t.othersEnded)}>
            {t.endOthers}
          </Button>
        )}
      </div>
      <p class="hint">{t.sessionsLead}</p>
      <Said text={said} />
      {write.fault && <FaultNotice fault={write.fault} />}
      <Loaded read={read} lines={4}>
        {({ data }) => (
          <>
            <ul class="sessions">
              {data.map((each) => (
                <SessionRow
                  key={each.id}
                  session={each}
                  isBusy={write.isSending}
                  onEnd={() => void end([each], t.ended)}
                />
              ))}
            </ul>
            <ExportActs
              title={t.sessionsTitle}
              file="sessions"
              header={['id', 'createdAt', 'lastUsedAt', 'address', 'agent', 'current']}
              rows={data.map(({ id, createdAt, lastUsedAt, address, agent, current }) => [
                ...[id, createdAt, lastUsedAt, address, agent?.text],
                String(current),
              ])}
              request={{ path: '/v1/auth/sessions' }}
              isOfSession
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Ends them one after the other, so that a limit is met once; one that somebody else ended is over all the same. */
async function endAll(sessions: readonly OwnSession[]) {
  let last = { ok: true, status: 204, body: undefined, etag: null } as Awaited<ReturnType<typeof call>>;
  for (const { id } of sessions) {
    const answer = await call({ method: 'DELETE', path: `/v1/auth/sessions/${id}` });
    if (answer.ok || answer.fault.kind === 'missing') continue;
    last = answer;
    break;
  }
  return last;
}

interface SessionRowProps {
  readonly session: OwnSession;
  readonly isBusy: boolean;
  readonly onEnd: () => void;
}

function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const t = accountTexts.value;
  const device = deviceOf(session.agent, t);
  return (
    <li class="session">
      <Icon name={iconOf(session.agent)} />
      <div>
        <strong>
          <bdi title={session.agent?.text}>{device}</bdi>
        </strong>{' '}
        {session.current && <span class="badge good">{t.here}</span>}
        <p class="soft small">
          {t.lastUsed} <Instant at={session.lastUsedAt} text={formatAgo(session.lastUsedAt)} />
          {session.address !== null && (
            <>
              {' '}
              {t.from} <bdi class="mono">{session.address}</bdi>
            </>
          )}
          {' · '}
          {t.since} <Instant at={session.createdAt} />
        </p>
      </div>
      {!session.current && (
        <Button isBusy={isBusy} onClick={onEnd} label={t.endOf(device)}>
          {t.end}
        </Button>
      )}
    </li>
  );
}
