/** Whether data is dear: the browser is set to save it, or the device is on a mobile network. Only Chromium tells. */
export function isMetered(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  const says = (fact: 'saveData' | 'type'): unknown => Reflect.get(Object(connection), fact);
  return says('saveData') === true || says('type') === 'cellular';
}
