/** How little the first places of a list stand out: the usual number of reciprocal rank fusion. */
const RANK_OFFSET = 60;

/** The chunks that mean the same as the question or share its words, best first. */
export function search(question, vector, chunks, most) {
  const meaning = chunks.map((chunk) => cosine(vector, chunk.vector));
  const points = new Map();
  for (const scores of [meaning, bm25(question, chunks)]) {
    const places = [...scores.keys()].filter((place) => scores[place] > 0);
    places.sort((a, b) => scores[b] - scores[a]);
    for (const [rank, place] of places.slice(0, most).entries()) {
      points.set(place, (points.get(place) ?? 0) + 1 / (RANK_OFFSET + rank));
    }
  }
  const best = [...points].sort(([, a], [, b]) => b - a).slice(0, most);
  return best.map(([place]) => chunks[place]);
}

function cosine(a, b) {
  const dot = (x, y) => x.reduce((sum, value, index) => sum + value * y[index], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** How well the words of each chunk match those of the question. */
function bm25(question, chunks) {
  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const texts = chunks.map(({ passage }) => wordsOf(passage));
  const usual = texts.flat().length / texts.length;
  const scores = texts.map(() => 0);
  for (const word of new Set(wordsOf(question))) {
    const counts = texts.map((words) => words.filter((each) => each === word).length);
    const having = counts.filter(Boolean).length;
    const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    for (const [place, count] of counts.entries()) {
      const length = texts[place].length / usual;
      scores[place] += (rarity * count) / (count + 0.3 + 0.9 * length);
    }
  }
  return scores;
}
