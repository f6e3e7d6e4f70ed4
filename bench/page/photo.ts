import { seededRandom } from '../../scripts/seeded-random.ts';

const WIDTH = 4_000;
const HEIGHT = 3_000;
/** JPEG quality of phone cameras. The file has about as many bytes as theirs. */
const QUALITY = 0.9;
/** Noise of a camera's sensor from peak to peak, of 255. */
const NOISE = 24;

/** A photo of 12 megapixels, always the same one: shapes of all sizes, and a sensor's noise. */
export class Photo {
  readonly #canvas: OffscreenCanvas;
  readonly #file: Blob;
  #shown = 0;

  private constructor(canvas: OffscreenCanvas, file: Blob) {
    this.#canvas = canvas;
    this.#file = file;
  }

  static async take(): Promise<Photo> {
    const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
    drawScene(contextOf(canvas));
    return new Photo(canvas, await jpeg(canvas));
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#file.size;
  }

  /**
   * A `data:` URL of the photo. Each URL has a different file, so its tokens are in no cache.
   *
   * @param side - side of the square that the photo is scaled down to, pixels; undefined: it keeps its size
   */
  async url(side?: number): Promise<string> {
    const file = side === undefined ? this.#file : await jpeg(this.#scaled(side));
    const comment = new TextEncoder().encode(String(this.#shown++));
    const segment = Uint8Array.from([0xff, 0xfe, 0, comment.length + 2, ...comment]);
    return dataUrl(new Blob([file.slice(0, 2), segment, file.slice(2)], { type: 'image/jpeg' }));
  }

  /** Decodes the file to a square as the engine does: no larger than needed, if the browser can. */
  async decode(side: number): Promise<void> {
    const scale = Math.ceil((8 * side) / HEIGHT) / 8;
    const decoder = new ImageDecoder({
      data: await this.#file.arrayBuffer(),
      type: 'image/jpeg',
      desiredWidth: WIDTH * scale,
      desiredHeight: HEIGHT * scale,
    });
    const { image } = await decoder.decode();
    const context = contextOf(new OffscreenCanvas(side, side));
    context.drawImage(image, 0, 0, side, side);
    context.getImageData(0, 0, side, side);
    image.close();
    decoder.close();
  }

  #scaled(side: number): OffscreenCanvas {
    const canvas = new OffscreenCanvas(side, side);
    const context = contextOf(canvas);
    context.imageSmoothingQuality = 'high';
    context.drawImage(this.#canvas, 0, 0, side, side);
    return canvas;
  }
}

function drawScene(context: OffscreenCanvasRenderingContext2D): void {
  const random = seededRandom(12);
  const sky = context.createLinearGradient(0, 0, WIDTH / 3, HEIGHT);
  sky.addColorStop(0, '#7fb2e5');
  sky.addColorStop(0.6, '#e9dcc0');
  sky.addColorStop(1, '#54663f');
  context.fillStyle = sky;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  for (let count = 0; count < 20_000; count++) {
    const radius = 3 + 300 * random() ** 12;
    const hue = Math.floor(360 * random());
    context.fillStyle = `hsl(${hue} 40% ${20 + Math.floor(60 * random())}% / 0.6)`;
    context.beginPath();
    context.arc(WIDTH * random(), HEIGHT * random(), radius, 0, 2 * Math.PI);
    context.fill();
  }
  const image = context.getImageData(0, 0, WIDTH, HEIGHT);
  const { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    const noise = NOISE * (random() - 0.5);
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = (data[channel] ?? 0) + noise;
    }
  }
  context.putImageData(image, 0, 0);
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  return context;
}

function jpeg(canvas: OffscreenCanvas): Promise<Blob> {
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      if (typeof reader.result === 'string') resolve(reader.result);
      else reject(new Error('The photo could not be read.'));
    };
    reader.readAsDataURL(file);
  });
}
