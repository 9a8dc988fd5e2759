// SPDX-License-Identifier: Apache-2.0
// What the sanitizers must know of gRPC and what it links. Linked with it; nothing in other builds.
#include "transport/sanitizers.h"

#ifdef SERAPH_THREAD_SANITIZER
// gRPC finishes an operation inside Next, before TakeOver can speak, by templates that are compiled
// here and so are looked at. Whatever they touch was handed over by GrpcEvent::AsTag. Its thread
// pool moves callables under a lock that is not looked at, by an Abseil template that is.
extern "C" const char* __tsan_default_suppressions() {
  return "race:grpc::internal::CallOpSet\n"
         "race:grpc_event_engine::experimental::ThreadPool\n";
}
#endif

#ifdef SERAPH_ADDRESS_SANITIZER
// c-ares, gRPC's resolver, loses the 10 bytes of "localhost".
extern "C" const char* __lsan_default_suppressions() { return "leak:libcares\n"; }
#endif
