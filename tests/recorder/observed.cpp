#include "observed.h"

#include "access_classes.h"
#include "program_names.h"
#include "traces/event.h"

#include <set>
#include <utility>

#include <fmt/format.h>

namespace heddle::test {

namespace {

class Observer {
  public:
    Observer(const Trace& trace, const std::string& program, std::string source, const Expectations& expected)
        : trace_(trace), names_(trace, program), source_(std::move(source)), expected_(expected),
          shared_(shared_variables(trace)) {}

    Observed run() {
        if (!names_.knows_program()) result_.problems.emplace_back("the program is not among the modules");
        find_tickets();
        find_blocks();
        for (const EventView event : trace_.events()) add(event);
        check_lives();
        for (std::uint32_t i = 0; i < trace_.thread_count(); ++i) {
            const std::string name(trace_.name(ObjectKind::thread, i));
            if (!name.empty()) result_.thread_names[names_.thread(ThreadId{i})] = name;
        }
        return std::move(result_);
    }

  private:
    void find_tickets() {
        for (const EventView event : trace_.events()) {
            if ((event.kind() == EventKind::notify || event.kind() == EventKind::notify_all) &&
                event.has_value())
                tickets_.insert(event.raw_value());
        }
    }

    void add(const EventView& event) {
        const std::string thread = names_.thread(event.thread());
        if (event.kind() == EventKind::alloc || event.kind() == EventKind::free) return follow_block(event);
        check_block(event);
        lives_[thread].push_back(event.kind());
        if (event.kind() == EventKind::thread_begin || event.kind() == EventKind::thread_end) return;
        if (is_access(event.kind()) && !shared_[event.target()]) return;
        Step step{
            .thread = thread, .what = std::string(traits(event.kind()).text), .line = line_of(event.stack())};
        if (is_access(event.kind())) {
            const std::string variable = names_.variable(event);
            if (expected_.ignores_heap && variable.starts_with("heap")) return;
            step.what += fmt::format("{}({})", event.bytes().size, variable);
            result_.blocks[variable] = block_text(event);
        } else if (event.has_target()) {
            const std::string target = names_.target(event);
            if (expected_.ignores_libraries && target.starts_with(ProgramNames::kUnnamed)) return;
            step.what += fmt::format("({})", target);
            result_.blocks[target] = block_text(event);
        }
        if (traits(event.kind()).atomic)
            step.what += fmt::format(" {}", kMemoryOrderNames[static_cast<std::size_t>(event.order())]);
        add_value(event, step);
        result_.stacks[fmt::format("{} {}", thread, step.what)] = stack_text(event.stack());
        std::vector<Step>& steps = result_.steps[thread];
        // The reduction may tell an access twice; that says nothing new.
        if (expected_.reduced && !steps.empty() && text_of(steps.back()) == text_of(step)) return;
        steps.push_back(std::move(step));
    }

    void add_value(const EventView& event, Step& step) const {
        switch (event.kind()) {
        case EventKind::wait_post:
            step.what += event.has_value() && tickets_.contains(event.raw_value()) ? " matched" : " spurious";
            return;
        case EventKind::notify:
        case EventKind::notify_all: return;
        default: break;
        }
        if (!event.has_value()) return;
        step.value = std::to_string(trace_.value_of(event));
        if (event.kind() == EventKind::atomic_rmw)
            step.value = fmt::format("{}->{}", trace_.value_read_by(event), *step.value);
    }

    [[nodiscard]] unsigned line_of(StackId stack) const {
        for (; stack.valid(); stack = trace_.stacks()[stack.value].caller) {
            const Place& place = trace_.places()[trace_.stacks()[stack.value].place.value];
            if (!names_.in_program(place)) continue;
            if (const unsigned line = names_.info().line_of(place.offset, source_); line != 0) return line;
        }
        return 0;
    }

    [[nodiscard]] std::string stack_text(StackId stack) const {
        std::vector<std::string> functions;
        for (; stack.valid(); stack = trace_.stacks()[stack.value].caller) {
            const Place& place = trace_.places()[trace_.stacks()[stack.value].place.value];
            if (names_.in_program(place)) functions.push_back(names_.info().function_of(place.offset));
        }
        return fmt::format("{}", fmt::join(functions, " < "));
    }

    struct BlockLife {
        StackId alloc;
        StackId free;
        bool allocated = false;
        bool freed = false;
    };

    void find_blocks() {
        for (const EventView event : trace_.events()) {
            if (event.kind() == EventKind::alloc) blocks_[event.target()].alloc = event.stack();
            if (event.kind() == EventKind::free) blocks_[event.target()].free = event.stack();
        }
    }
    void follow_block(const EventView& event) {
        BlockLife& life = blocks_[event.target()];
        (event.kind() == EventKind::alloc ? life.allocated : life.freed) = true;
    }
    [[nodiscard]] BlockId block_of(const EventView& event) const {
        if (!event.has_target()) return {};
        return trace_.objects(*traits(event.kind()).target)[event.target()].block;
    }
    /// What lies in a block is used after its allocation and before its end.
    void check_block(const EventView& event) {
        const BlockId block = block_of(event);
        if (!block.valid()) return;
        const BlockLife& life = blocks_[block.value];
        if (!life.allocated) result_.problems.emplace_back("something is used before its block is allocated");
        if (life.freed) result_.problems.emplace_back("something is used after its block was freed");
    }
    [[nodiscard]] std::string block_text(const EventView& event) {
        const BlockId id = block_of(event);
        if (!id.valid()) return "none";
        const Object& block = trace_.objects(ObjectKind::block)[id.value];
        const BlockLife& life = blocks_[id.value];
        if (trace_.string(block.name) == kFrameName) return "frame of " + stack_text(life.alloc);
        std::string text = fmt::format("{} bytes by {}", block.size, stack_text(life.alloc));
        if (life.free.valid()) text += ", freed by " + stack_text(life.free);
        return text;
    }

    /// A thread that was forked begins with its begin; one that was joined ended with its end.
    void check_lives() {
        for (const EventView event : trace_.events()) {
            if (event.kind() != EventKind::fork && event.kind() != EventKind::join) continue;
            const std::string thread = names_.thread(event.other_thread());
            const std::vector<EventKind>& life = lives_[thread];
            if (event.kind() == EventKind::fork && !life.empty() && life.front() != EventKind::thread_begin)
                result_.problems.push_back(fmt::format("{} does not begin with its beginning", thread));
            if (event.kind() == EventKind::join && (life.empty() || life.back() != EventKind::thread_end))
                result_.problems.push_back(
                    fmt::format("{} was joined, but does not end with its end", thread));
        }
    }

    const Trace& trace_;
    ProgramNames names_;
    std::string source_;
    const Expectations& expected_;
    std::vector<bool> shared_;
    Observed result_;
    std::set<std::uint64_t> tickets_;
    std::map<std::string, std::vector<EventKind>> lives_;
    std::map<std::uint32_t, BlockLife> blocks_;
};

} // namespace

Observed observe(const Trace& trace, const std::string& program, const std::string& source,
                 const Expectations& expected) {
    return Observer(trace, program, source, expected).run();
}

} // namespace heddle::test
