/** Which key an act is about, in which version, and how it is read again afterwards. */
export interface KeyTarget {
  readonly id: string;
  /** Names the version that the reader saw: what somebody else changed since is not overwritten. */
  readonly etag: string | null;
  /** Whether it is being read again: what is shown may be old, so nothing is sent. */
  readonly isReading: boolean;
  again(): void;
}

/** The path of an act on a key, or of the key itself. */
export function pathOf({ id }: KeyTarget, act?: 'rotate' | 'revoke'): string {
  const path = `/v1/api-keys/${encodeURIComponent(id)}`;
  return act === undefined ? path : `${path}/${act}`;
}
