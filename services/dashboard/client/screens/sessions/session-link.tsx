/** The start of a session, as the link that opens it within the same range. */
import { useAddress } from '../../address.ts';
import { type DatasetRow, textOf } from '../../website/batch.ts';
import { sceneAddress } from '../../website/website-links.ts';

interface SessionLinkProps {
  readonly websiteId: string;
  readonly row: DatasetRow;
  readonly text: string;
}

export function SessionLink({ websiteId, row, text }: SessionLinkProps) {
  const { parameters } = useAddress();
  const session = textOf(row, 'session_id');
  if (session === '') return <>{text}</>;
  return <a href={sceneAddress(websiteId, 'sessions', parameters, { session })}>{text}</a>;
}

export function VisitorLink({ websiteId, row, text }: SessionLinkProps) {
  const { parameters } = useAddress();
  const visitor = textOf(row, 'visitor_id');
  if (visitor === '') return <>–</>;
  return (
    <a href={sceneAddress(websiteId, 'visitors', parameters, { visitor })}>
      <bdi>{text}</bdi>
    </a>
  );
}
