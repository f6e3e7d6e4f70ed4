/**
 * The response of the network; without a network, a copy.
 *
 * @param copy - finds the copy
 * @param store - gets a response to keep, as a copy for later
 */
export async function networkFirst(
  request: Request,
  copy: () => Promise<Response | undefined>,
  store: (response: Response) => void,
): Promise<Response> {
  try {
    const response = await fetch(request);
    if (response.ok) store(response.clone());
    return response;
  } catch (error) {
    const kept = await copy();
    if (kept) return kept;
    throw error;
  }
}
