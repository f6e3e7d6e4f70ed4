// map-file.cpp: `mmap` for files of any size. musl refuses 2 GiB and more, although a file that is in memory already
// takes no more of it (library.js).
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

// This function is in emscripten's own libc, where musl's `mmap` calls it, too.
extern "C" intptr_t __syscall_mmap2(intptr_t start, size_t length, int protection, int flags, int file, off_t page);

// It takes the place of musl's, which the linker then leaves out.
extern "C" void *mmap(void *start, size_t length, int protection, int flags, int file, off_t offset) {
  const intptr_t page_size = 4096;
  const intptr_t result = __syscall_mmap2((intptr_t)start, length, protection, flags, file, offset / page_size);
  // Pointers above 2 GiB are negative here; only the last page of all addresses stands for errors.
  if ((uintptr_t)result <= (uintptr_t)-page_size) return (void *)result;
  errno = -result;
  return MAP_FAILED;
}
