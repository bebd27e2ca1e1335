/** The state of a flag: on or off for everybody, put away and brought back, or deleted. */
import { useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import { useWrite } from '../../api/use-write.ts';
import type { FlagView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { Version } from './draft-form.tsx';
import { flagTexts } from './texts.ts';

interface EndOfFlagProps {
  readonly version: Version<FlagView>;
  readonly onSaved: (version: Version<FlagView>) => void;
  readonly onReload: () => void;
}

export function EndOfFlag({ version, onSaved, onReload }: EndOfFlagProps) {
  const t = flagTexts.value;
  const { id, key, status } = version.body.data;
  const path = `/v1/flags/${encodeURIComponent(id)}`;
  const { go } = useAddress();
  // What was archived comes back inactive: nobody gets it before somebody says so.
  const next = status === 'inactive' ? 'active' : 'inactive';
  const [isDeleting, setDeleting] = useState(false);
  const write = useWrite();
  async function become(wanted: FlagView['status']): Promise<void> {
    const answer = await write.send<Version<FlagView>['body']>({
      ...{ method: 'PATCH', path, body: { status: wanted } },
      ifMatch: version.etag ?? undefined,
    });
    if (answer?.ok) onSaved(answer);
  }
  const reload = () => {
    write.forget();
    onReload();
  };
  return (
    <section class="card stack">
      <h2>{t.status}</h2>
      <p role="status">{t.isNow[status]}</p>
      {write.fault && (
        <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? reload : undefined} />
      )}
      <div class="row">
        <Button isBusy={write.isSending} onClick={() => void become(next)}>
          {status === 'archived' ? t.bringBack : t.become[next]}
        </Button>
        {status !== 'archived' && (
          <Button isBusy={write.isSending} onClick={() => void become('archived')}>
            {t.become.archived}
          </Button>
        )}
        <Button kind="danger" icon="trash-2" onClick={() => setDeleting(true)}>
          {t.deleteFlag}
        </Button>
      </div>
      {isDeleting && (
        <DeleteDialog
          title={t.deleteFlag}
          lead={t.deleteFlagLead}
          of={{ id, name: key }}
          path={path}
          etag={version.etag}
          onClose={() => setDeleting(false)}
          onDeleted={() => go(`${HOME}/flags`, {}, true)}
          onReload={reload}
        />
      )}
    </section>
  );
}
