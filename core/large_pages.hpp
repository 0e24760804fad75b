// Memory in large pages, where the system lets a program ask for them.
#pragma once

#include <cstddef>

namespace overcast {

/// Asks for large pages under memory that is about to be written for the first time: a fault for
/// each small one costs more than to write it, 40 MB take 10,000 of them. Only where all of it lies
/// inside is a large page used; where there are none nothing changes.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace overcast
