import url from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';

let loading: Promise<string> | undefined;

/** The text of Mermaid's script. It runs only in frames without an origin. */
export function library(): Promise<string> {
  loading ??= load().catch((error: unknown) => {
    // The next diagram tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.text();
}
