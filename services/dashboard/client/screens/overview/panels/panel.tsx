/** A panel of lists: one is open, shows its first rows with bars, and more on demand. */
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { OFFLINE } from '../../../api/fault.ts';
import { useRead } from '../../../api/use-read.ts';
import { Button } from '../../../design/button.tsx';
import { Definition } from '../../../design/definition.tsx';
import { Icon } from '../../../design/icon.tsx';
import { type Column, Table } from '../../../design/table.tsx';
import { Tabs } from '../../../design/tabs.tsx';
import type { Cell } from '../../../exports/csv.ts';
import { ExportActs } from '../../../exports/export-acts.tsx';
import type { Whole } from '../../../exports/whole-list.ts';
import { FaultNotice } from '../../../states/fault-notice.tsx';
import { PartFailed } from '../../../states/part-failed.tsx';
import { Skeleton } from '../../../states/skeleton.tsx';
import { formatNumber, formatPercent } from '../../../texts/format.ts';
import { texts } from '../../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../../website/batch.ts';
import { Change } from '../../../website/change.tsx';
import { nameOf } from '../../../website/formats.ts';
import { sceneKey } from '../../../website/scene.ts';
import { withFilter } from '../../../website/scene-filters.ts';
import type { List, Panel as PanelOf } from '../panels.ts';
import { FEW, limitOf, listRequest, MOST, STEPS } from '../questions.ts';
import type { View } from '../use-view.ts';
import { filtersOfRow, type ListRow, type ShownList, shownList, tableOf } from './shown-list.ts';
import { panelTexts } from './texts.ts';

interface PanelProps {
  readonly panel: PanelOf;
  readonly view: View;
  /** The answer of the whole screen. */
  readonly batch: QueryBatch | undefined;
  /** Whether the screen's request asks for a list. */
  readonly isAsked: (dataset: string) => boolean;
  readonly isOld: boolean;
  /** Whether the screen's request failed; its fault stands above all panels. */
  readonly hasFailed: boolean;
  readonly again: () => void;
  readonly onAway: () => void;
  /** Stands beside the lists. */
  readonly children?: ComponentChildren;
}

export function Panel(props: PanelProps) {
  const { panel, view } = props;
  const t = panelTexts.value;
  const list = view.listOf(panel);
  const title = t.panels[panel.key];
  const content = <OpenList key={list.dataset} list={list} {...props} />;
  return (
    <div class={`card panel panel-${panel.key}`}>
      <div class="row panel-head">
        <h2>{title}</h2>
        <Definition
          term={panel.lists.length > 1 ? `${title}: ${textOf(t.lists, list)}` : title}
          text={textOf(t.listDefinitions, list)}
        />
        <button
          class="button plain screen-only"
          type="button"
          data-panel={panel.key}
          aria-label={t.putAway(title)}
          onClick={props.onAway}
        >
          <Icon name="x" />
        </button>
      </div>
      <div class="panel-body">
        {props.children}
        <div class="stack">
          {panel.lists.length > 1 ? (
            <Tabs
              label={title}
              chosen={list.dataset}
              tabs={panel.lists.map((each) => ({ key: each.dataset, text: textOf(t.lists, each) }))}
              onChoose={(dataset) => {
                const next = panel.lists.find((each) => each.dataset === dataset);
                if (next) view.showList(panel, next);
              }}
            >
              {content}
            </Tabs>
          ) : (
            content
          )}
        </div>
      </div>
    </div>
  );
}

/** A text of the list; a list without one has an empty one, and a missing one would not compile in the catalogue's type. */
function textOf(catalogue: Readonly<Record<string, string>>, { dataset }: List): string {
  return catalogue[dataset] ?? '';
}

