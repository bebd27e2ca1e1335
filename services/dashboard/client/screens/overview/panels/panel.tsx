/** A panel of lists: one is open, shows its first rows with bars, and more on demand. */
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { useRead } from '../../../api/use-read.ts';
import { Button } from '../../../design/button.tsx';
import { Definition } from '../../../design/definition.tsx';
import { Icon } from '../../../design/icon.tsx';
import { Tabs } from '../../../design/tabs.tsx';
import { ExportActs } from '../../../exports/export-acts.tsx';
import { FaultNotice } from '../../../states/fault-notice.tsx';
import { PartFailed } from '../../../states/part-failed.tsx';
import { Skeleton } from '../../../states/skeleton.tsx';
import { texts } from '../../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../../website/batch.ts';
import { sceneKey } from '../../../website/scene.ts';
import { GOALS, type List, type Panel as PanelOf } from '../panels.ts';
import { FEW, limitOf, listRequest, STEPS } from '../questions.ts';
import type { View } from '../use-view.ts';
import { AllGoals, NoGoal } from './goals.tsx';
import { listText } from './list-text.ts';
import { Rows } from './rows.tsx';
import { fileOf, shownList } from './shown-list.ts';
import { panelTexts } from './texts.ts';
import { wholeFile } from './whole-file.ts';

interface PanelProps {
  readonly panel: PanelOf;
  readonly view: View;
  /** The answer of the whole screen. */
  readonly batch: QueryBatch | undefined;
  /** Whether the screen's request asks for a list. */
  readonly isAsked: (dataset: string) => boolean;
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
    <>
      <div class="row panel-head">
        <h2>{title}</h2>
        <Definition
          term={panel.lists.length > 1 ? `${title}: ${listText(t.lists, list)}` : title}
          text={listText(t.listDefinitions, list)}
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
              tabs={panel.lists.map((each) => ({ key: each.dataset, text: listText(t.lists, each) }))}
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
    </>
  );
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
    return { content, file: fileOf(content), rows };
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
  const { content, file, rows } = drawn;
  const note = (panelTexts.value.listNote as Readonly<Record<string, string>>)[list.dataset];
  const next = content.hasMore ? Math.min(step + 1, STEPS.length - 1) : 0;
  function change(): void {
    if (fault) own.again();
    else open({ range, step: next });
  }
  const isEmpty = content.rows.length === 0;
  let nothing = <p class="soft nothing">{t.overview.nothing}</p>;
  let more = <span />;
  if (list === GOALS) {
    nothing = <NoGoal websiteId={view.websiteId} />;
    if (!isEmpty) more = <AllGoals websiteId={view.websiteId} />;
  } else if (content.hasMore || isLong) {
    more = (
      <Button kind="plain" isBusy={isComing} onClick={change}>
        {next > step || isComing ? t.words.more : t.overview.fewer}
      </Button>
    );
  }
  return (
    <div class="rows" aria-busy={isComing}>
      {note && <p class="note small soft">{note}</p>}
      {fault && <FaultNotice fault={fault} at={own.at} repeatsAt={own.repeatsAt} again={own.again} />}
      {isEmpty ? nothing : rows}
      <div class="row spread panel-foot">
        {more}
        {!isEmpty && (
          <ExportActs
            title={listText(panelTexts.value.lists, list)}
            file={list.dataset}
            {...file}
            whole={content.hasMore ? () => wholeFile(view, list) : undefined}
            request={listRequest(view, list.dataset, shown)}
          />
        )}
      </div>
    </div>
  );
}
