// webgpu_cpp.h: as much of WebGPU's C++ interface as ggml-webgpu uses, in place of Dawn's header of this name.
//
// Nothing waits here. The device is there before the module starts, so what Dawn answers in a callback is answered at
// once. WebGPU's queue keeps its order, so work counts as done when it is submitted; only who reads a buffer has to wait,
// which JavaScript does after the call into the module (Queue::ReadLater). A buffer cannot be mapped in the middle of one.
//
// A token takes hundreds of kernels. What they need of JavaScript is kept small: a bind group is made once, and the
// parameters of all kernels of a submission are written together.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "imports.h"

namespace wgpu {

using StringView = std::string_view;

enum class FeatureName { ShaderF16, Subgroups };
enum class WGSLLanguageFeatureName { Packed4x8IntegerDotProduct };
enum class InstanceFeatureName { TimedWaitAny };
enum class CallbackMode { AllowSpontaneous };
enum class WaitStatus { Success, TimedOut, Error };
enum class RequestAdapterStatus { Success };
enum class RequestDeviceStatus { Success };
enum class QueueWorkDoneStatus { Success, Error };
enum class MapAsyncStatus { Success, Error };
enum class DeviceLostReason { Destroyed };
enum class ErrorType { Unknown };
enum class MapMode { Read };
enum class BufferUsage : uint32_t { MapRead = 0x1, CopySrc = 0x4, CopyDst = 0x8, Uniform = 0x40, Storage = 0x80 };

constexpr BufferUsage operator|(BufferUsage a, BufferUsage b) { return BufferUsage(uint32_t(a) | uint32_t(b)); }

struct Future {};

// Not in Dawn's header: whether the CPU computes in place of a GPU.
inline bool is_emulated() { return gpu_is_emulated() != 0; }

// An object of JavaScript, which it forgets with the last copy.
class Object {
public:
  Object(std::nullptr_t = nullptr) {}
  explicit Object(int number) : number_(new int(number), [](int *last) { gpu_drop(*last); delete last; }) {}

  int number() const { return number_ ? *number_ : 0; }
  explicit operator bool() const { return number_ != nullptr; }
  bool operator==(std::nullptr_t) const { return !number_; }

private:
  std::shared_ptr<int> number_;
};

struct BufferDescriptor {
  uint64_t size = 0;
  BufferUsage usage{};
  StringView label;
  bool mappedAtCreation = false;
};

class Buffer : public Object {
public:
  Buffer(std::nullptr_t = nullptr) {}
  explicit Buffer(const BufferDescriptor &like)
      : Object(gpu_new_buffer(uint32_t(like.size), uint32_t(like.usage))), size_(like.size),
        is_uniform_(uint32_t(like.usage) & uint32_t(BufferUsage::Uniform)) {}

  uint64_t GetSize() const { return size_; }
  // Whether the GPU reads it only as the parameters of kernels.
  bool is_uniform() const { return is_uniform_; }
  inline void Destroy();

  // JavaScript would need a turn for it: ggml ends with an assertion.
  template <typename Callback> Future MapAsync(MapMode, size_t, size_t, CallbackMode, Callback callback) {
    callback(MapAsyncStatus::Error, StringView("values of the GPU cannot be read in the middle of a computation"));
    return {};
  }
  const void *GetConstMappedRange(size_t = 0, size_t = 0) const { return nullptr; }
  void Unmap() {}

private:
  uint64_t size_ = 0;
  bool is_uniform_ = false;
};

struct ShaderSourceWGSL { const char *code = nullptr; };
struct ShaderModuleDescriptor { const ShaderSourceWGSL *nextInChain = nullptr; };
struct ShaderModule : Object { using Object::Object; };

struct ConstantEntry { StringView key; double value = 0; };
struct ComputeState {
  ShaderModule module;
  StringView entryPoint;
  size_t constantCount = 0;
  const ConstantEntry *constants = nullptr;
};
// Without a layout, the shader's own is taken.
struct ComputePipelineDescriptor { const char *label = ""; std::nullptr_t layout = nullptr; ComputeState compute; };

// Stands for the pipeline that it is part of.
struct BindGroupLayout : Object {
  BindGroupLayout() {}
  explicit BindGroupLayout(const Object &pipeline) : Object(pipeline) {}
};
struct ComputePipeline : Object {
  using Object::Object;
  BindGroupLayout GetBindGroupLayout(uint32_t) const { return BindGroupLayout(*this); }
};

struct BindGroupEntry { uint32_t binding = 0; Buffer buffer; uint64_t offset = 0; uint64_t size = 0; };
struct BindGroupDescriptor {
  StringView label;
  BindGroupLayout layout;
  size_t entryCount = 0;
  const BindGroupEntry *entries = nullptr;
};
struct BindGroup : Object { using Object::Object; };

// Bind groups by their pipeline and entries: each token needs those of the token before.
class BindGroups {
public:
  static BindGroup get(const BindGroupDescriptor &like) {
    std::vector<uint32_t> key = {uint32_t(like.layout.number())};
    for (size_t i = 0; i < like.entryCount; i++) {
      const BindGroupEntry &entry = like.entries[i];
      key.insert(key.end(), {entry.binding, uint32_t(entry.buffer.number()), uint32_t(entry.offset), uint32_t(entry.size)});
    }
    const auto found = all().find(key);
    if (found != all().end()) return found->second;
    if (all().size() >= MOST) all().clear();
    return all()[key] = BindGroup(gpu_new_bind_group(like.layout.number(), key.data() + 1, like.entryCount));
  }

