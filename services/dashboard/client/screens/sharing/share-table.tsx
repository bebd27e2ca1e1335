/** The shares as a table: what each shows, how long, where it may be embedded, and what may be done about it. */
import { useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import type { ShareView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Instant } from '../../design/instant.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { listTexts } from '../../share/list-texts.ts';
import { SERIES, TOTALS } from '../../share/shown-lists.ts';
import { formatInstant, formatList } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { sharingTexts } from './texts.ts';

export type Act = 'link' | 'change' | 'revoke';

interface ShareTableProps {
  readonly shares: readonly ShareView[];
  readonly sort: string;
  readonly onAct: (act: Act, share: ShareView) => void;
}

export function ShareTable({ shares, sort, onAct }: ShareTableProps) {
  const t = sharingTexts.value;
  const w = texts.value.words;
  const { change } = useAddress();
  const columns: Column<ShareView>[] = [
    { key: 'name', title: w.name, sort: 'name', cell: (share) => <Name of={share} /> },
    {
      key: 'datasets',
      title: t.shows,
      cell: ({ datasets }) => <bdi>{formatList(datasets.map(shownName))}</bdi>,
    },
    {
      key: 'origins',
      title: t.embedding,
      cell: ({ origins }) =>
        origins.length === 0 ? <span class="soft">{t.nowhere}</span> : <bdi>{origins.join(', ')}</bdi>,
    },
    {
      key: 'createdAt',
      title: w.created,
      sort: 'createdAt',
      cell: ({ createdAt }) => <Instant at={createdAt} />,
    },
    {
      key: 'acts',
      title: t.acts,
      cell: (share) => (
        <span class="row screen-only">
          <Button icon="copy" label={t.linkOf(share.name)} onClick={() => onAct('link', share)}>
            {t.theLink}
          </Button>
          {may('manage:websites') && (
            <>
              <Button label={t.changeOf(share.name)} onClick={() => onAct('change', share)}>
                {w.change}
              </Button>
              <Button kind="danger" label={t.revokeOf(share.name)} onClick={() => onAct('revoke', share)}>
                {t.revoke}
              </Button>
            </>
          )}
        </span>
      ),
    },
  ];
  return (
    <Table
      caption={t.list}
      columns={columns}
      rows={shares}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={(next) => change({ sort: next, cursor: undefined }, true)}
      stacks
    />
  );
}

function Name({ of: { name, hasPassword, expiresAt } }: { of: ShareView }) {
  const t = sharingTexts.value;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <span class="row">
      <bdi>{name}</bdi>
      {hasPassword && <span class="badge">{t.locked}</span>}
      {expiresAt !== null && (
        <span class={isOver ? 'badge bad' : 'badge'}>
          {isOver ? t.ended : <Instant at={expiresAt} text={t.endsOn(formatInstant(expiresAt))} />}
        </span>
      )}
    </span>
  );
}

/** A dataset as people name it, or as the API does. */
function shownName(dataset: string): string {
  const { totals, series, lists } = listTexts.value;
  const names: Readonly<Record<string, string>> = { ...lists, [TOTALS]: totals, [SERIES]: series };
  return Object.hasOwn(names, dataset) ? (names[dataset] as string) : dataset;
}
