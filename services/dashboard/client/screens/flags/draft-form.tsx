/** The form of something that is new or is changed: what was typed lies over the version that there is, and only what differs is sent. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWrite, type Write } from '../../api/use-write.ts';
import { Button } from '../../design/button.tsx';
import { Form } from '../../design/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { typedSince } from '../../design/typed-since.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { flagTexts } from './texts.ts';

/** A record as the API told it last. */
export interface Version<Row> {
  readonly body: { readonly data: Row };
  readonly etag: string | null;
}

/** What the fields of a form get. */
export interface Drafting<Draft> {
  readonly draft: Draft;
  readonly edit: (changes: Partial<Draft>) => void;
  readonly write: Write;
}

interface DraftFormProps<Row, Draft> {
  /** Where it is made; one that there is lies below. */
  readonly path: string;
  /** Absent: a new one. */
  readonly version: Version<Row> | undefined;
  readonly before: Draft;
  /** What is sent; null when nothing differs. */
  readonly bodyOf: (draft: Draft) => Readonly<Record<string, unknown>> | null;
  /** Why it cannot be sent; empty when it can. */
  readonly obstacleOf?: (draft: Draft) => string;
  readonly onSaved: (version: Version<Row>) => void;
  /** Loads the version that there is now. */
  readonly onReload?: () => void;
  readonly children: (drafting: Drafting<Draft>) => ComponentChildren;
}

export function DraftForm<Row extends { readonly id: string }, Draft extends object>(
  props: DraftFormProps<Row, Draft>,
) {
  const { path, version, before, bodyOf, obstacleOf, onSaved, onReload, children } = props;
  const t = flagTexts.value;
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const [outcome, setOutcome] = useState('');
  const write = useWrite();
  const draft: Draft = { ...before, ...edits };
  const obstacle = obstacleOf?.(draft) ?? '';
  function edit(changes: Partial<Draft>): void {
    setOutcome('');
    setEdits((others) => ({ ...others, ...changes }));
  }
  async function save(): Promise<void> {
    const body = bodyOf(draft);
    if (obstacle !== '' || body === null) return setOutcome(obstacle || t.unchanged);
    const answer = await write.send<Version<Row>['body']>(
      version
        ? {
            method: 'PATCH',
            path: `${path}/${encodeURIComponent(version.body.data.id)}`,
            body,
            ifMatch: version.etag ?? undefined,
          }
        : { method: 'POST', path, body },
    );
    if (!answer?.ok) return;
    setEdits((now) => typedSince(edits, now));
    setOutcome(texts.value.states.saved);
    onSaved(answer);
  }
  const { fault } = write;
  function reload(): void {
    write.forget();
    onReload?.();
  }
  return (
    <div class="card flag-form">
      <Form onSubmit={() => void save()} fault={fault}>
        {children({ draft, edit, write })}
        {fault && <FaultNotice fault={fault} again={fault.kind === 'changed' ? reload : undefined} />}
        {outcome && <Notice kind={obstacle === '' ? 'good' : 'bad'}>{outcome}</Notice>}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={write.isSending}>
            {version ? texts.value.words.save : t.create}
          </Button>
        </div>
      </Form>
    </div>
  );
}
