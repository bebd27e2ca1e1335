/** A partition: the events that are kept, found and removed together. */

/** The events of one website or, where `websiteId` is null, those of an organization that belong to no website. */
export interface Partition {
  readonly organizationId: string;
  readonly websiteId: string | null;
}

/** Tells partitions apart, such as in a document's `_id`. */
export function partitionId({ organizationId, websiteId }: Partition): string {
  return websiteId === null ? organizationId : `${organizationId}/${websiteId}`;
}
