/** Whether data is dear: the browser is set to save it, or the device is on a mobile network. Only Chromium tells. */
export function isMetered(): boolean {
  return ofConnection('saveData') === true || ofConnection('type') === 'cellular';
}

/** Bytes a second, as the browser estimates; undefined: it does not. */
export function networkSpeed(): number | undefined {
  const megabits = ofConnection('downlink');
  return typeof megabits === 'number' && megabits > 0 ? megabits * 125_000 : undefined;
}

function ofConnection(fact: 'saveData' | 'type' | 'downlink'): unknown {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return Reflect.get(Object(connection), fact);
}
