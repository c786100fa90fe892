#include "program_names.h"

#include <filesystem>

#include <fmt/format.h>

namespace heddle::test {

ProgramNames::ProgramNames(const Trace& trace, const std::string& program) : trace_(trace), info_(program) {
    const auto name = std::filesystem::path(program).filename();
    for (std::size_t i = 0; i < trace.modules().size(); ++i) {
        const std::string path(trace.string(trace.modules()[i].path));
        if (std::filesystem::path(path).filename() == name) module_ = i;
    }
}

std::string ProgramNames::thread(ThreadId thread) {
    return fmt::format("T{}", threads_.try_emplace(thread.value, threads_.size()).first->second);
}

std::string ProgramNames::variable(const EventView& event) {
    const Object& object = trace_.objects(ObjectKind::variable)[event.target()];
    const std::string global = global_at(object.address + event.bytes().offset);
    if (!global.empty()) return global;
    return fmt::format("heap{}", heap_.try_emplace(event.target(), heap_.size() + 1).first->second);
}

std::string ProgramNames::target(const EventView& event) {
    const ObjectKind kind = *traits(event.kind()).target;
    if (kind == ObjectKind::thread) return thread(ThreadId{event.target()});
    const std::uint64_t address = trace_.objects(kind)[event.target()].address;
    const std::string global = global_at(address);
    const std::string name = global.empty() ? kUnnamed : global;
    auto& sharing = same_address_[{kind, address}];
    const auto number = sharing.try_emplace(event.target(), sharing.size() + 1).first->second;
    return number == 1 ? name : fmt::format("{}#{}", name, number);
}

bool ProgramNames::in_program(const Place& place) const {
    return place.module.valid() && place.module.value == module_;
}

std::string ProgramNames::global_at(std::uint64_t address) const {
    return module_ == kNone ? "" : info_.variable_at(address - trace_.modules()[module_].base);
}

} // namespace heddle::test
