// The runtime includes this path. It needs the header of the same name from the apache-tvm-tirx wheel.
#pragma once
#include <tvm/support/bytes_io.h>
