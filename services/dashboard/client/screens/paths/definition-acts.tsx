/** What may be done about goals and funnels: the dialog that is open, and what the last one did. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../design/dialog.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { PlainQuestion } from '../../states/plain-question.tsx';
import { Said } from '../../states/said.tsx';
import { texts } from '../../texts/texts.ts';
import { type Kinds, pathOf } from './kinds.ts';
import { pathsTexts } from './texts.ts';
import { useDefinition } from './use-definition.ts';

/** `new`: one is made. */
export type Act = 'new' | { readonly act: 'change' | 'remove'; readonly id: string; readonly name: string };

export interface ActsProps<Kind extends keyof Kinds> {
  readonly websiteId: string;
  readonly open: Act | null;
  readonly onClose: () => void;
  /** Something is another now; null: it is gone. */
  readonly onDone: (one: Kinds[Kind] | null) => void;
}

interface DefinitionActsProps<Kind extends keyof Kinds> extends ActsProps<Kind> {
  readonly kind: Kind;
  /** What changing one is called, and what deleting one asks. */
  readonly words: { readonly changeTitle: string; readonly removeTitle: string; readonly removeHint: string };
  /** The dialog that makes one, or changes it. */
  readonly dialog: (form: DialogOf<Kind>) => ComponentChildren;
}

export interface DialogOf<Kind extends keyof Kinds> {
  readonly websiteId: string;
  /** The one that is changed; null: one is made. */
  readonly one: Kinds[Kind] | null;
  readonly onClose: () => void;
  /** It is done; `said` tells it in a sentence. */
  readonly onDone: (said: string, one: Kinds[Kind]) => void;
}

export function DefinitionActs<Kind extends keyof Kinds>(props: DefinitionActsProps<Kind>) {
  const { kind, websiteId, open, words, dialog, onClose, onDone } = props;
  const [said, say] = useState('');
  const close = () => {
    say('');
    onClose();
  };
  function done(sentence: string, one: Kinds[Kind] | null = null): void {
    onClose();
    say(sentence);
    onDone(one);
  }
  const form = { websiteId, onClose: close, onDone: done };
  if (open === null) return <Said text={said} />;
  if (open === 'new') return <>{dialog({ ...form, one: null })}</>;
  const { act, id, name } = open;
  if (act === 'change') {
    return (
      <Known kind={kind} id={id} title={words.changeTitle} onClose={close}>
        {(one) => dialog({ ...form, one })}
      </Known>
    );
  }
  return (
    <PlainQuestion
      title={words.removeTitle}
      name={name}
      hint={words.removeHint}
      submit={texts.value.words.remove}
      request={{ method: 'DELETE', path: pathOf(kind, id) }}
      onClose={close}
      onDone={() => done(pathsTexts.value.removed(name))}
    />
  );
}

interface KnownProps<Kind extends keyof Kinds> {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (one: Kinds[Kind]) => ComponentChildren;
}

/** What is changed, once it is known. */
function Known<Kind extends keyof Kinds>({ kind, id, title, onClose, children }: KnownProps<Kind>) {
  const { definition, read } = useDefinition(kind, id);
  if (definition) return <>{children(definition)}</>;
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded read={read}>{() => null}</Loaded>
    </Dialog>
  );
}
