/** A target group, new or not: its name, its colour, its rules, the flags that use it, and its end. */
import { useState } from 'preact/hooks';
import { HOME } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { useLeft } from '../../api/use-left.ts';
import { useRead } from '../../api/use-read.ts';
import type { TargetGroupView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { tell } from '../../states/told.tsx';
import { texts } from '../../texts/texts.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DraftForm, type Version } from './draft-form.tsx';
import { type GroupDraft, groupChangesOf, groupDraftOf, NEW_GROUP, newGroupOf } from './group-draft.ts';
import { RulePart } from './rule-part.tsx';
import { flagTexts } from './texts.ts';
import { UsedBy } from './used-by.tsx';
import { WayBack } from './way-back.tsx';

const PATH = '/v1/target-groups';
const LIST = `${HOME}/flags/groups`;

type GroupVersion = Version<TargetGroupView>;

export function NewGroup({ onMade }: { onMade: () => void }) {
  const t = flagTexts.value;
  const isLeft = useLeft();
  return (
    <>
      <WayBack to={LIST} text={t.groups} />
      <PageHead title={t.newGroup} lead={t.groupsLead} />
      <GroupForm
        onSaved={() => {
          if (isLeft()) return;
          tell(texts.value.states.saved);
          onMade();
        }}
      />
    </>
  );
}

export function OneGroup({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const t = flagTexts.value;
  const path = `${PATH}/${encodeURIComponent(id)}`;
  const read = useRead<GroupVersion['body']>({ path });
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <WayBack to={LIST} text={t.groups} />
      <PageHead title={read.data?.data.name ?? t.groups} />
      <Loaded read={{ ...read, fault: asMissing(read.fault) }} lines={12}>
        {(body) => (
          <div class="stack flag-parts">
            <GroupForm version={{ body, etag: read.etag }} onSaved={read.take} onReload={read.again} />
            <section class="card stack">
              <h2>{t.usedBy}</h2>
              <UsedBy groupId={id} />
              <div class="row">
                <Button kind="danger" icon="trash-2" onClick={() => setDeleting(true)}>
                  {t.deleteGroup}
                </Button>
              </div>
            </section>
            {isDeleting && (
              <DeleteDialog
                title={t.deleteGroup}
                lead={t.deleteGroupLead}
                of={body.data}
                path={path}
                etag={read.etag}
                onClose={() => setDeleting(false)}
                onDeleted={onDeleted}
                onReload={read.again}
              />
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

interface GroupFormProps {
  /** Absent: a new one. */
  readonly version?: GroupVersion;
  readonly onSaved: (version: GroupVersion) => void;
  /** Loads the version that there is now. */
  readonly onReload?: () => void;
}

function GroupForm({ version, onSaved, onReload }: GroupFormProps) {
  const t = flagTexts.value;
  const before = version ? groupDraftOf(version.body.data) : NEW_GROUP;
  return (
    <DraftForm<TargetGroupView, GroupDraft>
      path={PATH}
      version={version}
      before={before}
      bodyOf={(draft) => (version ? groupChangesOf(before, draft) : newGroupOf(draft))}
      onSaved={onSaved}
      onReload={onReload}
    >
      {({ draft, edit, write }) => {
        const text = (name: 'name' | 'description' | 'color') => ({
          value: draft[name],
          onInput: (value: string) => edit({ [name]: value }),
          fault: write.faultOf(name),
        });
        return (
          <>
            <div class="filters">
              <Field {...text('name')} label={texts.value.words.name} maxLength={100} isRequired />
              <Field {...text('color')} label={t.color} type="color" />
            </div>
            <Field {...text('description')} label={t.description} lines={2} maxLength={1_000} isOptional />
            <RulePart draft={draft} edit={edit} write={write} hint={t.groupRulesHint} />
          </>
        );
      }}
    </DraftForm>
  );
}
