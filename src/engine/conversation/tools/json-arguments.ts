/** Reads the arguments of a call as they stream, wherever the pieces are cut. */
export interface ArgumentsReader {
  /**
   * @returns what the text adds to the arguments' JSON, and where in the text they end; undefined
   * if they do not end in this piece
   */
  push(text: string): { json: string; end: number | undefined };
}

/** Finds the end of a JSON object whose opening bracket comes first. */
export class JsonArguments implements ArgumentsReader {
  #depth = 0;
  #inString = false;
  #escaped = false;

  push(text: string): { json: string; end: number | undefined } {
    for (let at = 0; at < text.length; at++) {
      this.#read(text.charAt(at));
      if (this.#depth === 0) return { json: text.slice(0, at + 1), end: at + 1 };
    }
    return { json: text, end: undefined };
  }

  #read(char: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString && char === '\\') this.#escaped = true;
    else if (char === '"') this.#inString = !this.#inString;
    else if (this.#inString) return;
    else if (char === '{' || char === '[') this.#depth++;
    else if (char === '}' || char === ']') this.#depth--;
  }
}
