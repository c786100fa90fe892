#include "traces/chrome/writer.h"

#include "traces/describe.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle::chrome {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

/// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD: JSON has no place for them.
std::string quoted(std::string text) {
    return nlohmann::json(std::move(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The event that closes the span this one opens, for kinds that open one.
std::optional<EventKind> closer_of(EventKind kind) {
    switch (kind) {
    case EventKind::acquire: return EventKind::release;
    case EventKind::acquire_shared: return EventKind::release_shared;
    case EventKind::wait_pre: return EventKind::wait_post;
    case EventKind::barrier_enter: return EventKind::barrier_leave;
    case EventKind::once_begin: return EventKind::once_end;
    case EventKind::txn_begin: return EventKind::txn_end;
    default: return std::nullopt;
    }
}

bool closes_span(EventKind kind) {
    return kind == EventKind::release || kind == EventKind::release_shared || kind == EventKind::wait_post ||
           kind == EventKind::barrier_leave || kind == EventKind::once_end || kind == EventKind::txn_end;
}

std::string_view span_name(EventKind opener) {
    switch (opener) {
    case EventKind::acquire: return "holds";
    case EventKind::acquire_shared: return "shares";
    case EventKind::wait_pre: return "waits for";
    case EventKind::barrier_enter: return "at barrier";
    case EventKind::once_begin: return "initialises";
    default: return "transaction";
    }
}

struct OpenSpan {
    EventKind opener;
    std::uint32_t target;
    std::uint64_t since;
};

class ChromeWriter {
  public:
    ChromeWriter(const Trace& trace, ByteSink& sink)
        : trace_(trace), sink_(sink), open_(trace.thread_count()) {}

    Result<std::vector<std::string>> write(const Progress& progress) {
        put(R"({{"displayTimeUnit":"ns","traceEvents":[)");
        put(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})", quoted(process_name()));
        for (std::size_t thread = 0; thread < trace_.thread_count(); ++thread) {
            const auto id = static_cast<std::uint32_t>(thread);
            put(",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}",
                id + 1, quoted(trace_.display_name(ObjectKind::thread, id)));
        }
        for (const EventView event : trace_.events()) {
            write_event(event);
            if (out_.size() < kPiece) continue;
            if (auto result = flush(); !result) return tl::make_unexpected(result.error());
            if (progress && !progress(event.id().value, trace_.size())) return fail("stopped before the end");
        }
        close_open_spans();
        put("\n]}}\n");
        if (auto result = flush(); !result) return tl::make_unexpected(result.error());
        return not_held();
    }

  private:
    template<typename... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }
    Result<void> flush() {
        auto result = sink_.write({out_.data(), out_.size()});
        out_.clear();
        return result;
    }

    std::string process_name() const {
        const Metadata& metadata = trace_.metadata();
        if (!metadata.test.empty()) return metadata.test;
        return metadata.command.empty() ? "program" : metadata.command.front();
    }

    void write_event(const EventView& event) {
        auto& open = open_[event.thread().value];
        if (closer_of(event.kind())) {
            open.push_back({event.kind(), event.target(), event.id().value});
        } else if (closes_span(event.kind())) {
            close_span(event, open);
        } else {
            put(",\n{{\"ph\":\"i\",\"s\":\"t\",\"pid\":1,\"tid\":{},\"ts\":{},\"name\":{},\"args\":{{"
                "\"place\":{}}}}}",
                event.thread().value + 1, event.id().value, quoted(describe(trace_, event)),
                quoted(trace_.place_text(trace_.place_of(event.stack()))));
        }
        write_arrow(event);
    }

    void close_span(const EventView& event, std::vector<OpenSpan>& open) {
        for (std::size_t i = open.size(); i-- > 0;) {
            if (closer_of(open[i].opener) != event.kind() || open[i].target != event.target()) continue;
            // A span that does not nest within its thread's row gets a row of its own.
            put_span(event.thread(), open[i], event.id().value, i + 1 == open.size());
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
    }

    void put_span(ThreadId thread, const OpenSpan& span, std::uint64_t end, bool nested) {
        std::string name(span_name(span.opener));
        if (span.target != kNoTarget)
            name += " " + trace_.display_name(*traits(span.opener).target, span.target);
        const std::string text = quoted(std::move(name));
        if (nested) {
            put(",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{}}}", thread.value + 1,
                span.since, end - span.since, text);
            return;
        }
        const std::uint64_t id = next_span_++;
        for (const auto& [phase, at] : {std::pair{'b', span.since}, std::pair{'e', end}}) {
            put(",\n{{\"ph\":\"{}\",\"cat\":\"span\",\"id\":{},\"pid\":1,\"tid\":{},\"ts\":{},\"name\":{}}}",
                phase, id, thread.value + 1, at, text);
        }
    }

    void close_open_spans() {
        for (std::size_t thread = 0; thread < open_.size(); ++thread) {
            for (const OpenSpan& span : open_[thread]) put_span(ThreadId{thread}, span, trace_.size(), true);
        }
    }

    /// fork → first event of the child, last event of a thread → join, notify → wait_post.
    void write_arrow(const EventView& event) {
        if (event.kind() == EventKind::fork && !trace_.events_of(event.other_thread()).empty()) {
            const EventView child = trace_[EventId{trace_.events_of(event.other_thread()).front()}];
            put_arrow("fork", event.thread(), event.id(), child.thread(), child.id());
        } else if (event.kind() == EventKind::join && !trace_.events_of(event.other_thread()).empty()) {
            const EventView last = trace_[EventId{trace_.events_of(event.other_thread()).back()}];
            put_arrow("join", last.thread(), last.id(), event.thread(), event.id());
        } else if ((event.kind() == EventKind::notify || event.kind() == EventKind::notify_all) &&
                   event.has_value()) {
            notifies_[notify_key(event)] = event.id();
        } else if (event.kind() == EventKind::wait_post && event.has_value()) {
            const auto notify = notifies_.find(notify_key(event));
            if (notify == notifies_.end()) return;
            put_arrow("notify", trace_[notify->second].thread(), notify->second, event.thread(), event.id());
        }
    }
    std::uint64_t notify_key(const EventView& event) const {
        return trace_.value_of(event) * trace_.objects(ObjectKind::condition).size() + event.target();
    }

    void put_arrow(std::string_view name, ThreadId from, EventId start, ThreadId to, EventId end) {
        const std::uint64_t id = next_arrow_++;
        put(",\n{{\"ph\":\"s\",\"cat\":\"order\",\"id\":{},\"pid\":1,\"tid\":{},\"ts\":{},\"name\":\"{}\"}}",
            id, from.value + 1, start.value, name);
        put(",\n{{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"order\",\"id\":{},\"pid\":1,\"tid\":{},\"ts\":{},"
            "\"name\":\"{}\"}}",
            id, to.value + 1, end.value, name);
    }

    std::vector<std::string> not_held() const {
        std::vector<std::string> lost = {"times are event numbers: a trace has an order, no clock"};
        const bool deep = std::any_of(trace_.stacks().begin(), trace_.stacks().end(),
                                      [](const Stack& stack) { return stack.caller.valid(); });
        if (deep) lost.emplace_back("callers: only the innermost place of an event is kept");
        if (!trace_.modules().empty()) lost.emplace_back("the module table");
        if (!trace_.metadata().settings.empty()) lost.emplace_back("the recorder's settings");
        return lost;
    }

    const Trace& trace_;
    ByteSink& sink_;
    fmt::memory_buffer out_;
    std::vector<std::vector<OpenSpan>> open_;
    std::unordered_map<std::uint64_t, EventId> notifies_;
    std::uint64_t next_span_ = 1;
    std::uint64_t next_arrow_ = 1;
};

} // namespace

Result<std::vector<std::string>> write_trace(const Trace& trace, ByteSink& sink, const Progress& progress) {
    return ChromeWriter(trace, sink).write(progress);
}

} // namespace heddle::chrome
