/** A new link: its target, its short address, and what else it may have. */
import { useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useLeft } from '../../api/use-left.ts';
import { useWrite } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Form } from '../../design/form.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { type Draft, inputOf, NOTHING } from './draft.ts';
import type { LinkAnswer } from './known-link.ts';
import { LinkFields } from './link-fields.tsx';
import { linkTexts } from './texts.ts';

export function NewLink() {
  return may('write:links') ? <Create /> : <Forbidden title={linkTexts.value.add} />;
}

function Create() {
  const t = linkTexts.value;
  const { go } = useAddress();
  const [draft, setDraft] = useState<Draft>(NOTHING);
  const write = useWrite();
  const isLeft = useLeft();
  async function submit(): Promise<void> {
    const body = inputOf(draft, timezone.value);
    const answer = await write.send<LinkAnswer>({ method: 'POST', path: '/v1/links', body });
    if (answer?.ok && !isLeft()) go(`${HOME}/links/${encodeURIComponent(answer.body.data.id)}`);
  }
  return (
    <>
      <PageHead title={t.add} />
      <section class="card website-settings">
        <Form onSubmit={() => void submit()} fault={write.fault}>
          <LinkFields
            draft={draft}
            edit={(field, value) => setDraft((before) => ({ ...before, [field]: value }))}
            faultOf={write.faultOf}
            own={NOTHING}
          />
          {write.fault && <FaultNotice fault={write.fault} />}
          <div class="row">
            <Button kind="primary" type="submit" isBusy={write.isSending}>
              {t.submit}
            </Button>
            <Button kind="plain" href={`${HOME}/links`}>
              {texts.value.words.cancel}
            </Button>
          </div>
        </Form>
      </section>
    </>
  );
}
