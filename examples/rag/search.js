/** The chunks that mean the same as the question or share its words, best first. */
export function search(question, vector, chunks, most = 20) {
  const meaning = chunks.map((chunk) => cosine(vector, chunk.vector));
  // Reciprocal rank fusion, with its usual number: 60.
  const points = new Map();
  for (const scores of [meaning, bm25(question, chunks)]) {
    const places = [...scores.keys()].filter((place) => scores[place] > 0);
    places.sort((a, b) => scores[b] - scores[a]);
    for (const [rank, place] of places.slice(0, most).entries())
      points.set(place, (points.get(place) ?? 0) + 1 / (60 + rank));
  }
  const best = [...points].sort(([, a], [, b]) => b - a).slice(0, most);
  return best.map(([place]) => chunks[place]);
}

const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);
const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** How well the words of each chunk match those of the question. */
function bm25(question, chunks) {
  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const texts = chunks.map(({ passage }) => wordsOf(passage));
  const usual = texts.flat().length / texts.length;
  const lengths = texts.map((words) => words.length / usual);
  const scores = texts.map(() => 0);
  for (const word of new Set(wordsOf(question))) {
    const counts = texts.map((words) => words.filter((each) => each === word).length);
    const having = counts.filter(Boolean).length;
    const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    for (const [place, count] of counts.entries())
      scores[place] += (rarity * count) / (count + 0.3 + 0.9 * lengths[place]);
  }
  return scores;
}
