// The environment in which a program finds Heddle's recorder and the recorder finds its settings.
#pragma once

#include <string>
#include <vector>

namespace heddle::record {

struct RecorderSettings {
    std::string folder;   ///< of the recorder's libraries
    std::string trace;    ///< pattern of the trace's path: %n program, %p process, %% a percent sign
    std::string report;   ///< file for read_run_report
    std::string values;   ///< "on", "off", or empty: as the environment says
    std::string max_size; ///< "64M", or empty
    bool full = false;
    bool preload = false; ///< load the recorder before anything that the program asks for
    bool follow_children = true;
};

/// The environment of this process with what the settings add to it, as NAME=VALUE.
[[nodiscard]] std::vector<std::string> recorder_environment(const RecorderSettings& settings);

} // namespace heddle::record
