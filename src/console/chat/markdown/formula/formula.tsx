import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A formula. It is shown as its source until it is drawn, and if it cannot be. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }): VNode {
  const place = useRef<HTMLElement>(null);
  const isDrawn = useSignal(false);
  useEffect(() => {
    isDrawn.value = false;
    let isCurrent = true;
    void import('./draw-formula.ts')
      .then(({ drawFormula }) => {
        if (isCurrent && place.current) isDrawn.value = drawFormula(place.current, tex, isBlock);
      })
      // Without a network, it stays as it is.
      .catch(() => undefined);
    return () => (isCurrent = false);
  }, [tex, isBlock]);
  return (
    <span class={isBlock ? 'formula on-its-own' : 'formula'} dir="ltr">
      <span ref={place} hidden={!isDrawn.value} />
      {!isDrawn.value && <code>{tex}</code>}
    </span>
  );
}
