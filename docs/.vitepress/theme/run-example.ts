/** Adds a button to each example of the page that can run, unless it has one. */
export function addRunButtons(): void {
  for (const example of document.querySelectorAll('.runnable:not(:has(.run))')) {
    const button = document.createElement('button');
    button.className = 'run';
    button.textContent = 'Run it here';
    button.addEventListener('click', () => {
      const code = example.querySelector('code')?.textContent ?? '';
      void run(code, example, button);
    });
    example.append(button);
  }
}

async function run(code: string, example: Element, button: HTMLButtonElement): Promise<void> {
  const output = outputOf(example);
  button.disabled = true;
  button.textContent = 'Running …';
  try {
    await asModule(code, (text) => (output.textContent += text));
    output.dataset['state'] = 'done';
  } catch (error) {
    output.textContent += String(error);
    output.dataset['state'] = 'failed';
  } finally {
    button.disabled = false;
    button.textContent = 'Run it again';
  }
}

/** An empty place for what the example prints. */
function outputOf(example: Element): HTMLOutputElement {
  example.querySelector('output')?.remove();
  const output = document.createElement('output');
  example.append(output);
  return output;
}

/**
 * Runs the code as a module of its own, which ends when its last line has. It prints to `print`: the text
 * of a stream in one line, anything else in lines of its own.
 */
async function asModule(code: string, print: (text: string) => void): Promise<void> {
  const log = (...values: unknown[]) => {
    const isPiece = values.length === 1 && typeof values[0] === 'string';
    print(isPiece ? String(values[0]) : `${values.map(shown).join(' ')}\n`);
  };
  const name = `example${crypto.randomUUID().replaceAll('-', '')}`;
  Object.assign(globalThis, { [name]: { ...console, log } });
  const module = new Blob([`const console = globalThis.${name};\n${code}`], {
    type: 'text/javascript',
  });
  const url = URL.createObjectURL(module);
  try {
    await import(/* @vite-ignore */ url);
  } finally {
    URL.revokeObjectURL(url);
    Reflect.deleteProperty(globalThis, name);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
