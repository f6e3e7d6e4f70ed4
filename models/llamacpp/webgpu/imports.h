// imports.h: WebGPU as plain C functions, which library.js implements.
//
// Objects are numbers, from 1. JavaScript has made the device before the module starts.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// Whether there is a device: 1 or 0.
int gpu_exists(void);
// Whether the CPU computes in place of the device: 1 or 0.
int gpu_is_emulated(void);
// A limit of the device, by its name in WebGPU.
double gpu_limit(const char *name);
// Whether the device has this feature: 1 or 0.
int gpu_has_feature(const char *name);
// The smallest or largest size of the adapter's subgroups, threads; 0: unknown.
uint32_t gpu_subgroup_size(int is_largest);

int gpu_new_buffer(uint32_t bytes, uint32_t usage);
void gpu_destroy_buffer(int buffer);
int gpu_new_shader(const char *code);
// `names` has the names of its constants, each with its final zero; `values` has as many numbers.
int gpu_new_pipeline(int shader, const char *label, const char *names, const double *values, size_t constants);
// Each entry has four numbers: binding, buffer, offset, bytes.
int gpu_new_bind_group(int pipeline, const uint32_t *entries, size_t count);
// Forgets an object of any kind. A buffer is not destroyed.
void gpu_drop(int object);

// Copies memory to a buffer. Offset and bytes are multiples of 4.
void gpu_write(int buffer, uint32_t offset, const void *data, uint32_t bytes);
// Copies from a buffer to memory when JavaScript waits for it, with what the buffer has now.
void gpu_read_later(int buffer, uint32_t offset, void *data, uint32_t bytes);

int gpu_new_encoder(void);
int gpu_begin_pass(int encoder);
void gpu_dispatch(int pass, int pipeline, int bind_group, uint32_t x, uint32_t y, uint32_t z);
void gpu_end_pass(int pass);
void gpu_copy(int encoder, int from, uint32_t from_offset, int to, uint32_t to_offset, uint32_t bytes);
int gpu_finish(int encoder);
void gpu_submit(int commands);

} // extern "C"
