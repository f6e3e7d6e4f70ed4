/** The URL of a file in a folder on a server. A name may have any characters, such as `#`, `?` and `%`. */
export function fileUrl(path: string, folder: URL | string): URL {
  return new URL(path.split('/').map(encodeURIComponent).join('/'), folder);
}
