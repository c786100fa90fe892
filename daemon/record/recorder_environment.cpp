#include "daemon/record/recorder_environment.h"

#include <cstdlib>
#include <map>
#include <string_view>

#include <unistd.h>

namespace heddle::record {

std::vector<std::string> recorder_environment(const RecorderSettings& settings) {
    std::map<std::string, std::string, std::less<>> set;
    set["HEDDLE_TRACE"] = settings.trace;
    set["HEDDLE_SUMMARY"] = settings.report;
    // What the recorder would say at its end, the command says: in one place, and once.
    set["HEDDLE_QUIET"] = "1";
    if (!settings.values.empty()) set["HEDDLE_VALUES"] = settings.values;
    if (!settings.max_size.empty()) set["HEDDLE_MAX_SIZE"] = settings.max_size;
    if (settings.full) set["HEDDLE_FULL"] = "1";
    if (!settings.follow_children) set["HEDDLE_FOLLOW"] = "0";
    const char* libraries = std::getenv("LD_LIBRARY_PATH");
    set["LD_LIBRARY_PATH"] =
        libraries == nullptr || *libraries == '\0' ? settings.folder : settings.folder + ":" + libraries;

    if (settings.preload) {
        const char* others = std::getenv("LD_PRELOAD");
        const std::string library = settings.folder + "/libtsan.so.2";
        set["LD_PRELOAD"] = others == nullptr || *others == '\0' ? library : library + ":" + others;
    }

    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (!set.contains(text.substr(0, text.find('=')))) result.emplace_back(text);
    }
    for (const auto& [name, value] : set) result.push_back(name + "=" + value);
    return result;
}

} // namespace heddle::record
