#include "daemon/replay/replay.h"

#include "daemon/record/advice.h"
#include "daemon/record/program.h"
#include "daemon/record/recorder_environment.h"
#include "daemon/settings/text_file.h"
#include "daemon/symbols/elf_image.h"
#include "traces/io/file_sink.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace heddle::replay {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kLeastLimit{10'000};
constexpr int kTimesRecorded = 10;             ///< as long as the recorded run may an attempt take, at least
constexpr milliseconds kLongestRun{3'600'000}; ///< that a trace is believed to have taken
constexpr milliseconds kLeastStall{2'000};
/// Nobody who waits for a time, for another process or for the network waited longer than the whole run took.
constexpr int kStallTimesRecorded = 3;
constexpr milliseconds kGrace{1'000}; ///< for the recorder to say itself why nothing came of it
constexpr std::size_t kMostResultBytes = 65'536;

/// Tried in turn, when exploring.
constexpr std::array kVariations = {Variation{},
                                    Variation{.addresses = false},
                                    Variation{.holds = false},
                                    Variation{.addresses = false, .holds = false},
                                    Variation{.shift = 1},
                                    Variation{.shift = 2},
                                    Variation{.addresses = false, .shift = 1},
                                    Variation{.holds = false, .shift = 1}};

/// A folder for the plan and the result; removed with the object.
class WorkFolder {
  public:
    WorkFolder() {
        std::error_code ignored;
        path_ = (fs::temp_directory_path(ignored) / "heddle-replay-XXXXXX").string();
        if (mkdtemp(path_.data()) == nullptr) path_.clear();
    }
    ~WorkFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    WorkFolder(WorkFolder&&) = delete;
    WorkFolder& operator=(WorkFolder&&) = delete;

    [[nodiscard]] bool made() const { return !path_.empty(); }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

/// What is run, and where.
struct Target {
    std::string program;
    std::vector<std::string> words;
    std::string folder;
    bool preload = false;
};

/// Other builds have other code addresses.
Result<void> check_builds(const Plan& plan, bool program_too) {
    for (std::size_t i = program_too ? 0 : 1; i < plan.modules.size(); ++i) {
        const PlanModule& module = plan.modules[i];
        if (module.build_id.empty() || module.path.empty() || module.path[0] != '/') continue;
        const auto image = symbols::ElfImage::open(module.path);
        if (!image)
            return fail(fmt::format("{} was recorded and cannot be read now: {}", module.path,
                                    image.error().message));
        if (image->build_id() != module.build_id) {
            return fail(
                fmt::format("{} was rebuilt since it was recorded (its build-id differs), so the schedule no "
                            "longer fits; record it again",
                            module.path));
        }
    }
    return {};
}

Result<Target> target_of(const ReplayRequest& request, const Plan& plan) {
    const Metadata& about = request.recorded->metadata();
    Target target;
    if (request.command.empty()) {
        target.program = plan.modules[0].path;
        target.words = about.command;
        const auto folder = about.settings.find("folder");
        if (folder != about.settings.end()) target.folder = folder->second;
        if (target.words.empty())
            return fail("the trace does not tell how the program was started; name the command after --");
        std::error_code error;
        if (!target.folder.empty() && !fs::is_directory(target.folder, error))
            return fail(fmt::format("{} is gone, where the program was recorded; name a command after --",
                                    target.folder));
    } else {
        const auto found = record::find_program(request.command[0]);
        if (!found) return fail(found.error().message);
        target.program = *found;
        target.words = request.command;
    }
    const char* libraries = std::getenv("LD_LIBRARY_PATH");
    const auto program = record::inspect_program(target.program, libraries == nullptr ? "" : libraries);
    if (!program) return tl::make_unexpected(program.error());
    if (program->recordable != record::Recordable::plain) { // that may start what is instrumented
        if (const std::string advice = record::advice(*program, request.recorder); !advice.empty())
            return fail(advice);
    }
    target.preload = program->wants_preload;
    return target;
}

milliseconds recorded_time(const ReplayRequest& request) {
    const std::uint64_t ms = request.recorded->metadata().duration_ns.value_or(0) / 1'000'000;
    return std::min(kLongestRun, milliseconds(ms));
}

milliseconds limit_of(const ReplayRequest& request) {
    if (request.limit.count() > 0) return request.limit;
    return std::max(kLeastLimit, recorded_time(request) * kTimesRecorded);
}

milliseconds stall_of(const ReplayRequest& request) {
    if (request.stall.count() > 0) return request.stall;
    return std::max(kLeastStall, recorded_time(request) * kStallTimesRecorded);
}

class Replayer {
  public:
    Replayer(const ReplayRequest& request, const WorkFolder& folder) : request_(request), folder_(folder) {}

    Result<Replayed> run() {
        const unsigned most =
            request_.explore ? std::max<unsigned>(request_.attempts, kVariations.size()) : request_.attempts;
        for (unsigned i = 1; i <= most && !replayed_.confirmed && !replayed_.stopped; ++i) {
            if (auto done = attempt(i); !done) return tl::make_unexpected(done.error());
        }
        return std::move(replayed_);
    }

  private:
    /// The first is exact. When an access was not found where it should be, its address may have been the
    /// reason.
    [[nodiscard]] Variation variation(unsigned number) const {
        if (request_.explore) return kVariations[(number - 1) % kVariations.size()];
        return {.addresses = !look_anywhere_};
    }

    Result<void> attempt(unsigned number) {
        const milliseconds limit = limit_of(request_);
        const auto made =
            make_plan(*request_.recorded, {.property = request_.property,
                                           .schedule = request_.schedule,
                                           .variation = variation(number),
                                           .stall_ms = static_cast<std::uint32_t>(stall_of(request_).count()),
                                           .limit_ms = static_cast<std::uint32_t>(limit.count()),
                                           .stay = request_.stay});
        if (!made) return tl::make_unexpected(made.error());
        if (auto checked = check_builds(made->plan, request_.command.empty()); !checked) return checked;
        const Result<Target> target = target_of(request_, made->plan);
        if (!target) return tl::make_unexpected(target.error());
        const std::string plan_path = folder_.file(fmt::format("plan-{}", number));
        const std::string result_path = folder_.file(fmt::format("result-{}", number));
        const std::string text = plan_text(made->plan);
        if (auto kept = write_file(plan_path, text); !kept) return kept;
        if (!request_.keep_plan.empty()) {
            if (auto kept = write_file(request_.keep_plan, text); !kept) return kept;
        }
        if (request_.progress) request_.progress(number);

        const AttemptRequest started = request_for(*target, plan_path, result_path, limit + kGrace);
        const Result<Attempt> ended = run_attempt(started);
        if (!ended) return tl::make_unexpected(ended.error());
        const Outcome outcome = outcome_in(result_path);
        if (outcome.told == Told::refused) return fail(refusal(outcome));
        replayed_.attempts = number;
        replayed_.last = *ended;
        replayed_.confirmed = outcome.told == Told::confirmed;
        replayed_.stopped = ended->end == AttemptEnd::stopped && !replayed_.confirmed;
        if (replayed_.confirmed || replayed_.stopped) return {};
        replayed_.explanation = explain(*request_.told, *made, outcome, *ended, started);
        if (request_.diverged) request_.diverged(replayed_.explanation);
        look_anywhere_ = outcome.told == Told::diverged && !look_anywhere_ &&
                         (outcome.why == "passed" || outcome.why == "elsewhere" || outcome.why == "ended");
        return {};
    }

    [[nodiscard]] AttemptRequest request_for(const Target& target, const std::string& plan,
                                             const std::string& result, milliseconds limit) const {
        AttemptRequest attempt{.program = target.program,
                               .words = target.words,
                               .environment = record::recorder_environment({.folder = request_.recorder,
                                                                            .trace = "/dev/null",
                                                                            .report = "/dev/null",
                                                                            .preload = target.preload}),
                               .folder = target.folder,
                               .input = request_.input,
                               .quiet = request_.quiet,
                               .result = result,
                               .limit = limit,
                               .stop = request_.stop};
        attempt.environment.push_back("HEDDLE_REPLAY=" + plan);
        attempt.environment.push_back("HEDDLE_REPLAY_RESULT=" + result);
        if (request_.stay && request_.standing) {
            attempt.look = [this, result, told = false](pid_t) mutable {
                if (told) return false;
                const Outcome now = outcome_in(result);
                told = now.told == Told::confirmed;
                return told && request_.standing(now);
            };
        }
        return attempt;
    }

    static Result<void> write_file(const std::string& path, const std::string& text) {
        FileSink sink(path);
        if (auto written = sink.write(text); !written) return written;
        return sink.finish();
    }

    static Outcome outcome_in(const std::string& path) {
        const auto text = settings::read_text_file(path, kMostResultBytes);
        return text && *text ? read_outcome(**text) : Outcome();
    }

    static std::string refusal(const Outcome& outcome) {
        if (outcome.why == "rebuilt") {
            return fmt::format(
                "{} is another build than the one that was recorded, so the schedule does not fit; "
                "record it again",
                outcome.about);
        }
        return fmt::format("the recorder cannot follow the plan: {}", outcome.about);
    }

    const ReplayRequest& request_;
    const WorkFolder& folder_;
    Replayed replayed_;
    bool look_anywhere_ = false;
};

} // namespace

Result<Replayed> replay(const ReplayRequest& request) {
    const WorkFolder folder;
    if (!folder.made())
        return fail("no temporary folder could be made; is there space, and is TMPDIR a folder?");
    return Replayer(request, folder).run();
}

} // namespace heddle::replay