  // Numbers of buffers are used again.
  static void forget() { all().clear(); }

private:
  // A batch and a token of a large model need about a thousand each.
  static const size_t MOST = 16384;
  static std::map<std::vector<uint32_t>, BindGroup> &all() {
    static std::map<std::vector<uint32_t>, BindGroup> groups;
    return groups;
  }
};

// Pipeline and bind group go to JavaScript with the dispatch, in one call.
class ComputePassEncoder : public Object {
public:
  using Object::Object;
  void SetPipeline(const ComputePipeline &pipeline) { pipeline_ = pipeline.number(); }
  void SetBindGroup(uint32_t, const BindGroup &group) { group_ = group.number(); }
  void DispatchWorkgroups(uint32_t x, uint32_t y, uint32_t z) { gpu_dispatch(number(), pipeline_, group_, x, y, z); }
  void End() { gpu_end_pass(number()); }

private:
  int pipeline_ = 0;
  int group_ = 0;
};

struct CommandBuffer : Object { using Object::Object; };
struct CommandEncoder : Object {
  using Object::Object;
  ComputePassEncoder BeginComputePass() { return ComputePassEncoder(gpu_begin_pass(number())); }
  void CopyBufferToBuffer(const Buffer &from, uint64_t from_offset, const Buffer &to, uint64_t to_offset, uint64_t size) {
    gpu_copy(number(), from.number(), uint32_t(from_offset), to.number(), uint32_t(to_offset), uint32_t(size));
  }
  CommandBuffer Finish() { return CommandBuffer(gpu_finish(number())); }
};

// Parameters that are not written yet. Those of one submission follow each other in one buffer; nothing is between them.
class Parameters {
public:
  static void write(const Buffer &to, uint32_t offset, const void *data, size_t size) {
    Parameters &pending = get();
    if (to.number() != pending.buffer_ || offset < pending.end() || offset - pending.end() > MOST_BETWEEN) {
      flush();
      pending.buffer_ = to.number();
      pending.start_ = offset;
    }
    pending.bytes_.resize(offset - pending.start_ + size);
    std::memcpy(&pending.bytes_[offset - pending.start_], data, size);
  }

  static void flush() {
    Parameters &pending = get();
    if (pending.bytes_.empty()) return;
    gpu_write(pending.buffer_, pending.start_, pending.bytes_.data(), uint32_t(pending.bytes_.size()));
    pending.bytes_.clear();
    pending.buffer_ = 0;
  }

private:
  // Bytes: each kernel's parameters begin at a multiple of it.
  static const uint32_t MOST_BETWEEN = 256;
  static Parameters &get() {
    static Parameters pending;
    return pending;
  }
  uint32_t end() const { return start_ + uint32_t(bytes_.size()); }

