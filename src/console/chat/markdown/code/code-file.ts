/** The usual endings of files whose language has a longer name, as code fences write it. */
const ENDINGS: Readonly<Record<string, string>> = {
  bash: 'sh',
  csharp: 'cs',
  javascript: 'js',
  kotlin: 'kt',
  markdown: 'md',
  mermaid: 'mmd',
  perl: 'pl',
  plaintext: 'txt',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  text: 'txt',
  typescript: 'ts',
  yaml: 'yml',
};

/** The name under which code is saved. A language that is not known is its own ending if it could be one. */
export function codeFileName(language: string): string {
  const name = language.toLowerCase();
  const ending = ENDINGS[name] ?? (/^[a-z0-9]{1,6}$/.test(name) ? name : 'txt');
  return `code.${ending}`;
}
