/** Values of other types than a field's. */
export const NO_NUMBER = ['1', true, [], {}];
export const NO_INTEGER = [...NO_NUMBER, 0.5];
export const NO_TEXT = [7, true, [], {}];
export const NO_FLAG = [0, 'true', [], {}];
export const NO_OBJECT = [7, 'text', true, []];
export const NO_LIST = [7, 'text', true, {}];
