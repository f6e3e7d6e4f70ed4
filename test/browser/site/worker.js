/** A worker of the embedding page: sends a plain fetch to the API and posts the answer. */
self.onmessage = async ({ data: { url, init } }) => {
  const response = await fetch(url, init);
  self.postMessage({ status: response.status, body: await response.json() });
};
