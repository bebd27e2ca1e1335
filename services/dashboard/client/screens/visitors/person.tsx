/** What is known of a person on this website: traits, visitors and events; and erasing them. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { asMissing } from '../../api/fault.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant } from '../../texts/format.ts';
import { sceneAddress } from '../../website/website-links.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { visitorsTexts } from './texts.ts';

interface Known {
  readonly data: {
    readonly events: number;
    readonly firstEventAt: string | null;
    readonly lastEventAt: string | null;
    readonly visitorsOmitted: boolean;
    readonly websites: readonly {
      readonly traits: Readonly<Record<string, unknown>>;
      readonly visitors: readonly string[];
    }[];
  };
}

export function Person({ profileId, websiteId }: { profileId: string; websiteId: string }) {
  const t = visitorsTexts.value;
  const { parameters } = useAddress();
  const [state, setState] = useState<'shown' | 'asking' | 'erased'>('shown');
  const read = useRead<Known>({
    path: '/v1/profiles',
    query: { profile_id: profileId, website_id: websiteId },
  });
  if (state === 'erased') {
    return (
      <Notice kind="good">
        <p>{t.erase.erased}</p>
      </Notice>
    );
  }
  return (
    <section class="card stack">
      <h2>
        {t.person.title} <bdi>{profileId}</bdi>
      </h2>
      <Loaded read={{ ...read, fault: asMissing(read.fault) }}>
        {({ data }) => {
          const visitors = data.websites.flatMap((each) => each.visitors);
          const traits = data.websites.flatMap((each) => Object.entries(each.traits));
          return (
            <>
              <p>
                {t.person.events(data.events)}
                {data.firstEventAt !== null &&
                  data.lastEventAt !== null &&
                  ` ${t.person.between(formatInstant(data.firstEventAt), formatInstant(data.lastEventAt))}`}
              </p>
              {traits.length > 0 && (
                <Table
                  caption={t.person.traits}
                  rows={traits}
                  rowKey={([name]) => name}
                  columns={[
                    { key: 'name', title: t.person.trait, cell: ([name]) => <bdi>{name}</bdi> },
                    {
                      key: 'value',
                      title: t.person.value,
                      cell: ([, value]) => (
                        <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
                      ),
                    },
                  ]}
                />
              )}
              <ul class="row">
                {visitors.map((visitor) => (
                  <li key={visitor}>
                    <a href={sceneAddress(websiteId, 'visitors', parameters, { visitor })}>
                      <bdi>{visitor}</bdi>
                    </a>
                  </li>
                ))}
              </ul>
              {data.visitorsOmitted && <p class="hint">{t.person.omitted}</p>}
              <div class="row">
                <Button kind="danger" icon="trash-2" onClick={() => setState('asking')}>
                  {t.erase.person}
                </Button>
              </div>
            </>
          );
        }}
      </Loaded>
      {state === 'asking' && (
        <EraseDialog
          kind="person"
          id={profileId}
          websiteId={websiteId}
          onClose={() => setState('shown')}
          onErased={() => setState('erased')}
        />
      )}
    </section>
  );
}
