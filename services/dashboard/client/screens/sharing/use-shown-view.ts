/** The saved view that a share shows: one that there is, or one that is made of a range, once, however often the share is refused. */
import { useRef } from 'preact/hooks';
import type { Answer } from '../../api/answer.ts';
import { call } from '../../api/call.ts';
import { timezone } from '../../texts/format.ts';

export interface ShownView {
  /** The identifier of the view that `shown` of a draft means. */
  idOf(shown: string, name: string): Promise<Answer<string>>;
  /** Removes what was made for a share that never came to be. */
  drop(): void;
  /** The share is there: what was made stays. */
  keep(): void;
}

export function useShownView(websiteId: string): ShownView {
  const made = useRef<{ shown: string; id: string }>(null);
  function drop(): void {
    const id = made.current?.id;
    made.current = null;
    if (id !== undefined) void call({ method: 'DELETE', path: `/v1/views/${encodeURIComponent(id)}` });
  }
  return {
    drop,
    keep() {
      made.current = null;
    },
    async idOf(shown, name) {
      const [, kind, value = ''] = /^(view|preset):(.*)$/s.exec(shown) ?? [];
      const given = kind === 'view' ? value : made.current?.shown === shown ? made.current.id : undefined;
      if (given !== undefined) return { ok: true, status: 200, body: given, etag: null };
      drop();
      const body = {
        ...{ websiteId, name, shared: true },
        state: { preset: value, timezone: timezone.value },
      };
      const answer = await call<{ data: { id: string } }>({ method: 'POST', path: '/v1/views', body });
      if (!answer.ok) return answer;
      made.current = { shown, id: answer.body.data.id };
      return { ...answer, body: made.current.id };
    },
  };
}
