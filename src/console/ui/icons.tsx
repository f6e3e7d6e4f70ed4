import type { VNode } from 'preact';

/** Outlines to be stroked, on a grid of 24 by 24, one path each. */
const PATHS = {
  arrowDown: 'M12 5v14M6 13l6 6 6-6',
  arrowUp: 'M12 19V5M6 11l6-6 6 6',
  attach:
    'M18.5 11l-7 7a4 4 0 0 1-5.7-5.7l7.4-7.3a2.7 2.7 0 0 1 3.8 3.8l-7.3 7.3a1.3 1.3 0 0 1-1.9-1.9l6.4-6.3',
  back: 'M15 6l-6 6 6 6',
  branch: 'M7 4v10M7 14a3 3 0 1 0 .1 0M17 4a3 3 0 1 0 .1 0M17 10c0 4-6 3-10 5',
  chat: 'M5 5h14v10H10l-5 4z',
  chevron: 'M7 10l5 5 5-5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
  cube: 'M12 3.5l7.5 4.2v8.6L12 20.5l-7.5-4.2V7.7zM4.5 7.7L12 12l7.5-4.3M12 12v8.5',
  device: 'M4 5h16v11H4zM9 20h6M12 16v4',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  eye: 'M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  file: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6',
  folder: 'M3.5 6h6l2 2.5h9V19h-17z',
  forward: 'M9 6l6 6-6 6',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c2.4 2.3 3.6 5.1 3.6 8.5s-1.2 6.2-3.6 8.5c-2.4-2.3-3.6-5.1-3.6-8.5s1.2-6.2 3.6-8.5z',
  key: 'M8 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM11.5 12H20M17 12v3.5M20 12v2.5',
  history: 'M4 5h9v7H8l-4 3.5zM16 9.5h4V20l-3.5-3H9.5v-2',
  list: 'M5 7h14M5 12h14M5 17h9',
  lock: 'M6.5 11h11v8.5h-11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  microphone:
    'M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6 11.5a6 6 0 0 0 12 0M12 17.5V21',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  pencil: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v5',
  play: 'M8 5.5v13l11-6.5z',
  plus: 'M12 5v14M5 12h14',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.4-5.5M19.5 3.5v4h-4',
  sliders: 'M5 8h8M17 8h2M5 16h2M11 16h8M15 6v4M9 14v4',
  sound: 'M4 9.5v5h3.5l5 4v-13l-5 4zM16 9a4.2 4.2 0 0 1 0 6M18.5 6.5a7.8 7.8 0 0 1 0 11',
  stop: 'M7 7h10v10H7z',
  talk: 'M4 10.5v3M8 7.5v9M12 4.5v15M16 7.5v9M20 10.5v3',
  terminal: 'M4 5h16v14H4zM8 10l2.5 2L8 14M13 14.5h3.5',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7',
  wrap: 'M4 6h16M4 12h12.5a3 3 0 0 1 0 6H12M14.5 15.5L12 18l2.5 2.5M4 18h4',
  warning: 'M12 4.5L21 19.5H3zM12 10v4.5M12 17v.4',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon is only decoration: the control around it has the accessible name. */
export function Icon({ name }: { name: IconName }): VNode {
  return (
    <svg viewBox="0 0 24 24" class={`icon icon-${name}`} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
