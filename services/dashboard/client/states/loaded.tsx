/** Shows what was read: its place while it loads, the content once it is there, and a fault above the last content. */
import type { ComponentChildren } from 'preact';
import type { Read } from '../api/use-read.ts';
import { FaultNotice } from './fault-notice.tsx';
import { Skeleton } from './skeleton.tsx';
import { useOldClass } from './use-old.ts';

interface LoadedProps<T> {
  readonly read: Read<T>;
  /** Lines of the placeholder, about as high as what comes. */
  readonly lines?: number;
  readonly children: (data: T) => ComponentChildren;
}

export function Loaded<T>({ read, lines = 5, children }: LoadedProps<T>) {
  const { data, fault, at, repeatsAt, again, isLoading, isOld } = read;
  const old = useOldClass(isOld);
  return (
    <div class="stack" aria-busy={isLoading}>
      {fault && <FaultNotice fault={fault} at={data && at} repeatsAt={repeatsAt} again={again} />}
      {data === undefined && fault === undefined && <Skeleton lines={lines} />}
      {data !== undefined && <div class={`stack ${old}`}>{children(data)}</div>}
    </div>
  );
}
