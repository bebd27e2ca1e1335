/** The funnels of a website: all of them, or one with its steps, over time and by a dimension. */
import { useAddress, usePathPart } from '../../address.ts';
import { FunnelList } from './funnel-list.tsx';
import { OneFunnel } from './one-funnel.tsx';

export function Funnels() {
  const websiteId = usePathPart('websiteId');
  const { funnel } = useAddress().parameters;
  return funnel ? (
    <OneFunnel key={funnel} websiteId={websiteId} funnelId={funnel} />
  ) : (
    <FunnelList websiteId={websiteId} />
  );
}
