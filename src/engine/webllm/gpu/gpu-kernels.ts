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
 * How a model's GPU device and compute pipelines were made, in enough detail to make them again,
 * and which pipelines an answer used.
 */
export type GpuRecipe = v.InferOutput<typeof gpuRecipeSchema>;
type PipelineRecipe = v.InferOutput<typeof pipelineSchema>;

/** The objects that are created before WebLLM asks for them. */
interface Ahead {
  adapter: GPUAdapter;
  device: GPUDevice;
  /** The pipelines that answers use, by keyOf(); undefined if one did not compile. */
  pipelines: Map<string, Promise<GPUComputePipeline | undefined>>;
}

/**
 * A stand-in for a pipeline, which WebLLM gets. It makes the real one on first use, unless that was
 * compiled ahead.
 */
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

  /** @param real - a pipeline that was compiled ahead */
  adopt(real: GPUComputePipeline): void {
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
 * Makes reloading a model faster. WebLLM compiles all compute pipelines (GPU kernels) after
 * everything else, which is most of a reload's time. At the first load, this class records what
 * WebLLM asks WebGPU for and which pipelines answers use. At later loads it compiles just those
 * while the weights are still being read, and the others on first use. If WebLLM asks for something
 * else, on another GPU or after an update, it gets that as usual.
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
  /** How many pipelines were used when the recipe was last compared. */
  #used = 0;

  /** @param recipe - from an earlier load of the model */
  constructor(gpu: GPU, recipe: GpuRecipe | undefined) {
    this.#gpu = gpu;
    this.#before = recipe;
    this.#kept = JSON.stringify(recipe);
    this.#known = new Map(recipe?.pipelines.map((each) => [keyOf(each), each]));
    this.#ahead = recipe ? begin(gpu, recipe) : Promise.resolve(undefined);
    const real = gpu.requestAdapter.bind(gpu);
    override(gpu, { requestAdapter: (options) => this.#requestAdapter(real, options) });
  }

  /** Ends the load, successful or not, and restores WebGPU's own methods. */
  async end(): Promise<void> {
    Reflect.deleteProperty(this.#gpu, 'requestAdapter');
    const ahead = await this.#ahead;
    if (ahead && ahead.device !== this.#device) ahead.device.destroy();
  }

  /** The recipe for the next load, if it differs from the stored one. */
  takeChanged(): GpuRecipe | undefined {
    const used = this.#pipelines.filter(({ isUsed }) => isUsed).length;
    // This runs after every answer, and comparing recipes means comparing hundreds of kilobytes.
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
    // If a model is loaded a second time because its files were damaged, it gets another device.
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
      // An adapter can create only one device.
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
        pipeline.adopt((await ready.get(key)) ?? (await createComputePipelineAsync(descriptor)));
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
    // A different GPU may not support the recorded device. WebLLM then asks for one that it supports.
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

/** Makes this realm's compute passes accept the stand-ins for pipelines. */
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

/** Gives the object its own methods, which shadow those of its prototype. */
function override<T extends object>(target: T, methods: Partial<T>): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(target, name, { value, configurable: true });
  }
}
