/** A GPU adapter's description of itself. How much it says depends on the browser. */
export interface AdapterInfo {
  isFallbackAdapter?: boolean;
  vendor?: string;
  architecture?: string;
  device?: string;
  description?: string;
}

/** Drivers that compute on the CPU: Chromium's, Mesa's two, and Windows's. */
const EMULATORS = /swiftshader|llvmpipe|lavapipe|basic render/i;

/** Whether this adapter computes on the CPU; undefined: the browser does not tell. */
export function isEmulated(info: AdapterInfo): boolean | undefined {
  return EMULATORS.test(namesOf(info).join(' ')) ? true : info.isFallbackAdapter;
}

/** The GPU's name in the browser's words; empty: the browser does not tell. */
export function gpuName(info: AdapterInfo): string {
  const { description } = info;
  return description ? description : namesOf(info).join(' ');
}

function namesOf({ vendor, architecture, device, description }: AdapterInfo): string[] {
  return [vendor, architecture, device, description].flatMap((name) => name || []);
}