  int buffer_ = 0;
  uint32_t start_ = 0;
  std::vector<char> bytes_;
};

void Buffer::Destroy() {
  Parameters::flush();
  BindGroups::forget();
  gpu_destroy_buffer(number());
}

struct Queue {
  void Submit(size_t count, const CommandBuffer *commands) {
    Parameters::flush();
    for (size_t i = 0; i < count; i++) gpu_submit(commands[i].number());
  }
  void WriteBuffer(const Buffer &to, uint64_t offset, const void *data, size_t size) {
    if (size == 0) return;
    if (to.is_uniform()) Parameters::write(to, uint32_t(offset), data, size);
    else gpu_write(to.number(), uint32_t(offset), data, uint32_t(size));
  }
  // Not in Dawn's header: reads when JavaScript waits for it.
  void ReadLater(const Buffer &from, uint64_t offset, void *data, size_t size) {
    if (size > 0) gpu_read_later(from.number(), uint32_t(offset), data, uint32_t(size));
  }
  template <typename Callback> Future OnSubmittedWorkDone(CallbackMode, Callback callback) {
    callback(QueueWorkDoneStatus::Success, StringView());
    return {};
  }
};

struct Limits {
  uint64_t maxBufferSize = 0, maxStorageBufferBindingSize = 0;
  uint32_t maxComputeInvocationsPerWorkgroup = 0, maxComputeWorkgroupsPerDimension = 0, maxComputeWorkgroupStorageSize = 0;
  uint32_t minStorageBufferOffsetAlignment = 0, minUniformBufferOffsetAlignment = 0;
};

// The names are only for a report.
struct AdapterInfo {
  StringView vendor, architecture, device, description;
  uint32_t vendorID = 0, deviceID = 0, subgroupMinSize = 0, subgroupMaxSize = 0;
};

// JavaScript watches the device.
struct DeviceDescriptor {
  const Limits *requiredLimits = nullptr;
  const FeatureName *requiredFeatures = nullptr;
  size_t requiredFeatureCount = 0;
  template <typename Callback> void SetDeviceLostCallback(CallbackMode, Callback) {}
  template <typename Callback> void SetUncapturedErrorCallback(Callback) {}
};

// One of which there is one, or none.
class Only {
public:
  Only(std::nullptr_t = nullptr) {}
  explicit Only(bool exists) : exists_(exists) {}
  bool operator==(std::nullptr_t) const { return !exists_; }

private:
  bool exists_ = false;
};

struct Device : Only {
  using Only::Only;
  Queue GetQueue() const { return {}; }
  Buffer CreateBuffer(const BufferDescriptor *like) const { return Buffer(*like); }
  CommandEncoder CreateCommandEncoder() const { return CommandEncoder(gpu_new_encoder()); }
  ShaderModule CreateShaderModule(const ShaderModuleDescriptor *like) const {
    return ShaderModule(gpu_new_shader(like->nextInChain->code));
  }
  ComputePipeline CreateComputePipeline(const ComputePipelineDescriptor *like) const {
    const ComputeState &compute = like->compute;
    std::string names;
    std::vector<double> values;
    for (size_t i = 0; i < compute.constantCount; i++) {
      names.append(compute.constants[i].key).push_back('\0');
      values.push_back(compute.constants[i].value);
    }
    return ComputePipeline(gpu_new_pipeline(compute.module.number(), like->label, names.c_str(), values.data(), values.size()));
  }
  BindGroup CreateBindGroup(const BindGroupDescriptor *like) const { return BindGroups::get(*like); }
};

struct Adapter : Only {
  using Only::Only;
  bool HasFeature(FeatureName name) const {
    return gpu_has_feature(name == FeatureName::ShaderF16 ? "shader-f16" : "subgroups") != 0;
  }
  void GetLimits(Limits *limits) const {
    limits->maxBufferSize = uint64_t(gpu_limit("maxBufferSize"));
    limits->maxStorageBufferBindingSize = uint64_t(gpu_limit("maxStorageBufferBindingSize"));
    limits->maxComputeInvocationsPerWorkgroup = uint32_t(gpu_limit("maxComputeInvocationsPerWorkgroup"));
    limits->maxComputeWorkgroupsPerDimension = uint32_t(gpu_limit("maxComputeWorkgroupsPerDimension"));
    limits->maxComputeWorkgroupStorageSize = uint32_t(gpu_limit("maxComputeWorkgroupStorageSize"));
    limits->minStorageBufferOffsetAlignment = uint32_t(gpu_limit("minStorageBufferOffsetAlignment"));
    limits->minUniformBufferOffsetAlignment = uint32_t(gpu_limit("minUniformBufferOffsetAlignment"));
  }
  void GetInfo(AdapterInfo *info) const {
    info->subgroupMinSize = gpu_subgroup_size(0);
    info->subgroupMaxSize = gpu_subgroup_size(1);
  }
  template <typename Callback> Future RequestDevice(const DeviceDescriptor *, CallbackMode, Callback callback) const {
    callback(RequestDeviceStatus::Success, Device(true), StringView());
    return {};
  }
};

struct RequestAdapterOptions {};
struct InstanceDescriptor { const InstanceFeatureName *requiredFeatures = nullptr; size_t requiredFeatureCount = 0; };

struct Instance : Only {
  using Only::Only;
  // If a GPU had this feature, ggml would round tokens to 8 bits for GPUs of some vendors: logits would differ by 0.7.
  bool HasWGSLLanguageFeature(WGSLLanguageFeatureName) const { return false; }
  template <typename Callback> Future RequestAdapter(const RequestAdapterOptions *, CallbackMode, Callback callback) const {
    if (gpu_exists()) callback(RequestAdapterStatus::Success, Adapter(true), StringView());
    return {};
  }
  template <typename Nanoseconds> WaitStatus WaitAny(Future, Nanoseconds) const { return WaitStatus::Success; }
};

inline Instance CreateInstance(const InstanceDescriptor *) { return Instance(true); }

} // namespace wgpu
