#include "daemon/present/lines_now.h"

#include <algorithm>
#include <charconv>

namespace heddle::present {

namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of("0123456789", at), text.size());
}

std::uint32_t number_in(std::string_view digits) {
    std::uint32_t number = 0; // of one that is too long
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

/// The word before a colon, as Markdown has it or plain, without the folders and quotes in front of it.
std::string name_before(std::string_view text) {
    const std::size_t before = text.find_last_of(" \t(|'\"/");
    if (before != std::string_view::npos) text.remove_prefix(before + 1);
    std::string name(text);
    std::erase(name, '\\');
    return name;
}

/// What stands in columns behind a number stays there when the number has more digits now, or fewer.
std::size_t blanks_instead_of(std::size_t blanks, std::size_t digits_before, std::size_t digits_now) {
    if (blanks < 2) return blanks;
    return std::max<std::size_t>(1, blanks + digits_before - std::min(digits_now, blanks + digits_before));
}

} // namespace

LinesNow::LinesNow(const View& view, const service::Sighting& sighting, std::size_t access)
    : view_(view), sighting_(sighting) {
    const report::ReportedFinding& finding = *sighting;
    const report::SourcePlace& shown = view.bugs.shown(finding.accesses[access]);
    if (view.drift.now(*sighting.report, shown, view.bugs.absolute(shown), view.texts).aged) return;
    for (const report::ReportedAccess& one : finding.accesses) {
        places_.push_back(&one.place);
        for (const report::SourcePlace& caller : one.callers) places_.push_back(&caller);
    }
    for (const report::ReportedStep& step : finding.steps) places_.push_back(&step.place);
    std::erase_if(places_, [](const report::SourcePlace* place) { return place->file.empty(); });
}

std::string LinesNow::in(std::string_view text) const {
    if (places_.empty()) return std::string(text);
    std::string result;
    while (!text.empty()) {
        const std::string_view row = text.substr(0, text.find('\n') + 1);
        add_row(row.empty() ? text : row, result);
        text.remove_prefix(row.empty() ? text.size() : row.size());
    }
    return result;
}

void LinesNow::add_row(std::string_view row, std::string& result) const {
    const report::SourcePlace* step = step_of(row);
    std::size_t told = 0;
    for (std::size_t colon = 0; (colon = row.find(':', colon)) != std::string_view::npos;) {
        const std::size_t first = ++colon;
        if (first == row.size() || !is_digit(row[first])) continue;
        const std::string name = name_before(row.substr(0, first - 1));
        const report::SourcePlace* file = name.empty() ? step : place_in(name);
        if (file == nullptr) continue;
        const std::size_t end = end_of_number(row, first);
        const std::string now_there = std::to_string(now(*file, number_in(row.substr(first, end - first))));
        const std::size_t behind = std::min(row.find_first_not_of(' ', end), row.size());
        result.append(row, told, first - told);
        result += now_there;
        result.append(blanks_instead_of(behind - end, end - first, now_there.size()), ' ');
        colon = told = behind;
    }
    result.append(row, told);
}

const report::SourcePlace* LinesNow::step_of(std::string_view row) const {
    const std::size_t first = row.find_first_not_of("| ");
    if (first == std::string_view::npos || !is_digit(row[first])) return nullptr;
    const std::size_t end = end_of_number(row, first);
    if (end == row.size() || row[end] != ' ') return nullptr;
    const std::size_t number = number_in(row.substr(first, end - first));
    const auto& steps = sighting_->steps;
    if (number == 0 || number > steps.size() || steps[number - 1].place.file.empty()) return nullptr;
    return &steps[number - 1].place;
}

const report::SourcePlace* LinesNow::place_in(std::string_view name) const {
    const report::SourcePlace* found = nullptr;
    for (const report::SourcePlace* place : places_) {
        const std::string_view file = place->file;
        if (file.substr(file.find_last_of('/') + 1) != name) continue;
        if (found != nullptr && found->file != file) return nullptr;
        found = place;
    }
    return found;
}

std::uint32_t LinesNow::now(const report::SourcePlace& file, std::uint32_t line) const {
    const auto known = std::ranges::find_if(places_, [&](const report::SourcePlace* place) {
        return place->line == line && place->file == file.file;
    });
    const report::SourcePlace place =
        known != places_.end() ? **known
                               : report::SourcePlace{.file = file.file, .line = line, .function = {}};
    const PlaceNow now = view_.drift.now(*sighting_.report, place, view_.bugs.absolute(place), view_.texts);
    return now.kept ? now.line : line;
}

} // namespace heddle::present
