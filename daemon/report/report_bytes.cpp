#include "daemon/report/report_bytes.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heddle::report {

namespace {

// What is kept of each struct, in order.

constexpr auto members(const SourcePlace* /*type*/) {
    using T = SourcePlace;
    return std::tuple(&T::file, &T::line, &T::column, &T::end_line, &T::end_column, &T::function);
}
constexpr auto members(const ReportedLock* /*type*/) {
    using T = ReportedLock;
    return std::tuple(&T::name, &T::shared);
}
constexpr auto members(const ReportedAccess* /*type*/) {
    using T = ReportedAccess;
    return std::tuple(&T::event, &T::operation, &T::thread, &T::locks, &T::place, &T::callers, &T::act);
}
constexpr auto members(const ReportedStep* /*type*/) {
    using T = ReportedStep;
    return std::tuple(&T::thread, &T::words, &T::place, &T::marked);
}
constexpr auto members(const ReportedFinding* /*type*/) {
    using T = ReportedFinding;
    return std::tuple(&T::number, &T::kind, &T::certainty, &T::headline, &T::variable, &T::variables, &T::why,
                      &T::intent, &T::because, &T::accesses, &T::steps, &T::schedule, &T::schedule_text,
                      &T::witness_json, &T::recorded_key);
}
constexpr auto members(const SourceVersion* /*type*/) {
    using T = SourceVersion; // its text is kept elsewhere
    return std::tuple(&T::file, &T::hash, &T::changed, &T::functions);
}
constexpr auto members(const SourceVersion::Function* /*type*/) {
    using T = SourceVersion::Function;
    return std::tuple(&T::first, &T::second);
}
constexpr auto members(const ReportedUse* /*type*/) {
    using T = ReportedUse;
    return std::tuple(&T::place, &T::act, &T::locks, &T::count);
}
constexpr auto members(const ReportedVariable* /*type*/) {
    using T = ReportedVariable;
    return std::tuple(&T::name, &T::guard, &T::guarded, &T::accesses, &T::uses, &T::owner);
}
constexpr auto members(const TraceReport* /*type*/) {
    using T = TraceReport;
    return std::tuple(&T::test, &T::command, &T::recorded_unix_ns, &T::events, &T::complete, &T::findings,
                      &T::variables, &T::sources, &T::left_out, &T::notes);
}

// How many values each has.

constexpr std::uint64_t values(FindingKind /*type*/) {
    return kFindingKinds;
}
constexpr std::uint64_t values(Certainty /*type*/) {
    return kCertaintyNames.size();
}
constexpr std::uint64_t values(Intent /*type*/) {
    return kIntentNames.size();
}
constexpr std::uint64_t values(source::Operation /*type*/) {
    return source::kOperations;
}

/// Numbers are seven bits to a byte, the lowest first; a set high bit says that there are more.
class Writer {
  public:
    void put(std::uint64_t number) {
        for (; number >= 0x80U; number >>= 7U) bytes_.push_back(static_cast<char>(number | 0x80U));
        bytes_.push_back(static_cast<char>(number));
    }
    template<class T>
    requires std::integral<T> || std::is_enum_v<T>
    void put(T number) { put(static_cast<std::uint64_t>(number)); }
    void put(const std::string& text) {
        put(text.size());
        bytes_ += text;
    }
    template<class T>
    void put(const std::vector<T>& list) {
        put(list.size());
        for (const T& one : list) put(one);
    }
    template<class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    template<class T>
    requires std::is_class_v<T>
    void put(const T& value) {
        std::apply([&](auto... member) { (put(value.*member), ...); }, members(&value));
    }

    [[nodiscard]] std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// The reverse. What was not written like this makes it fail, and what is read from then on is empty.
class Reader {
  public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    void get(std::uint64_t& number) {
        number = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_.front());
            rest_.remove_prefix(1);
            number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if (byte < 0x80U) return;
        }
        number = 0;
        fail();
    }
    template<std::integral T>
    void get(T& number) {
        number = static_cast<T>(below(std::numeric_limits<std::make_unsigned_t<T>>::max()));
    }
    void get(bool& value) { value = below(1) != 0; }
    template<class T>
    requires std::is_enum_v<T>
    void get(T& value) { value = static_cast<T>(below(values(T{}) - 1)); }
    void get(std::string& text) {
        const std::uint64_t size = below(rest_.size());
        text = rest_.substr(0, size);
        rest_.remove_prefix(size);
    }
    /// No room is made for elements that may not be there.
    template<class T>
    void get(std::vector<T>& list) {
        for (std::uint64_t left = below(rest_.size()); left > 0 && !failed_; --left) get(list.emplace_back());
    }
    template<class T>
    void get(std::optional<T>& value) {
        bool there = false;
        get(there);
        if (there) get(value.emplace());
    }
    template<class T>
    requires std::is_class_v<T>
    void get(T& value) {
        std::apply([&](auto... member) { (get(value.*member), ...); }, members(&value));
    }

    /// All of it was read, and nothing was wrong.
    [[nodiscard]] bool complete() const { return !failed_ && rest_.empty(); }

  private:
    [[nodiscard]] std::uint64_t below(std::uint64_t most) {
        std::uint64_t number = 0;
        get(number);
        if (number <= most) return number;
        fail();
        return 0;
    }
    void fail() {
        failed_ = true;
        rest_ = {};
    }

    std::string_view rest_;
    bool failed_ = false;
};

} // namespace

std::string stored(const TraceReport& report) {
    Writer writer;
    writer.put(kReportVersion);
    writer.put(report);
    return writer.take();
}

Result<TraceReport> restored(std::string_view bytes) {
    Reader reader(bytes);
    int version = 0;
    reader.get(version);
    if (version != kReportVersion) return fail("made by another version of heddle");
    TraceReport report;
    reader.get(report);
    if (!reader.complete()) return fail("cannot be read");
    return report;
}

} // namespace heddle::report
