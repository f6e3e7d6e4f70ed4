/** Formats of recordings that are not read, by how their files begin. */
const BEGINNINGS: [RegExp, string][] = [
  [/^FORM[^]{4}AIF[FC]/, 'AIFF'],
  [/^RIFF[^]{4}AVI /, 'AVI'],
  [/^\.snd/, 'AU'],
  [/^caff/, 'CAF'],
  [/^#!AMR/, 'AMR'],
  [/^0&\xb2u\x8ef\xcf/, 'WMA'],
  [/^riff\.\x91\xcf/, 'Wave64'],
  [/^wvpk/, 'WavPack'],
  [/^MAC /, "Monkey's Audio"],
  [/^MThd/, 'MIDI'],
  [/^\.RMF/, 'RealMedia'],
  [/^FLV/, 'FLV'],
  [/^#EXTM3U/, 'M3U playlist'],
];

/** The name of a recording's format that is not read; undefined: it is not known either. */
export async function otherFormat(file: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const beginning = String.fromCharCode(...bytes);
  return BEGINNINGS.find(([pattern]) => pattern.test(beginning))?.[1];
}
