/** Reads the arguments of a call as they stream, wherever the pieces are cut. */
export interface ArgumentsReader {
  /**
   * @param text - the part that the last call did not use, followed by what has arrived since
   * @returns what the text adds to the arguments' JSON, how much of it is used, and whether the arguments end there
   */
  read(text: string): ReadArguments;
  /** What is missing of the JSON if the model has ended its answer here. */
  finish(): string;
}

export interface ReadArguments {
  json: string;
  used: number;
  isOver: boolean;
}

/** Finds the end of a JSON object whose opening bracket comes first. */
export class JsonArguments implements ArgumentsReader {
  #depth = 0;
  #inString = false;
  #escaped = false;

  read(text: string): ReadArguments {
    for (let at = 0; at < text.length; at++) {
      this.#read(text.charAt(at));
      if (this.#depth === 0) return { json: text.slice(0, at + 1), used: at + 1, isOver: true };
    }
    return { json: text, used: text.length, isOver: false };
  }

  finish(): string {
    return '';
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
