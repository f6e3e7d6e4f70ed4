/**
 * Whether the API of a site answers this path.
 *
 * @param root - path that contains `v1`, with slashes at both ends: `/` or `/repo/`
 */
export function isApiPath(pathname: string, root: string): boolean {
  return pathname === `${root}v1` || pathname.startsWith(`${root}v1/`);
}
