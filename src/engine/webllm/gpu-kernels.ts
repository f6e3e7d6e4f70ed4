import * as v from 'valibot';

const layoutSchema = v.array(
  v.object({
    binding: v.number(),
    visibility: v.number(),
    buffer: v.object({ type: v.picklist(['uniform', 'storage', 'read-only-storage']) }),
  }),
);

const pipelineSchema = v.object({
  /** WGSL. */
  code: v.string(),
  entryPoint: v.string(),
  /** Entries of its bind group layouts, in order. */
  layouts: v.array(layoutSchema),
});

const deviceSchema = v.object({
  requiredLimits: v.optional(v.record(v.string(), v.number()), {}),
  requiredFeatures: v.optional(v.array(v.custom<GPUFeatureName>(isString)), []),
});

export const gpuRecipeSchema = v.object({
  powerPreference: v.optional(v.picklist(['low-power', 'high-performance'])),
  device: deviceSchema,
  pipelines: v.array(v.object({ ...pipelineSchema.entries, isUsed: v.boolean() })),
});

/**
 * How a model's GPU device and compute pipelines were made, enough to make the same again, and which
 * of them an answer took.
 */
export type GpuRecipe = v.InferOutput<typeof gpuRecipeSchema>;
type PipelineRecipe = v.InferOutput<typeof pipelineSchema>;

/** What was begun before WebLLM asks for it. */
interface Ahead {
  adapter: GPUAdapter;
  device: GPUDevice;
  /** Those that will be used, by keyOf(); undefined for one that did not compile. */
  pipelines: Map<string, Promise<GPUComputePipeline | undefined>>;
}

/** Stands for a pipeline to WebLLM, and makes it when it is first used, if nobody has before. */
class Pipeline implements GPUComputePipeline {
  readonly __brand = 'GPUComputePipeline';
  label = '';
  isUsed = false;
  readonly recipe: PipelineRecipe;
  readonly #make: () => GPUComputePipeline;
  #real: GPUComputePipeline | undefined;

  constructor(recipe: PipelineRecipe, make: () => GPUComputePipeline) {
    this.recipe = recipe;
    this.#make = make;
  }

  /** @param real - made by somebody else */
  be(real: GPUComputePipeline): void {
    this.#real = real;
  }

  use(): GPUComputePipeline {
    this.isUsed = true;
    return (this.#real ??= this.#make());
  }

  getBindGroupLayout(index: number): GPUBindGroupLayout {
    return this.use().getBindGroupLayout(index);
  }
}

/**
 * Makes a reload of a model shorter than WebLLM can, which compiles all of its compute pipelines, and
 * only when everything else is done: most of a reload's time. At a model's first loading this notes
 * what WebLLM asks WebGPU for, and what of it answers take. At the next ones it compiles just that,
 * while the weights are still being read, and the rest when it is needed. What WebLLM asks otherwise,
 * on another GPU or after an update, it gets as without all this.
 */
export class GpuKernels {
  readonly #gpu: GPU;
  readonly #before: GpuRecipe | undefined;
  readonly #known: ReadonlyMap<string, { isUsed: boolean }>;
  readonly #ahead: Promise<Ahead | undefined>;
  #wanted: Pick<GpuRecipe, 'powerPreference' | 'device'> | undefined;
  readonly #pipelines: Pipeline[] = [];
  #device: GPUDevice | undefined;
  #kept: string;
  /** How many pipelines were in use when news were last looked for. */
  #used = 0;

