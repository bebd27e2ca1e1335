/** A new flag: once it is made its own screen goes on. */
import { HOME, useAddress } from '../../address.ts';
import { useLeft } from '../../api/use-left.ts';
import { PageHead } from '../../design/page-head.tsx';
import { FlagForm } from './flag-form.tsx';
import { flagTexts } from './texts.ts';
import { WayBack } from './way-back.tsx';

export function NewFlag() {
  const t = flagTexts.value;
  const { go } = useAddress();
  const isLeft = useLeft();
  return (
    <>
      <WayBack to={`${HOME}/flags`} text={t.title} />
      <PageHead title={t.add} lead={t.addLead} />
      <FlagForm
        onSaved={({ body }) => {
          if (!isLeft()) go(`${HOME}/flags/${encodeURIComponent(body.data.id)}`, {}, true);
        }}
      />
    </>
  );
}
