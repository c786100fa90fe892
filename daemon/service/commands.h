// The names of what a client can ask the daemon to do by workspace/executeCommand (docs/daemon.md).
#pragma once

namespace heddle::service {

inline constexpr const char* kShowWitness = "heddle.showWitness";
inline constexpr const char* kSuppress = "heddle.suppress";
inline constexpr const char* kAnalyseNow = "heddle.analyseNow";
inline constexpr const char* kReplay = "heddle.replay";
inline constexpr const char* kRecordTests = "heddle.recordTests";
inline constexpr const char* kClear = "heddle.clear";
inline constexpr const char* kAccesses = "heddle.accesses";
inline constexpr const char* kStatus = "heddle.status";
inline constexpr const char* kFindings = "heddle.findings";

/// Requests of `heddle status` and `heddle stop`.
inline constexpr const char* kStatusRequest = "heddle/status";
inline constexpr const char* kStopRequest = "heddle/stop";

/// To clients that asked for it by `initializationOptions.status`.
inline constexpr const char* kStatusNotification = "heddle/status";

} // namespace heddle::service
