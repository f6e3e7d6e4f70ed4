/** Lets the user choose files, or all files of a folder. Calls back with at least one. */
export function chooseFiles(
  { isFolder = false }: { isFolder?: boolean },
  onChosen: (files: File[]) => void,
): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = isFolder;
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    if (files.length > 0) onChosen(files);
  });
  input.click();
}
