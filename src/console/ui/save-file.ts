/** Lets the browser save a file. */
export function saveFile(content: string | Blob, name: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has started to save the file and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
