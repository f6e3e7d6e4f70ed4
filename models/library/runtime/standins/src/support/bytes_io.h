// The runtime includes this path; the header of the same name in the apache-tvm-tirx wheel is what it means.
#pragma once
#include <tvm/support/bytes_io.h>
