/** How many pages each node of the tree has. */
const EACH = 10;

/** A small PDF whose page tree has 10^9 empty pages: each of its nine levels lists the next one ten times. */
export function manyPages(): Buffer {
  const levels = 9;
  const nodes = Array.from({ length: levels }, (_, level) => {
    const kids = `${level + 3} 0 R `.repeat(EACH);
    const parent = level > 0 ? `/Parent ${level + 1} 0 R ` : '';
    return `<</Type/Pages ${parent}/Count ${EACH ** (levels - level)} /Kids[${kids}]>>`;
  });
  const page = `<</Type/Page /Parent ${levels + 1} 0 R /MediaBox[0 0 9 9]>>`;
  const objects = ['<</Type/Catalog /Pages 2 0 R>>', ...nodes, page];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`;
  file += `trailer\n<</Size ${size} /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file);
}
