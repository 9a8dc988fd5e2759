// SPDX-License-Identifier: Apache-2.0
// Whether a sanitizer is built in, and telling the thread sanitizer of hand-overs that happen
// inside libraries it does not see into. No code at all in other builds.
#ifndef SERAPH_TRANSPORT_SANITIZERS_H_
#define SERAPH_TRANSPORT_SANITIZERS_H_

// GCC defines the first names, Clang answers by the second.
#if defined(__SANITIZE_THREAD__)
#define SERAPH_THREAD_SANITIZER 1
#elif defined(__SANITIZE_ADDRESS__)
#define SERAPH_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SERAPH_THREAD_SANITIZER 1
#elif __has_feature(address_sanitizer)
#define SERAPH_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef SERAPH_THREAD_SANITIZER
extern "C" {
void __tsan_acquire(void* addr);
void __tsan_release(void* addr);
}
#endif

namespace seraph {

// Before giving `object` away.
inline void HandOver([[maybe_unused]] void* object) {
#ifdef SERAPH_THREAD_SANITIZER
  __tsan_release(object);
#endif
}

// After getting it, on the other thread.
inline void TakeOver([[maybe_unused]] void* object) {
#ifdef SERAPH_THREAD_SANITIZER
  __tsan_acquire(object);
#endif
}

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_SANITIZERS_H_
