// Accesses that libraries report about their objects (ThreadSanitizer's "external" interface).
#include "traces/recorder/accesses.h"
#include "traces/recorder/export.h"

using namespace heddle::recorder;
using heddle::EventKind;

// NOLINTBEGIN(bugprone-reserved-identifier): the names are ThreadSanitizer's
HEDDLE_EXPORT void* __tsan_external_register_tag(const char* /*type*/) noexcept {
    return nullptr;
}
HEDDLE_EXPORT void __tsan_external_register_header(void* /*tag*/, const char* /*header*/) noexcept {}
HEDDLE_EXPORT void __tsan_external_assign_tag(void* /*object*/, void* /*tag*/) noexcept {}
HEDDLE_EXPORT void __tsan_external_read(void* object, void* caller, void* /*tag*/) noexcept {
    access<EventKind::read>(reinterpret_cast<Address>(object), 1, reinterpret_cast<Address>(caller) - 1);
}
HEDDLE_EXPORT void __tsan_external_write(void* object, void* caller, void* /*tag*/) noexcept {
    access<EventKind::write>(reinterpret_cast<Address>(object), 1, reinterpret_cast<Address>(caller) - 1);
}
// NOLINTEND(bugprone-reserved-identifier)