  /** @param recipe - from an earlier loading of the model */
  constructor(gpu: GPU, recipe: GpuRecipe | undefined) {
    this.#gpu = gpu;
    this.#before = recipe;
    this.#kept = JSON.stringify(recipe);
    this.#known = new Map(recipe?.pipelines.map((each) => [keyOf(each), each]));
    this.#ahead = recipe ? begin(gpu, recipe) : Promise.resolve(undefined);
    const real = gpu.requestAdapter.bind(gpu);
    override(gpu, { requestAdapter: (options) => this.#requestAdapter(real, options) });
  }

  /** The model is loaded, or could not be: WebGPU is itself again. */
  async end(): Promise<void> {
    Reflect.deleteProperty(this.#gpu, 'requestAdapter');
    const ahead = await this.#ahead;
    if (ahead && ahead.device !== this.#device) ahead.device.destroy();
  }

  /** What to begin with next time, if that is not what was known before. */
  takeNews(): GpuRecipe | undefined {
    const used = this.#pipelines.filter(({ isUsed }) => isUsed).length;
    // Asked after every answer: what there is to compare is hundreds of kilobytes.
    if (!this.#wanted || used === this.#used) return undefined;
    this.#used = used;
    const pipelines = this.#pipelines.map(({ recipe, isUsed }) => ({
      ...recipe,
      isUsed: isUsed || (this.#known.get(keyOf(recipe))?.isUsed ?? false),
    }));
    const recipe = { ...this.#wanted, pipelines };
    const text = JSON.stringify(recipe);
    if (text === this.#kept) return undefined;
    this.#kept = text;
    return recipe;
  }

  async #requestAdapter(
    real: GPU['requestAdapter'],
    options: GPURequestAdapterOptions = {},
  ): Promise<GPUAdapter | null> {
    const { powerPreference } = options;
    // A model that is loaded once more, for its files were damaged, gets a device of its own.
    const isSame = powerPreference === this.#before?.powerPreference && !this.#device;
    const ahead = isSame ? await this.#ahead : undefined;
    const adapter = ahead?.adapter ?? (await real(options));
    if (!adapter) return null;
    const request = adapter.requestDevice.bind(adapter);
    const requestDevice: typeof request = async (descriptor = {}) => {
      const wanted = v.safeParse(deviceSchema, descriptor);
      if (wanted.success) {
        this.#wanted = { ...(powerPreference && { powerPreference }), device: wanted.output };
      }
      const isReady = ahead && wanted.success && isEqual(wanted.output, this.#before?.device);
      if (isReady) return this.#watch(ahead.device, ahead.pipelines);
      // An adapter gives one device only.
      const fresh = ahead ? await real(options) : undefined;
      return this.#watch(await (fresh ? fresh.requestDevice(descriptor) : request(descriptor)));
    };
    override(adapter, { requestDevice });
    return adapter;
  }

  #watch(device: GPUDevice, ready: Ahead['pipelines'] = new Map()): GPUDevice {
    this.#device = device;
    this.#pipelines.length = 0;
    const groups = new WeakMap<object, unknown>();
    const layouts = new WeakMap<object, unknown>();
    const codes = new WeakMap<object, string>();
    const createBindGroupLayout = device.createBindGroupLayout.bind(device);
    const createPipelineLayout = device.createPipelineLayout.bind(device);
    const createShaderModule = device.createShaderModule.bind(device);
    const createComputePipelineAsync = device.createComputePipelineAsync.bind(device);
    override(device, {
      createBindGroupLayout(descriptor) {
        const group = createBindGroupLayout(descriptor);
        groups.set(group, descriptor.entries);
        return group;
      },
      createPipelineLayout(descriptor) {
        const layout = createPipelineLayout(descriptor);
        layouts.set(
          layout,
          Array.from(descriptor.bindGroupLayouts, (group) => group && groups.get(group)),
        );
        return layout;
      },
      createShaderModule(descriptor) {
        const module = createShaderModule(descriptor);
        codes.set(module, descriptor.code);
        return module;
      },
      createComputePipelineAsync: async (descriptor) => {
        const { layout, compute } = descriptor;
        const recipe = v.safeParse(pipelineSchema, {
          code: codes.get(compute.module),
          entryPoint: compute.entryPoint,
          layouts: typeof layout === 'object' ? layouts.get(layout) : undefined,
        });
        if (!recipe.success) return createComputePipelineAsync(descriptor);
        const make = () => device.createComputePipeline(descriptor);
        const pipeline = new Pipeline(recipe.output, make);
        this.#pipelines.push(pipeline);
        const key = keyOf(recipe.output);
        if (this.#known.get(key)?.isUsed === false) return pipeline;
        pipeline.be((await ready.get(key)) ?? (await createComputePipelineAsync(descriptor)));
        return pipeline;
      },
    });
    return device;
  }
}

async function begin(
  gpu: GPU,
  { powerPreference, device: descriptor, pipelines }: GpuRecipe,
): Promise<Ahead | undefined> {
  try {
    const adapter = await gpu.requestAdapter({ ...(powerPreference && { powerPreference }) });
    const device = await adapter?.requestDevice(descriptor);
    if (!adapter || !device) return undefined;
    const compiling = pipelines
      .filter(({ isUsed }) => isUsed)
      .map((each) => [keyOf(each), compile(device, each)] as const);
    return { adapter, device, pipelines: new Map(compiling) };
  } catch {
    // Another GPU than last time: WebLLM asks for what this one can.
    return undefined;
  }
}

async function compile(
  device: GPUDevice,
  { code, entryPoint, layouts }: PipelineRecipe,
): Promise<GPUComputePipeline | undefined> {
  const bindGroupLayouts = layouts.map((entries) => device.createBindGroupLayout({ entries }));
  const layout = device.createPipelineLayout({ bindGroupLayouts });
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipelineAsync({ layout, compute: { module, entryPoint } });
  return pipeline.catch(() => undefined);
}

/** From now on this realm's compute passes take what stands for a pipeline, too. */
export function installGpuKernels(): void {
  const passes = GPUComputePassEncoder.prototype;
  // oxlint-disable-next-line unbound-method -- each pass calls it on itself
  const { setPipeline } = passes;
  passes.setPipeline = function (pipeline) {
    return setPipeline.call(this, pipeline instanceof Pipeline ? pipeline.use() : pipeline);
  };
}

function keyOf({ code, entryPoint, layouts }: PipelineRecipe): string {
  return JSON.stringify([entryPoint, layouts, code]);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

/** Puts methods of the object's own before those of its prototype. */
function override<T extends object>(target: T, methods: Partial<T>): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(target, name, { value, configurable: true });
  }
}
