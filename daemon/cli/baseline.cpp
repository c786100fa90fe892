#include "daemon/cli/baseline.h"

#include "daemon/report/fingerprint.h"
#include "daemon/report/sarif.h"

#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::cli {

namespace {

using nlohmann::json;

/// A member that is a list; an empty one when there is none.
const json& list(const json& object, const char* name) {
    static const json none = json::array();
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_array() ? *found : none;
}

void take(const json& object, const char* name, std::set<std::string>& fingerprints) {
    if (!object.is_object() || !object.contains(name) || !object[name].is_string()) return;
    fingerprints.insert(object[name].get<std::string>());
}

std::set<std::string> fingerprints_of(const json& earlier) {
    std::set<std::string> result;
    for (const json& run : list(earlier, "runs")) {
        for (const json& one : list(run, "results")) {
            if (one.is_object())
                take(one.value("partialFingerprints", json()), report::kFingerprintName, result);
        }
    }
    const json reports = earlier.is_array() ? earlier : json::array({earlier});
    for (const json& report : reports) {
        for (const json& finding : list(report, "findings")) take(finding, "fingerprint", result);
    }
    return result;
}

} // namespace

Result<Baseline> Baseline::load(const std::string& path) {
    Baseline result;
    if (path.empty()) return result;
    std::ifstream file(path);
    if (!file) return fail(fmt::format("{}: the baseline cannot be read", path));
    const json earlier = json::parse(file, nullptr, false);
    const bool is_report = earlier.is_array() || earlier.contains("runs") || earlier.contains("findings");
    if (earlier.is_discarded() || !is_report) {
        return fail(fmt::format(
            "{}: no baseline: it has to be what heddle analyze --format json or sarif printed", path));
    }
    result.path_ = path;
    result.fingerprints_ = fingerprints_of(earlier);
    return result;
}

report::Suppressed Baseline::and_known(const Trace& trace, const Analysis& analysis,
                                       const report::Suppressed& suppressed) const {
    if (fingerprints_.empty()) return suppressed;
    const std::vector<std::string> names = report::fingerprints(trace, analysis);
    std::vector<std::string> by;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (suppressed.is(i)) {
            by.push_back(suppressed.by(i));
        } else {
            by.push_back(fingerprints_.contains(names[i]) ? path_ : std::string());
        }
    }
    return report::Suppressed(std::move(by));
}

} // namespace heddle::cli
