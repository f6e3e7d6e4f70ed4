/** A worker of the embedding page: asks the API with plain fetch and says what came. */
self.onmessage = async ({ data: { url, init } }) => {
  const response = await fetch(url, init);
  self.postMessage({ status: response.status, body: await response.json() });
};
