/**
 * The response of the network; without a network, a copy.
 *
 * @param copy - finds the copy
 * @param store - gets a response to keep, as a copy for later; its failure changes nothing
 */
export async function networkFirst(
  request: Request,
  copy: () => Promise<Response | undefined>,
  store: (response: Response) => void,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    const kept = await copy();
    if (kept) return kept;
    throw error;
  }
  try {
    if (response.ok) store(response.clone());
  } catch {
    // The file is not kept.
  }
  return response;
}
