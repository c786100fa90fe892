// The part of ThreadSanitizer's interface that is about its own reports and options. Heddle reports
// elsewhere: these functions exist so that programs that call them load and run.
#include "traces/recorder/export.h"

#include <cstddef>

#define HEDDLE_NOTHING(result, name, parameters)                                                             \
    HEDDLE_EXPORT result name parameters noexcept {                                                          \
        return result();                                                                                     \
    }

// NOLINTBEGIN(bugprone-reserved-identifier): the names are ThreadSanitizer's
HEDDLE_NOTHING(void, __tsan_flush_memory, ())
HEDDLE_NOTHING(void, __tsan_on_report, (void*))
HEDDLE_NOTHING(void, __tsan_on_initialize, ())
HEDDLE_NOTHING(int, __tsan_on_finalize, (int))
using Report = void*;
HEDDLE_NOTHING(Report, __tsan_get_current_report, ())
HEDDLE_NOTHING(int, __tsan_get_report_data,
               (void*, const char**, int*, int*, int*, int*, int*, int*, int*, void**, std::size_t))
HEDDLE_NOTHING(int, __tsan_get_report_tag, (void*, std::size_t*))
HEDDLE_NOTHING(int, __tsan_get_report_stack, (void*, std::size_t, void**, std::size_t))
HEDDLE_NOTHING(int, __tsan_get_report_mop,
               (void*, std::size_t, int*, void**, int*, int*, int*, void**, std::size_t))
HEDDLE_NOTHING(int, __tsan_get_report_loc,
               (void*, std::size_t, const char**, void**, std::size_t*, std::size_t*, int*, int*, int*,
                void**, std::size_t))
HEDDLE_NOTHING(int, __tsan_get_report_loc_object_type, (void*, std::size_t, const char**))
HEDDLE_NOTHING(int, __tsan_get_report_mutex,
               (void*, std::size_t, std::size_t*, void**, int*, void**, std::size_t))
HEDDLE_NOTHING(int, __tsan_get_report_thread,
               (void*, std::size_t, int*, std::size_t*, int*, const char**, int*, void**, std::size_t))
HEDDLE_NOTHING(int, __tsan_get_report_unique_tid, (void*, std::size_t, int*))
HEDDLE_NOTHING(int, __tsan_get_alloc_stack, (void*, std::size_t*, int*, std::size_t*))
HEDDLE_NOTHING(int, __tsan_symbolize_external, (void*, char*, std::size_t, char*, std::size_t, int*, int*))
HEDDLE_NOTHING(std::size_t, __tsan_testonly_shadow_stack_current_size, ())
HEDDLE_NOTHING(void, __sanitizer_set_death_callback, (void (*)()))
HEDDLE_NOTHING(void, __sanitizer_print_stack_trace, ())
HEDDLE_NOTHING(void, __sanitizer_set_report_path, (const char*))
HEDDLE_NOTHING(void, __sanitizer_set_report_fd, (void*))
HEDDLE_NOTHING(void, AnnotateBenignRace, (const char*, int, void*, const char*))
HEDDLE_NOTHING(void, AnnotateBenignRaceSized, (const char*, int, void*, std::size_t, const char*))
HEDDLE_NOTHING(void, WTFAnnotateBenignRaceSized, (const char*, int, void*, std::size_t, const char*))
HEDDLE_NOTHING(void, AnnotateCondVarSignal, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotateCondVarSignalAll, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotateCondVarWait, (const char*, int, void*, void*))
HEDDLE_NOTHING(void, AnnotateMutexIsNotPHB, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotateMutexIsUsedAsCondVar, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotatePCQCreate, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotatePCQDestroy, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotatePCQGet, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotatePCQPut, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotatePublishMemoryRange, (const char*, int, void*, std::size_t))
HEDDLE_NOTHING(void, AnnotateUnpublishMemoryRange, (const char*, int, void*, std::size_t))
HEDDLE_NOTHING(void, AnnotateEnableRaceDetection, (const char*, int, int))
HEDDLE_NOTHING(void, AnnotateExpectRace, (const char*, int, void*, const char*))
HEDDLE_NOTHING(void, AnnotateFlushExpectedRaces, (const char*, int))
HEDDLE_NOTHING(void, AnnotateFlushState, (const char*, int))
HEDDLE_NOTHING(void, AnnotateMemoryIsInitialized, (const char*, int, void*, std::size_t))
HEDDLE_NOTHING(void, AnnotateMemoryIsUninitialized, (const char*, int, void*, std::size_t))
HEDDLE_NOTHING(void, AnnotateNoOp, (const char*, int, void*))
HEDDLE_NOTHING(void, AnnotateTraceMemory, (const char*, int, void*))
HEDDLE_NOTHING(int, RunningOnValgrind, ())
// NOLINTEND(bugprone-reserved-identifier)
