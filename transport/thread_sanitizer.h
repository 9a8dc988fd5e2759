// SPDX-License-Identifier: Apache-2.0
// Tells the thread sanitizer of hand-overs that happen inside libraries it does not see into. No
// code at all in other builds.
#ifndef SERAPH_TRANSPORT_THREAD_SANITIZER_H_
#define SERAPH_TRANSPORT_THREAD_SANITIZER_H_

#if defined(__SANITIZE_THREAD__)
#define SERAPH_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SERAPH_THREAD_SANITIZER 1
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

#endif  // SERAPH_TRANSPORT_THREAD_SANITIZER_H_
