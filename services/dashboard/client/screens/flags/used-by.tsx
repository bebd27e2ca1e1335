/** The flags that use a target group: found among all flags, and so asked for when somebody wants to know. */
import { useState } from 'preact/hooks';
import { HOME } from '../../address.ts';
import { call } from '../../api/call.ts';
import type { FlagView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { type Page, type Whole, wholeList } from '../../exports/whole-list.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { flagTexts } from './texts.ts';

export function UsedBy({ groupId }: { groupId: string }) {
  const t = flagTexts.value;
  const [isReading, setReading] = useState(false);
  const [all, setAll] = useState<Whole<FlagView> | null>(null);
  async function read(): Promise<void> {
    setReading(true);
    setAll(
      await wholeList((cursor) =>
        call<Page<FlagView>>({ path: '/v1/flags', query: { limit: 100, sort: 'key', cursor } }),
      ),
    );
    setReading(false);
  }
  const using = all?.ok ? all.rows.filter(({ targetGroupIds }) => targetGroupIds.includes(groupId)) : [];
  return (
    <>
      <div>
        <Button icon="search" isBusy={isReading} onClick={() => void read()}>
          {t.findUsers}
        </Button>
      </div>
      {all?.ok === false && <FaultNotice fault={all.fault} />}
      <p role="status">{all?.ok && t.usedByCount(using.length, all.isCut)}</p>
      {using.length > 0 && (
        <ul>
          {using.map(({ id, key }) => (
            <li key={id}>
              <a href={`${HOME}/flags/${encodeURIComponent(id)}`}>
                <bdi class="mono">{key}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
