import type { Drafts } from '../chat/drafts.ts';

declare global {
  /** Hands over the files that the system opens with the installed app. Not all browsers have it. */
  var launchQueue: { setConsumer(take: (launch: Launch) => void): void } | undefined;
}

interface Launch {
  readonly files?: readonly { getFile(): Promise<File> }[];
}

/** The parameters of the address with which the manifest's `share_target` opens the page. */
const SHARED = ['title', 'text', 'url'];

/** Puts what other apps share with the installed one, and the files that it opens, into the draft of a new chat. */
export function takeShared(drafts: Drafts): void {
  const params = new URLSearchParams(location.search);
  const texts = SHARED.map((name) => params.get(name) ?? '').filter((text) => text !== '');
  if (texts.length > 0) {
    drafts.of('').text.value = texts.join('\n');
    history.replaceState(null, '', location.pathname + location.hash);
  }
  globalThis.launchQueue?.setConsumer(({ files = [] }) => {
    void Promise.all(files.map((file) => file.getFile())).then((read) => drafts.of('').add(read));
  });
}
