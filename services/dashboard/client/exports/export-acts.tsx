/** The acts of everything that has numbers: its rows as CSV, the command that answers the same, and the SQL of a query. */
import { useState } from 'preact/hooks';
import { ownOrigin } from '../address.ts';
import type { Request } from '../api/answer.ts';
import type { Fault } from '../api/fault.ts';
import { may, session } from '../api/session.ts';
import { shownOrganization } from '../api/shown-organization.ts';
import { useLeft } from '../api/use-left.ts';
import { Button } from '../design/button.tsx';
import { Copy } from '../design/copy.tsx';
import { Dialog } from '../design/dialog.tsx';
import { FaultNotice } from '../states/fault-notice.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { Unloaded } from '../states/unloaded.tsx';
import { usePart } from '../states/use-part.ts';
import { formatNumber } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { type Cell, csv } from './csv.ts';
import { curlOf, sessionCurlOf } from './curl.ts';
import { tellEnded } from './ended-export.tsx';
import { saveFile } from './save-file.ts';
import type { Whole } from './whole-list.ts';

type Row = readonly Cell[];

interface ExportActsProps {
  /** What is exported, for readers of the screen. */
  readonly title: string;
  /** Name of the file, without extension. */
  readonly file: string;
  readonly header: readonly string[];
  /** What the page shows. */
  readonly rows: readonly Row[];
  /** Reads the whole list, of which the page shows a part; absent: it shows all. */
  readonly whole?: () => Promise<Whole<Row>>;
  readonly request: Request;
  /** No API key reaches it: the command logs in. */
  readonly isOfSession?: boolean;
  /** The rows are still to come. */
  readonly isBusy?: boolean;
}

export function ExportActs(props: ExportActsProps) {
  const { title, request, isOfSession } = props;
  const [open, setOpen] = useState<'curl' | 'sql' | null>(null);
  const close = () => setOpen(null);
  const hasSql = request.path === '/v1/query' && may('read:data');
  const t = texts.value.words;
  return (
    <span class="export-acts screen-only">
      <Download {...props} />
      <Button kind="plain" icon="terminal" label={`${t.asCurl}: ${title}`} onClick={() => setOpen('curl')}>
        curl
      </Button>
      {hasSql && (
        <Button kind="plain" label={`${t.asSql}: ${title}`} onClick={() => setOpen('sql')}>
          SQL
        </Button>
      )}
      {open === 'curl' && (
        <Dialog title={`${t.asCurl}: ${title}`} onClose={close}>
          <p>{isOfSession ? t.curlLoginHint : t.curlHint}</p>
          <Copy text={isOfSession ? loginCurlOf(request) : curlOf(request, ownOrigin())} label={title} />
          <Button onClick={close}>{t.close}</Button>
        </Dialog>
      )}
      {open === 'sql' && (
        <Dialog title={`${t.asSql}: ${title}`} onClose={close}>
          <p>{t.sqlHint}</p>
          <Sql request={request} />
          <Button onClick={close}>{t.close}</Button>
        </Dialog>
      )}
    </span>
  );
}

const loadSql = () => import('./shown-sql.tsx');

function Sql({ request }: { request: Request }) {
  const part = usePart<typeof import('./shown-sql.tsx')>(loadSql);
  if (part === null) return <Unloaded />;
  return part ? <part.ShownSql request={request} /> : <Skeleton lines={4} />;
}

function Download({ title, file, header, rows, whole, isBusy = false }: ExportActsProps) {
  const [isReading, setReading] = useState(false);
  /** Why there is no file, or how many rows the list was cut to. */
  const [outcome, setOutcome] = useState<Fault | number | null>(null);
  const isLeft = useLeft();
  const t = texts.value.words;
  const label = `${t.asCsv}: ${title}`;
  const close = () => setOutcome(null);
  async function save(): Promise<void> {
    if (whole === undefined) return saveFile(`${file}.csv`, csv(header, rows));
    setReading(true);
    const shown = shownOrganization();
    const read = await whole();
    const now = shownOrganization();
    if (now !== undefined && now !== shown) return tellEnded(label);
    if (isLeft()) return;
    setReading(false);
    setOutcome(null);
    if (!read.ok) return setOutcome(read.fault);
    const { rows: all, isCut, header: titles = header } = read;
    saveFile(isCut ? `${file}-first-${all.length}.csv` : `${file}.csv`, csv(titles, all));
    if (isCut) setOutcome(all.length);
  }
  return (
    <>
      <Button
        kind="plain"
        icon="download"
        isBusy={isBusy || isReading}
        label={label}
        onClick={() => void save()}
      >
        CSV
      </Button>
      {outcome !== null && (
        <Dialog title={label} onClose={close}>
          {typeof outcome === 'number' ? (
            <p>{t.csvCut(formatNumber(outcome))}</p>
          ) : (
            <FaultNotice fault={outcome} again={() => void save()} />
          )}
          <Button onClick={close}>{t.close}</Button>
        </Dialog>
      )}
    </>
  );
}

function loginCurlOf(request: Request): string {
  return sessionCurlOf(request, ownOrigin(), session.value?.activeOrganizationId ?? '');
}
