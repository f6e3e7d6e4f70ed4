// layer.c: a Vulkan layer for tests without a GPU. Dawn refuses a device that cannot index arrays of images, and Mesa's
// lavapipe cannot before 23.1. For WebGPU's computations that does not matter, so this layer says that the device can, and
// leaves it out where the device is made.
//
// Chromium uses a device that is emulated by the CPU only if it is SwiftShader. So with GPU_AS_SWIFTSHADER in the environment,
// the device has the numbers of SwiftShader.
//
// The parts of Vulkan's headers that it needs are here, because few machines have these headers.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Function)(void);
typedef Function (*GetFunction)(void *owner, const char *name);

// What most structures of Vulkan begin with.
typedef struct Structure {
  int32_t type;
  struct Structure *next;
} Structure;

enum { LOADER_INSTANCE = 47, LOADER_DEVICE = 48, PHYSICAL_DEVICE_FEATURES_2 = 1000059000 };

// VkLayerInstanceCreateInfo and VkLayerDeviceCreateInfo: where the loader says which layer is next.
typedef struct Link {
  struct Link *next;
  GetFunction get_of_instance;
  GetFunction get_other;
} Link;
typedef struct {
  Structure head;
  int32_t function;
  Link *link;
} LoaderInfo;

// VkDeviceCreateInfo.
typedef struct {
  Structure head;
  uint32_t flags, queue_count;
  const void *queues;
  uint32_t layer_count;
  const void *layers;
  uint32_t extension_count;
  const void *extensions;
  uint32_t *features;
} DeviceInfo;

// VkPhysicalDeviceFeatures is a list of 55 numbers, 0 or 1.
enum { SAMPLED_IMAGES = 34, STORAGE_IMAGES = 36, FEATURES = 55 };
typedef struct {
  Structure head;
  uint32_t features[FEATURES];
} Features2;

// VkPhysicalDeviceProperties begins with numbers; these two say which device it is.
enum { VENDOR = 2, DEVICE = 3, SWIFTSHADER_VENDOR = 0x1AE0, SWIFTSHADER = 0xC0DE };
typedef struct {
  Structure head;
  uint32_t properties[];
} Properties2;

// VkNegotiateLayerInterface.
typedef struct {
  Structure head;
  uint32_t version;
  GetFunction get_of_instance, get_of_device, get_of_physical_device;
} Negotiation;

static GetFunction next_of_instance, next_of_device;
static void (*next_features)(void *device, uint32_t *features);
static void (*next_features2)(void *device, Features2 *features);
static void (*next_properties)(void *device, uint32_t *properties);
static void (*next_properties2)(void *device, Properties2 *properties);

static void set_image_indexing(uint32_t *features, uint32_t value) {
  features[SAMPLED_IMAGES] = value;
  features[STORAGE_IMAGES] = value;
}

static void get_features(void *device, uint32_t *features) {
  next_features(device, features);
  set_image_indexing(features, 1);
}

static void get_features2(void *device, Features2 *features) {
  next_features2(device, features);
  set_image_indexing(features->features, 1);
}

static void rename_device(uint32_t *properties) {
  if (!getenv("GPU_AS_SWIFTSHADER")) return;
  properties[VENDOR] = SWIFTSHADER_VENDOR;
  properties[DEVICE] = SWIFTSHADER;
}

static void get_properties(void *device, uint32_t *properties) {
  next_properties(device, properties);
  rename_device(properties);
}

static void get_properties2(void *device, Properties2 *properties) {
  next_properties2(device, properties);
  rename_device(properties->properties);
}

static LoaderInfo *loader_info(const Structure *info, int32_t type) {
  Structure *each = info->next;
  while (each && !(each->type == type && ((LoaderInfo *)each)->function == 0)) each = each->next;
  return (LoaderInfo *)each;
}

static int32_t create_device(void *physical, DeviceInfo *info, const void *allocator, void **device) {
  LoaderInfo *loader = loader_info(&info->head, LOADER_DEVICE);
  next_of_device = loader->link->get_other;
  GetFunction get = loader->link->get_of_instance;
  loader->link = loader->link->next;
  uint32_t has[FEATURES];
  next_features(physical, has);
  if (!has[SAMPLED_IMAGES] || !has[STORAGE_IMAGES]) {
    if (info->features) set_image_indexing(info->features, 0);
    for (Structure *each = info->head.next; each; each = each->next) {
      if (each->type == PHYSICAL_DEVICE_FEATURES_2) set_image_indexing(((Features2 *)each)->features, 0);
    }
  }
  int32_t (*next)(void *, DeviceInfo *, const void *, void **) = (void *)get(NULL, "vkCreateDevice");
  return next(physical, info, allocator, device);
}

static int32_t create_instance(const Structure *info, const void *allocator, void **instance) {
  LoaderInfo *loader = loader_info(info, LOADER_INSTANCE);
  next_of_instance = loader->link->get_of_instance;
  loader->link = loader->link->next;
  int32_t (*next)(const Structure *, const void *, void **) = (void *)next_of_instance(NULL, "vkCreateInstance");
  const int32_t result = next(info, allocator, instance);
  if (result != 0) return result;
  next_features = (void *)next_of_instance(*instance, "vkGetPhysicalDeviceFeatures");
  next_features2 = (void *)next_of_instance(*instance, "vkGetPhysicalDeviceFeatures2");
  next_properties = (void *)next_of_instance(*instance, "vkGetPhysicalDeviceProperties");
  next_properties2 = (void *)next_of_instance(*instance, "vkGetPhysicalDeviceProperties2");
  return result;
}

static Function of_device(void *device, const char *name) {
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)of_device;
  return next_of_device(device, name);
}

static Function of_instance(void *instance, const char *name) {
  if (!strcmp(name, "vkGetInstanceProcAddr")) return (Function)of_instance;
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)of_device;
  if (!strcmp(name, "vkCreateInstance")) return (Function)create_instance;
  if (!strcmp(name, "vkCreateDevice")) return (Function)create_device;
  if (!strcmp(name, "vkGetPhysicalDeviceFeatures")) return (Function)get_features;
  if (!strncmp(name, "vkGetPhysicalDeviceFeatures2", 28)) return (Function)get_features2;
  if (!strcmp(name, "vkGetPhysicalDeviceProperties")) return (Function)get_properties;
  if (!strncmp(name, "vkGetPhysicalDeviceProperties2", 30)) return (Function)get_properties2;
  return next_of_instance ? next_of_instance(instance, name) : NULL;
}

int32_t vkNegotiateLoaderLayerInterfaceVersion(Negotiation *negotiation) {
  negotiation->version = 2;
  negotiation->get_of_instance = of_instance;
  negotiation->get_of_device = of_device;
  negotiation->get_of_physical_device = NULL;
  return 0;
}
