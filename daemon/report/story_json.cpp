#include "daemon/report/story_json.h"

#include "daemon/report/event_json.h"
#include "traces/describe.h"

#include <string>

#include <nlohmann/json.hpp>

namespace heddle::report {

namespace {

nlohmann::json thread_json(const Trace& trace, ThreadId thread) {
    return {{"thread", trace.display_name(ObjectKind::thread, thread.value)},
            {"thread_id", thread.value},
            {"short_name", short_name(trace, thread)},
            {"full_name", full_name(trace, thread)}};
}

nlohmann::json held_json(const Trace& trace, const std::vector<HeldLock>& held) {
    nlohmann::json json = nlohmann::json::array();
    for (const HeldLock& one : held) {
        nlohmann::json lock = {{"name", trace.display_name(ObjectKind::lock, one.lock.value)},
                               {"shared", one.mode == LockMode::shared},
                               {"since", one.since.value}};
        add_place(trace, trace.place_for_people(trace[one.since].stack()), lock);
        json.push_back(std::move(lock));
    }
    return json;
}

nlohmann::json held_names(const ThreadPasts& pasts, ThreadId thread, EventId before) {
    nlohmann::json json = nlohmann::json::array();
    for (const HeldLock& one : pasts.held(thread, before))
        json.push_back(pasts.trace().display_name(ObjectKind::lock, one.lock.value));
    return json;
}

nlohmann::json step_json(const ThreadPasts& pasts, const StoryStep& step, std::size_t number) {
    const Trace& trace = pasts.trace();
    nlohmann::json json = thread_json(trace, step.thread);
    json["step"] = number;
    json["event"] = step.event.value;
    json["op"] = traits(trace[step.event].kind()).text;
    json["held"] = held_names(pasts, step.thread, step.event);
    json["held_after"] =
        step.taken ? held_names(pasts, step.thread, EventId{step.event.value + 1}) : json["held"];
    json["words"] = step.words;
    if (!step.value.empty()) json["value"] = step.value;
    json["marked"] = step.marked;
    json["taken"] = step.taken;
    add_place(trace, step.place, json);
    return json;
}

nlohmann::json gap_json(const ThreadPasts& pasts, const StoryGap& gap) {
    nlohmann::json json = {{"left_out", nlohmann::json::array()}, {"others", gap.others}};
    for (const StoryGap::Part& part : gap.parts) {
        nlohmann::json one = thread_json(pasts.trace(), part.thread);
        one["events"] = part.events;
        one["held_after"] = held_names(pasts, part.thread, EventId{part.last.value + 1});
        json["left_out"].push_back(std::move(one));
    }
    return json;
}

} // namespace

nlohmann::json story_json(const ThreadPasts& pasts, const Story& story) {
    const Trace& trace = pasts.trace();
    nlohmann::json json = {{"base", story.base.value},
                           {"shown", story.shown()},
                           {"others_before", story.others_before},
                           {"threads", nlohmann::json::array()},
                           {"rows", nlohmann::json::array()}};
    for (const StoryThread& thread : story.threads) {
        nlohmann::json one = thread_json(trace, thread.thread);
        if (thread.forked_by.valid()) one["forked_by"] = thread.forked_by.value;
        one["before"] = thread.before;
        one["held_before"] = held_json(trace, thread.held_before);
        one["held_at_end"] = held_json(trace, thread.held_at_end);
        json["threads"].push_back(std::move(one));
    }
    std::size_t number = 0;
    for (const StoryRow& row : story.rows) {
        const auto* step = std::get_if<StoryStep>(&row);
        json["rows"].push_back(step != nullptr ? step_json(pasts, *step, ++number)
                                               : gap_json(pasts, std::get<StoryGap>(row)));
    }
    return json;
}

nlohmann::json witness_json(const ThreadPasts& pasts, const Witnessed& witness, const Story& story) {
    const Trace& trace = pasts.trace();
    const Schedule& schedule = witness.schedule;
    nlohmann::json json = {{"stage", kWitnessStageNames[static_cast<std::size_t>(witness.by)]},
                           {"base", schedule.base.value},
                           {"steps", nlohmann::json::array()},
                           {"context_switches", context_switches(trace, schedule)},
                           {"story", story_json(pasts, story)},
                           {"observed", story_json(pasts, as_recorded(pasts, story))}};
    for (const EventId id : schedule.steps) {
        const EventView event = trace[id];
        nlohmann::json step = event_json(trace, event);
        add_place(trace, trace.place_of(event.stack()), step);
        json["steps"].push_back(std::move(step));
    }
    return json;
}

} // namespace heddle::report
