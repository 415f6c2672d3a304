// Memory for large tables that are looked up at random places.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace multiplane {

// In pages of 4 KiB every look-up in a large table misses the processor's table of pages too; so huge pages are asked
// for where the system has them.
template <typename T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <typename U>
  HugePages(const HugePages<U>&) {}  // NOLINT: allocators convert

  T* allocate(std::size_t count) {
    const std::size_t align = align_of(count);
    const std::size_t bytes = (count * sizeof(T) + align - 1) / align * align;
    void* memory = ::operator new(bytes, std::align_val_t{align});  // std::aligned_alloc is missing on Windows
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (align == kPage) madvise(memory, bytes, MADV_HUGEPAGE);  // whether it is heard changes speed alone
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, std::align_val_t{align_of(count)}); }

  friend bool operator==(const HugePages&, const HugePages&) { return true; }
  friend bool operator!=(const HugePages&, const HugePages&) { return false; }

 private:
  static constexpr std::size_t kLine = 64, kPage = std::size_t{1} << 21;
  static constexpr std::size_t align_of(std::size_t count) { return count * sizeof(T) >= kPage ? kPage : kLine; }
};

template <typename T>
using Table = std::vector<T, HugePages<T>>;

}  // namespace multiplane
