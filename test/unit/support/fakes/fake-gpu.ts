import type { AdapterSource } from '../../../../src/engine/device/gpu-adapter.ts';

const LIMITS = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeWorkgroupsPerDimension: 65535,
  maxStorageBuffersPerShaderStage: 8,
  minStorageBufferOffsetAlignment: 256,
  minUniformBufferOffsetAlignment: 256,
};

type Listener = (event: { error: { message: string } }) => void;

/** A GPU that computes nothing: all that is read of it is zero. A test decides when it fails. */
export class FakeGpu {
  readonly info = {
    vendor: 'fake',
    architecture: crypto.randomUUID(),
    device: '',
    description: '',
    subgroupMinSize: 32,
    subgroupMaxSize: 32,
  };
  /** The features of its adapter; undefined: it has no adapter. */
  features: Set<string> | undefined = new Set(['shader-f16']);
  limits: Partial<typeof LIMITS> = {};
  /** Whether it tells only when it is given work that it is done. */
  isSlowToTell = false;
  /** Whether what it was given takes longer. */
  isComputing = false;
  /** Called before an adapter is given. */
  onRequestAdapter: () => void = () => undefined;
  /** Called before a device is given; it may throw. */
  onRequestDevice: () => void = () => undefined;
  /** Gets the length of each list of work. */
  onSubmit: (length: number) => void = () => undefined;
  onNewBuffer: () => void = () => undefined;
  /** Gets the code of each kernel. */
  onNewShader: (code: string) => void = () => undefined;
  /** Whether there is memory for new buffers. */
  hasRoom = true;
  /** How many buffers there are. */
  buffers = 0;
  /** How many kernels it has compiled. */
  pipelines = 0;
  /** What has been read of it, bytes. */
  readBytes = 0;
  /** What has been written to it, bytes. */
  writtenBytes = 0;
  #lose: (info: { message: string }) => void = () => undefined;
  #isLost = false;
  #report: Listener = () => undefined;
  /** For each new buffer, the error; null: there was memory for it. */
  readonly #checks: ({ message: string } | null)[] = [];
  readonly #waiting: (() => void)[] = [];

  /** The GPU as `navigator.gpu` gives it. */
  get gpu(): GPU {
    const requestAdapter: AdapterSource<unknown>['requestAdapter'] = async () => {
      this.onRequestAdapter();
      const { features } = this;
      if (!features) return null;
      return {
        features,
        limits: { ...LIMITS, ...this.limits },
        info: this.info,
        requestDevice: async () => {
          this.onRequestDevice();
          return this.#device(features);
        },
      };
    };
    return { requestAdapter } as unknown as GPU;
  }

  /** Loses all devices: what is asked of them afterwards is rejected. */
  lose(message = 'the driver has crashed'): void {
    this.#isLost = true;
    this.#lose({ message });
  }

  /** Reports that the GPU was used wrongly. */
  report(message: string): void {
    this.#report({ error: { message } });
  }

  #device(features: ReadonlySet<string>): GPUDevice {
    const { promise: lost, resolve } = Promise.withResolvers<{ message: string }>();
    this.#lose = resolve;
    const device = {
      limits: { ...LIMITS, ...this.limits },
      features,
      lost,
      queue: {
        submit: ({ length }: unknown[]) => {
          this.onSubmit(length);
          if (!this.isComputing) for (const tell of this.#waiting.splice(0)) tell();
        },
        writeBuffer: (_: unknown, __: number, ___: unknown, ____: number, bytes: number) =>
          void (this.writtenBytes += bytes),
        onSubmittedWorkDone: () => this.#done(),
      },
      addEventListener: (_: string, listener: Listener) => (this.#report = listener),
      pushErrorScope: () => undefined,
      popErrorScope: async () => this.#checks.shift() ?? null,
      createBuffer: ({ size }: { size: number }) => this.#buffer(size),
      createShaderModule: ({ code }: { code: string }) => {
        this.onNewShader(code);
        return {};
      },
      createComputePipeline: () => {
        this.pipelines++;
        return { getBindGroupLayout: () => ({}) };
      },
      createBindGroup: () => ({}),
      createCommandEncoder: () => ({
        beginComputePass: () => ({
          setPipeline: () => undefined,
          setBindGroup: () => undefined,
          dispatchWorkgroups: () => undefined,
          end: () => undefined,
        }),
        copyBufferToBuffer: () => undefined,
        finish: () => ({}),
      }),
      destroy: () => this.lose('destroyed'),
    };
    return device as unknown as GPUDevice;
  }

  #buffer(size: number) {
    this.onNewBuffer();
    this.#checks.push(this.hasRoom ? null : { message: 'no room' });
    // Whatever uses a buffer that is not there is wrong.
    if (!this.hasRoom) this.report('invalid buffer');
    this.buffers++;
    return {
      size,
      destroy: () => void this.buffers--,
      mapAsync: (_: number, offset = 0, bytes = size - offset) => {
        this.readBytes += bytes;
        return this.#done();
      },
      getMappedRange: (offset: number, bytes: number) => new ArrayBuffer(bytes ?? size - offset),
      unmap: () => undefined,
    };
  }

  async #done(): Promise<void> {
    if (this.isSlowToTell) await new Promise<void>((tell) => this.#waiting.push(tell));
    if (this.#isLost) throw new DOMException('The device was lost.', 'AbortError');
  }
}
