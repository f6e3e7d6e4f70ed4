/** A text's size divided by its deflated size: high for a text that repeats itself; 0 for an empty one. */
export async function compressionRatio(text: string): Promise<number> {
  const blob = new Blob([text]);
  const stream = blob.stream().pipeThrough(new CompressionStream('deflate'));
  const { byteLength } = await new Response(stream).arrayBuffer();
  return blob.size / byteLength;
}
