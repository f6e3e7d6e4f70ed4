export type BrowserName = 'chrome' | 'edge' | 'firefox' | 'safari' | 'other';
export type Platform = 'windows' | 'mac' | 'linux' | 'android' | 'ios' | 'other';

export interface Browser {
  name: BrowserName;
  platform: Platform;
}

/** Used only to word advice, never to switch features on or off. */
export function detectBrowser(userAgent: string, maxTouchPoints = 0): Browser {
  return { name: browserName(userAgent), platform: platformOf(userAgent, maxTouchPoints) };
}

/** The order matters: Edge calls itself Chrome too, and Chrome calls itself Safari. */
function browserName(userAgent: string): BrowserName {
  if (/\bEdgA?\//.test(userAgent)) return 'edge';
  if (/\b(?:Firefox|FxiOS)\//.test(userAgent)) return 'firefox';
  if (/(?:Chrome|Chromium|CriOS)\//.test(userAgent)) return 'chrome';
  if (/\bSafari\//.test(userAgent)) return 'safari';
  return 'other';
}

function platformOf(userAgent: string, maxTouchPoints: number): Platform {
  if (/Android/.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  // An iPad calls itself a Mac; no Mac has a touch screen.
  if (/Mac OS X/.test(userAgent)) return maxTouchPoints > 1 ? 'ios' : 'mac';
  if (/Windows/.test(userAgent)) return 'windows';
  return /Linux|X11/.test(userAgent) ? 'linux' : 'other';
}
