/** What a PDF for tests is. */
interface PdfOptions {
  /** Whether it needs a password, which nobody knows. */
  isLocked?: boolean;
}

/** A PDF with these pages, each a line of ASCII; an empty one is a page with a grey square only. */
export function pdfFile(
  pages: readonly string[],
  { isLocked = false }: PdfOptions = {},
): Buffer<ArrayBuffer> {
  const first = 4;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, at) => {
      const content =
        text === ''
          ? '0.5 g 50 50 100 100 re f'
          : `BT /F1 12 Tf 50 700 Td (${escaped(text)}) Tj ET`;
      const resources = '/Resources << /Font << /F1 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${first + 2 * at + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return String(place).padStart(10, '0');
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const place of places) file += `${place} 00000 n \n`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${isLocked ? LOCK : ''} >>\n`;
  return Buffer.from(`${file}startxref\n${table}\n%%EOF\n`, 'latin1');
}

/** The hashes of passwords that nobody knows. */
const LOCK =
  ` /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>` +
  ` /ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]`;

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, String.raw`\$&`);
}