function OpenList(props: PanelProps & { list: List }) {
  const { list, view, batch, isAsked, again } = props;
  // Another range begins with its first rows; it is drawn into those of the one before.
  const range = sceneKey(view);
  const [opened, open] = useState({ range, step: 0 });
  const step = opened.range === range ? opened.step : 0;
  const wanted = STEPS[step] ?? FEW;
  const isInBatch = isAsked(list.dataset) && limitOf(list.dataset, FEW) >= limitOf(list.dataset, wanted);
  const own = useRead<QueryBatch>(isInBatch ? null : listRequest(view, list.dataset, wanted));
  const ownRange = useRef<string>(null);
  if (own.data && !own.isOld) ownRange.current = range;
  const isOwn = !isInBatch && ownRange.current === range;
  const ownAnswer = isOwn ? answerOf(own.data, list.dataset) : undefined;
  const answer = ownAnswer ?? answerOf(batch, list.dataset);
  const fault = isInBatch ? undefined : own.fault;
  const isComing = !isInBatch && (own.isLoading || own.isOld);
  // Until more rows are there, those before stay.
  const shown = isComing || fault ? (STEPS[step - 1] ?? FEW) : wanted;
  const isLong = step > 0;
  const drawn = useMemo(() => {
    if (!answer?.success) return null;
    const content = shownList(answer, list, shown);
    const rows = <Rows list={list} content={content} isLong={isLong} view={view} />;
    return { content, table: tableOf(content), rows };
  }, [answer, list, shown, isLong, view]);
  const t = texts.value;
  if (answer === undefined) {
    const isWaiting = isInBatch ? !props.hasFailed : fault === undefined;
    return (
      <div class="rows">
        {fault && <FaultNotice fault={fault} repeatsAt={own.repeatsAt} again={own.again} />}
        {isWaiting ? <Skeleton lines={FEW} /> : <p class="soft nothing">{t.overview.noNumbers}</p>}
      </div>
    );
  }
  if (drawn === null) {
    return (
      <div class="rows">
        <PartFailed answer={answer} again={isInBatch ? again : own.again} />
      </div>
    );
  }
  const isOld = isInBatch && props.isOld;
  const { content, table, rows } = drawn;
  const note = (panelTexts.value.listNote as Readonly<Record<string, string>>)[list.dataset];
  const next = content.hasMore ? Math.min(step + 1, STEPS.length - 1) : 0;
  function change(): void {
    if (fault) own.again();
    else open({ range, step: next });
  }
  return (
    <div class={`rows ${isOld ? 'is-old' : ''}`} aria-busy={isOld || isComing}>
      {note && <p class="note small soft">{note}</p>}
      {fault && <FaultNotice fault={fault} at={own.at} repeatsAt={own.repeatsAt} again={own.again} />}
      {content.rows.length === 0 ? <p class="soft nothing">{t.overview.nothing}</p> : rows}
      <div class="row spread panel-foot">
        {content.hasMore || isLong ? (
          <Button kind="plain" isBusy={isComing} onClick={change}>
            {next > step || isComing ? t.words.more : t.overview.fewer}
          </Button>
        ) : (
          <span />
        )}
        {content.rows.length > 0 && (
          <ExportActs
            title={textOf(panelTexts.value.lists, list)}
            file={list.dataset}
            {...table}
            whole={content.hasMore ? () => wholeOf(view, list) : undefined}
            request={listRequest(view, list.dataset, shown)}
          />
        )}
      </div>
    </div>
  );
}

/** The whole list for a file, as far as the API answers it in one call. */
async function wholeOf(view: View, list: List): Promise<Whole<readonly Cell[]>> {
  const answer = await call<QueryBatch>(listRequest(view, list.dataset, MOST));
  if (!answer.ok) return answer;
  const dataset = answerOf(answer.body, list.dataset);
  // The API says why in a sentence, which stands in the panel once it is asked there.
  if (!dataset?.success) return { ok: false, fault: { ...OFFLINE, kind: 'unavailable', status: 200 } };
  const content = shownList(dataset, list, MOST);
  return { ok: true, rows: tableOf(content).rows, isCut: content.hasMore };
}

interface RowsProps {
  readonly list: List;
  readonly content: ShownList;
  readonly isLong: boolean;
  readonly view: View;
}

function Rows({ list, content, isLong, view }: RowsProps) {
  const t = panelTexts.value;
  const isOfSessions = list.dataset === 'entry_pages' || list.dataset === 'exit_pages';
  const change: Column<ListRow>[] =
    view.comparison === undefined
      ? []
      : [
          {
            key: 'change',
            title: texts.value.overview.change.title,
            isNumber: true,
            cell: ({ numbers, before }) => <Change now={numbers[0]} before={before} />,
          },
        ];
  const [first, second] = list.columns;
  const columnTitles: Readonly<Record<string, string>> = t.columns;
  return (
    <div class={isLong ? 'bars long' : 'bars'}>
      <Table<ListRow>
        caption={textOf(t.lists, list)}
        rows={content.rows}
        rowKey={({ name, country }) => `${country} ${name}`}
        columns={[
          {
            key: 'name',
            title: textOf(t.names, list),
            cell: (row) => {
              const name = nameOf(row.name, row.country, list.kind);
              return (
                <span class="bar">
                  <span class="share" style={{ width: `${row.share * 100}%` }} />
                  <button
                    type="button"
                    class="drill"
                    title={texts.value.overview.only(name)}
                    onClick={() => view.showFilters(filtersOfRow(row, list).reduce(withFilter, view.filters))}
                  >
                    <bdi>{name}</bdi>
                  </button>
                </span>
              );
            },
          },
          {
            key: first,
            title: isOfSessions ? t.entries : (columnTitles[first] ?? first),
            isNumber: true,
            cell: ({ numbers }) => formatNumber(numbers[0]),
          },
          ...change,
          {
            key: second,
            title: columnTitles[second] ?? second,
            isNumber: true,
            cell: ({ numbers }) => formatNumber(numbers[1]),
          },
          {
            key: 'percentage',
            title: t.columns.percentage,
            isNumber: true,
            cell: ({ percentage }) => <span class="soft">{formatPercent(percentage)}</span>,
          },
        ]}
      />
    </div>
  );
}
