/** Waits for the first event of a website, and turns by itself once it is there. */
import { HOME } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { useFirstEvent } from './use-first-event.ts';

export function Waiting({ websiteId }: { websiteId: string }) {
  const t = texts.value.website.waiting;
  const { state, fault, again } = useFirstEvent(websiteId);
  const path = `${HOME}/websites/${encodeURIComponent(websiteId)}`;
  return (
    <section class={`card stack first-event ${state}`}>
      <h2>{t.title}</h2>
      <div role="status" class="news">
        {state === 'received' ? <Icon name="circle-check" /> : <span class="pulse" aria-hidden="true" />}
        <strong>
          {{ waiting: t.waiting, received: t.received, stopped: t.stopped, failed: t.stopped }[state]}
        </strong>
      </div>
      {fault && <FaultNotice fault={asMissing(fault)} again={state === 'failed' ? again : undefined} />}
      {state === 'received' && (
        <div class="row">
          <Button kind="primary" href={path}>
            {t.open}
          </Button>
        </div>
      )}
      {state === 'stopped' && (
        <div class="row">
          <Button icon="refresh-cw" onClick={again}>
            {t.again}
          </Button>
        </div>
      )}
      {state !== 'received' && (
        <div class="hint stack">
          <p>{t.hint}</p>
          <ul>
            {t.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <p>
            <a href={`${path}/settings`}>{t.settings}</a>
          </p>
        </div>
      )}
    </section>
  );
}
