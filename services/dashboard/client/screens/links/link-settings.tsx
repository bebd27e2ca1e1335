/** The settings of a link. What somebody else changed meanwhile is loaded under what was typed here. */
import { useState } from 'preact/hooks';
import type { Read } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import type { LinkView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Form } from '../../design/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { typedSince } from '../../design/typed-since.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { changesOf, type Draft, draftOf } from './draft.ts';
import type { LinkAnswer } from './known-link.ts';
import { LinkFields } from './link-fields.tsx';
import { pathOf } from './questions.ts';

export function LinkSettings({ link, read }: { link: LinkView; read: Read<LinkAnswer> }) {
  const t = texts.value;
  const { unchanged, reloaded } = t.website.settings;
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [outcome, setOutcome] = useState<string>();
  const write = useWrite();
  const own = draftOf(link, timezone.value);
  const draft = { ...own, ...edits };
  async function save(): Promise<void> {
    const body = changesOf(link, draft, timezone.value);
    setOutcome(body === null ? unchanged : undefined);
    if (body === null) return;
    const ifMatch = read.etag ?? undefined;
    const answer = await write.send<LinkAnswer>({ method: 'PATCH', path: pathOf(link.id), body, ifMatch });
    if (!answer?.ok) return;
    setEdits((now) => typedSince(edits, now));
    setOutcome(t.states.saved);
    read.take(answer);
  }
  const reload = () => {
    write.forget();
    setOutcome(reloaded);
    read.again();
  };
  return (
    <section class="card website-settings">
      <Form onSubmit={() => void save()} fault={write.fault}>
        <LinkFields
          draft={draft}
          edit={(field, value) => {
            setOutcome(undefined);
            setEdits((before) => ({ ...before, [field]: value }));
          }}
          faultOf={write.faultOf}
          own={own}
        />
        {write.fault && (
          <FaultNotice fault={write.fault} again={write.fault.kind === 'changed' ? reload : undefined} />
        )}
        {outcome && <Notice kind="good">{outcome}</Notice>}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {t.words.save}
          </Button>
        </div>
      </Form>
    </section>
  );
}
