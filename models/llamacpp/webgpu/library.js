// library.js: JavaScript that becomes part of the module with WebGPU, by emcc's --js-library: the functions of imports.h,
// and what the worker calls. ../module.ts describes `gpu`, `addFileToRead` and `finishGpuWork`.

addToLibrary({
  $GPU: {
    // Objects by their numbers, from 1. Numbers of forgotten objects are used again.
    objects: [undefined],
    free: [],
    // Pipelines by their texts and constants. Each context asks for all of them, and compiling them takes long.
    pipelines: {},
    // Reads that were asked for: {buffer, offset, bytes, pointer}.
    asked: [],
    // Those whose values are on their way: {staging, bytes, reads}.
    copied: [],
    // A buffer from which a read was finished, for the next one.
    spare: undefined,
    // Whether there was memory for buffers: promises of null or an error.
    checks: [],

    device: () => Module['gpu'].device,

    // Mesa's lavapipe compiles a kernel anew for each value of its uniforms, so parameters are in storage there.
    usageOf: (usage) => (Module['gpu'].isEmulated && usage & 0x40 ? usage | 0x80 : usage), // UNIFORM, STORAGE
    codeOf: (code) =>
      Module['gpu'].isEmulated ? code.replace('var<uniform>', 'var<storage>') : code,

    add: (object) => {
      const number = GPU.free.pop() ?? GPU.objects.length;
      GPU.objects[number] = object;
      return number;
    },

    newBuffer: (size, usage) => {
      const device = GPU.device();
      device.pushErrorScope('out-of-memory');
      const buffer = device.createBuffer({ size, usage });
      GPU.checks.push(device.popErrorScope());
      return buffer;
    },

    stagingOf: (bytes) => {
      const { spare } = GPU;
      if (!spare || spare.size < bytes) return GPU.newBuffer(bytes, 0x9); // MAP_READ | COPY_DST
      GPU.spare = undefined;
      return spare;
    },

    // Copies what is to be read, before anything changes it. WebGPU copies whole words.
    copyOut: () => {
      if (GPU.asked.length === 0) return;
      let end = 0;
      const reads = GPU.asked.splice(0).map((read) => {
        const before = read.offset % 4;
        const place = end;
        end += (before + read.bytes + 3) & ~3;
        return { ...read, before, place, length: end - place };
      });
      const staging = GPU.stagingOf(end);
      const encoder = GPU.device().createCommandEncoder();
      for (const { buffer, offset, before, place, length } of reads) {
        encoder.copyBufferToBuffer(buffer, offset - before, staging, place, length);
      }
      GPU.device().queue.submit([encoder.finish()]);
      GPU.copied.push({ staging, bytes: end, reads });
    },

    // A browser may look for what the GPU has done only when it is given something, or at long intervals. So it is given
    // an empty list of work, ever less often: after a quarter of the time that has passed.
    soon: async (promise) => {
      if (!Module['gpu'].isSlowToTell) return promise;
      let isDone = false;
      const done = () => (isDone = true);
      promise.then(done, done);
      let waited = 0;
      // oxlint-disable-next-line no-unmodified-loop-condition -- the promise sets it
      for (let wait = 1; !isDone; wait = Math.min(2 * wait, Math.max(4, waited / 4), 50)) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        waited += wait;
        if (!isDone) GPU.device().queue.submit([]);
      }
      return promise;
    },

    copyIn: async ({ staging, bytes, reads }) => {
      await GPU.soon(staging.mapAsync(1, 0, bytes));
      const values = staging.getMappedRange(0, bytes);
      for (const { pointer, place, before, bytes: length } of reads) {
        HEAPU8.set(new Uint8Array(values, place + before, length), pointer);
      }
      staging.unmap();
      // Logits are as large each time. The copy of a KV cache would only take memory.
      const isUsual = reads.length === 1;
      const left = isUsual ? GPU.spare : staging;
      if (isUsual) GPU.spare = staging;
      left?.destroy();
    },
  },
  $GPU__deps: ['$UTF8ToString'],

  $finishGpuWork__deps: ['$GPU'],
  $finishGpuWork: async () => {
    if (!Module['gpu']) return;
    GPU.copyOut();
    const reads = GPU.copied.splice(0).map(GPU.copyIn);
    if (reads.length === 0) reads.push(GPU.soon(GPU.device().queue.onSubmittedWorkDone()));
    const [error] = (await GPU.soon(Promise.all(GPU.checks.splice(0)))).filter((each) => each);
    if (error) {
      await Promise.allSettled(reads);
      throw error;
    }
    await Promise.all(reads);
  },

  // Adds a file of which `read(offset, bytes)` gives bytes, at most so many. It cannot be mapped: llama.cpp then reads it.
  $addFileToRead__deps: ['$FS', '$MEMFS'],
  $addFileToRead: (path, size, read) => {
    const node = FS.create(path);
    node.usedBytes = size;
    node.stream_ops = {
      llseek: MEMFS.stream_ops.llseek,
      read: (_, memory, to, bytes, position) => {
        const most = Math.min(bytes, size - position);
        if (most <= 0) return 0;
        const found = read(position, most);
        memory.set(found, to);
        return found.length;
      },
    };
  },

  gpu_exists: () => (Module['gpu'] ? 1 : 0),
  gpu_is_emulated: () => (Module['gpu'].isEmulated ? 1 : 0),
  gpu_limit__deps: ['$GPU'],
  gpu_limit: (name) => GPU.device().limits[UTF8ToString(name)],
  gpu_has_feature__deps: ['$GPU'],
  gpu_has_feature: (name) => (GPU.device().features.has(UTF8ToString(name)) ? 1 : 0),
  gpu_subgroup_size: (isLargest) => {
    const { subgroupMinSize, subgroupMaxSize } = Module['gpu'].info;
    return (isLargest ? subgroupMaxSize : subgroupMinSize) ?? 0;
  },

  gpu_new_buffer__deps: ['$GPU'],
  gpu_new_buffer: (bytes, usage) => GPU.add(GPU.newBuffer(bytes >>> 0, GPU.usageOf(usage))),
  gpu_destroy_buffer__deps: ['$GPU'],
  gpu_destroy_buffer: (buffer) => {
    GPU.copyOut();
    GPU.objects[buffer]?.destroy();
  },
  gpu_drop__deps: ['$GPU'],
  gpu_drop: (number) => {
    GPU.objects[number] = undefined;
    GPU.free.push(number);
  },

  // Compiled with its pipeline.
  gpu_new_shader__deps: ['$GPU'],
  gpu_new_shader: (code) => GPU.add(GPU.codeOf(UTF8ToString(code))),
  gpu_new_pipeline__deps: ['$GPU'],
  gpu_new_pipeline: (shader, label, names, values, count) => {
    const constants = {};
    for (let i = 0, at = names >>> 0; i < count; i++) {
      constants[UTF8ToString(at)] = HEAPF64[(values >>> 3) + i];
      at = HEAPU8.indexOf(0, at) + 1;
    }
    const code = GPU.objects[shader];
    const key = JSON.stringify(constants) + code;
    let made = GPU.pipelines[key];
    if (!made) {
      const device = GPU.device();
      const module = device.createShaderModule({ code });
      const compute = { module, entryPoint: 'main', constants };
      const pipeline = device.createComputePipeline({
        label: UTF8ToString(label),
        layout: 'auto',
        compute,
      });
      made = { pipeline, layout: pipeline.getBindGroupLayout(0) };
      GPU.pipelines[key] = made;
    }
    return GPU.add(made);
  },
  gpu_new_bind_group__deps: ['$GPU'],
  gpu_new_bind_group: (pipeline, numbers, count) => {
    const entries = [];
    for (let at = numbers >>> 2; entries.length < count; at += 4) {
      const [binding, buffer, offset, size] = HEAPU32.subarray(at, at + 4);
      entries.push({ binding, resource: { buffer: GPU.objects[buffer], offset, size } });
    }
    return GPU.add(GPU.device().createBindGroup({ layout: GPU.objects[pipeline].layout, entries }));
  },

  gpu_write__deps: ['$GPU'],
  gpu_write: (buffer, offset, data, bytes) => {
    GPU.copyOut();
    GPU.device().queue.writeBuffer(
      GPU.objects[buffer],
      offset >>> 0,
      HEAPU8,
      data >>> 0,
      bytes >>> 0,
    );
  },
  gpu_read_later__deps: ['$GPU'],
  gpu_read_later: (buffer, offset, pointer, bytes) => {
    GPU.asked.push({
      buffer: GPU.objects[buffer],
      offset: offset >>> 0,
      bytes: bytes >>> 0,
      pointer: pointer >>> 0,
    });
  },

  gpu_new_encoder__deps: ['$GPU'],
  gpu_new_encoder: () => GPU.add(GPU.device().createCommandEncoder()),
  gpu_begin_pass__deps: ['$GPU'],
  gpu_begin_pass: (encoder) => GPU.add(GPU.objects[encoder].beginComputePass()),
  gpu_dispatch__deps: ['$GPU'],
  gpu_dispatch: (number, pipeline, group, x, y, z) => {
    const pass = GPU.objects[number];
    pass.setPipeline(GPU.objects[pipeline].pipeline);
    pass.setBindGroup(0, GPU.objects[group]);
    pass.dispatchWorkgroups(x, y, z);
  },
  gpu_end_pass__deps: ['$GPU'],
  gpu_end_pass: (pass) => GPU.objects[pass].end(),
  gpu_copy__deps: ['$GPU'],
  gpu_copy: (encoder, from, fromOffset, to, toOffset, bytes) => {
    const [source, target] = [GPU.objects[from], GPU.objects[to]];
    GPU.objects[encoder].copyBufferToBuffer(
      source,
      fromOffset >>> 0,
      target,
      toOffset >>> 0,
      bytes >>> 0,
    );
  },
  gpu_finish__deps: ['$GPU'],
  gpu_finish: (encoder) => GPU.add(GPU.objects[encoder].finish()),
  gpu_submit__deps: ['$GPU'],
  gpu_submit: (commands) => {
    GPU.copyOut();
    GPU.device().queue.submit([GPU.objects[commands]]);
  },
});
