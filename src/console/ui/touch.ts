/** Whether a text field that gets the focus opens an on-screen keyboard. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
