/** The saved views of a website: opened, saved under a name, for oneself or for everybody, and deleted. */
import { useState } from 'preact/hooks';
import { currentAddress } from '../address.ts';
import { may } from '../api/session.ts';
import { useRead } from '../api/use-read.ts';
import { useWrite } from '../api/use-write.ts';
import type { SavedViewView } from '../api/wire.ts';
import { Button } from '../design/button.tsx';
import { Check } from '../design/check.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Field } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import type { Page } from '../exports/whole-list.ts';
import { FaultNotice } from '../states/fault-notice.tsx';
import { Loaded } from '../states/loaded.tsx';
import { PlainQuestion } from '../states/plain-question.tsx';
import { texts } from '../texts/texts.ts';
import type { SceneView } from '../website/use-scene.ts';
import { drillTexts } from './texts.ts';
import { addressOfView, stateOf } from './view-state.ts';

const MOST_VIEWS = 100;

export function ViewsDialog({ scene, onClose }: { scene: SceneView; onClose: () => void }) {
  const t = drillTexts.value.views;
  const read = useRead<Page<SavedViewView>>({
    path: '/v1/views',
    query: { website_id: scene.websiteId, sort: 'name', limit: MOST_VIEWS },
  });
  const [removed, remove] = useState<SavedViewView>();
  const mayWrite = may('manage:websites');
  const close = () => remove(undefined);
  if (removed) {
    return (
      <PlainQuestion
        title={t.removeTitle}
        name={removed.name}
        hint={t.removeHint}
        submit={texts.value.words.remove}
        request={{ method: 'DELETE', path: `/v1/views/${encodeURIComponent(removed.id)}` }}
        onClose={close}
        onDone={() => {
          close();
          read.again();
        }}
      />
    );
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Loaded read={read} lines={3}>
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <p class="soft">{t.none}</p>
          ) : (
            <>
              <ul class="stack">
                {data.map((view) => (
                  <SavedView
                    key={view.id}
                    view={view}
                    websiteId={scene.websiteId}
                    onOpen={onClose}
                    onRemove={mayWrite ? () => remove(view) : undefined}
                  />
                ))}
              </ul>
              {nextCursor !== undefined && <p class="hint">{t.most}</p>}
            </>
          )
        }
      </Loaded>
      {mayWrite && <NewView scene={scene} onSaved={read.again} />}
      <Button onClick={onClose}>{texts.value.words.close}</Button>
    </Dialog>
  );
}

interface SavedViewProps {
  readonly view: SavedViewView;
  readonly websiteId: string;
  readonly onOpen: () => void;
  /** Absent: the role deletes none. */
  readonly onRemove: (() => void) | undefined;
}

function SavedView({ view, websiteId, onOpen, onRemove }: SavedViewProps) {
  const t = drillTexts.value.views;
  const address = addressOfView(websiteId, view.state);
  return (
    <li class="row spread">
      <span class="row">
        {address === undefined ? (
          <>
            <bdi>{view.name}</bdi> <span class="small soft">{t.unreadable}</span>
          </>
        ) : (
          <a href={address} onClick={onOpen}>
            <bdi>{view.name}</bdi>
          </a>
        )}
        {view.shared && <span class="badge">{t.sharedMark}</span>}
      </span>
      {onRemove && (
        <Button kind="plain" icon="trash-2" label={t.remove(view.name)} onClick={onRemove}>
          {''}
        </Button>
      )}
    </li>
  );
}

function NewView({ scene, onSaved }: { scene: SceneView; onSaved: () => void }) {
  const t = drillTexts.value.views;
  const [name, setName] = useState('');
  const [isShared, share] = useState(false);
  const write = useWrite();
  async function save(): Promise<void> {
    const body = {
      websiteId: scene.websiteId,
      name,
      shared: isShared,
      state: stateOf(scene, currentAddress()),
    };
    const answer = await write.send({ method: 'POST', path: '/v1/views', body });
    if (!answer?.ok) return;
    setName('');
    onSaved();
  }
  return (
    <Form onSubmit={() => void save()} fault={write.fault}>
      {write.fault && write.fault.details.length === 0 && <FaultNotice fault={write.fault} />}
      <Field
        label={t.name}
        value={name}
        onInput={setName}
        maxLength={100}
        isRequired
        fault={write.faultOf('name') ?? write.faultOf('state')}
      />
      <Check label={t.shared} isChecked={isShared} onChange={share} />
      <div class="row">
        <Button type="submit" kind="primary" isBusy={write.isSending}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
