/**
 * Records the microphone.
 *
 * @param onSecond gets the number of seconds that have been recorded
 * @returns a function that ends the recording and gives it as a Blob
 */
export async function record(onSecond) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const parts = [];
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.ondataavailable = ({ data }) => onSecond(parts.push(data));
  recorder.start(1_000);
  return async () => {
    // The recorder has stopped already if the microphone was unplugged.
    if (recorder.state !== 'inactive') recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
    return new Blob(parts, { type: recorder.mimeType });
  };
}
