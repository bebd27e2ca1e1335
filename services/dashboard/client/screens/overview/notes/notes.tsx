/** The annotations of a website below its line: what happened when, written here and marked on the line. */
import { useEffect, useState } from 'preact/hooks';
import { may } from '../../../api/session.ts';
import { useRead } from '../../../api/use-read.ts';
import { useWrite } from '../../../api/use-write.ts';
import type { AnnotationView } from '../../../api/wire.ts';
import { Button } from '../../../design/button.tsx';
import { Check } from '../../../design/check.tsx';
import { Field } from '../../../design/field.tsx';
import { Form } from '../../../design/form.tsx';
import type { Page } from '../../../exports/whole-list.ts';
import { FaultNotice } from '../../../states/fault-notice.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { PlainQuestion } from '../../../states/plain-question.tsx';
import { formatDays, formatInstant } from '../../../texts/format.ts';
import { texts } from '../../../texts/texts.ts';
import { shownMarks } from '../shown-marks.ts';
import { notesTexts } from './texts.ts';

/** The latest ones; older ones stand on the line of no usual range. */
const MOST = 100;

interface NotesProps {
  readonly websiteId: string;
  readonly today: string;
}

export function Notes({ websiteId, today }: NotesProps) {
  const t = notesTexts.value;
  const read = useRead<Page<AnnotationView>>({
    path: '/v1/annotations',
    query: { website_id: websiteId, sort: '-at', limit: MOST },
  });
  const [removed, remove] = useState<AnnotationView>();
  const mayWrite = may('manage:websites');
  useEffect(() => {
    shownMarks.value = read.data?.data ?? [];
    return () => {
      shownMarks.value = [];
    };
  }, [read.data]);
  const close = () => remove(undefined);
  return (
    <section class="stack notes" aria-label={t.title}>
      <h3>{t.title}</h3>
      {removed && (
        <PlainQuestion
          title={t.removeTitle}
          name={removed.text}
          hint={t.removeHint}
          submit={texts.value.words.remove}
          request={{ method: 'DELETE', path: `/v1/annotations/${encodeURIComponent(removed.id)}` }}
          onClose={close}
          onDone={() => {
            close();
            read.again();
          }}
        />
      )}
      <Loaded read={read} lines={3}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && <p class="soft">{mayWrite ? `${t.none} ${t.noneHint}` : t.none}</p>}
            <ul>
              {data.map((note) => {
                const { id, at, text, shared } = note;
                return (
                  <li key={id} class="row spread">
                    <span>
                      <span class="soft">{at.length === 10 ? formatDays(at, at) : formatInstant(at)}</span>{' '}
                      <bdi>{text}</bdi> {shared && <span class="badge">{t.sharedMark}</span>}
                    </span>
                    {mayWrite && (
                      <Button kind="plain" icon="trash-2" label={t.remove(text)} onClick={() => remove(note)}>
                        {''}
                      </Button>
                    )}
                  </li>
                );
              })}
            </ul>
            {nextCursor !== undefined && <p class="hint">{t.most}</p>}
          </>
        )}
      </Loaded>
      {mayWrite && <NewNote websiteId={websiteId} today={today} onMade={read.again} />}
    </section>
  );
}

function NewNote({ websiteId, today, onMade }: { websiteId: string; today: string; onMade: () => void }) {
  const t = notesTexts.value;
  const [at, setAt] = useState(today);
  const [text, setText] = useState('');
  const [isShared, share] = useState(true);
  const write = useWrite();
  async function make(): Promise<void> {
    const body = { websiteId, at, text, shared: isShared };
    const answer = await write.send({ method: 'POST', path: '/v1/annotations', body });
    if (!answer?.ok) return;
    setText('');
    onMade();
  }
  return (
    <Form onSubmit={() => void make()} fault={write.fault}>
      {write.fault && write.fault.details.length === 0 && <FaultNotice fault={write.fault} />}
      <div class="row">
        <Field label={t.day} type="date" value={at} onInput={setAt} isRequired fault={write.faultOf('at')} />
        <Field
          label={t.text}
          value={text}
          onInput={setText}
          maxLength={500}
          isRequired
          fault={write.faultOf('text')}
        />
      </div>
      <Check label={t.shared} isChecked={isShared} onChange={share} />
      <div class="row">
        <Button type="submit" isBusy={write.isSending}>
          {t.add}
        </Button>
      </div>
    </Form>
  );
}
