// What tests/bench/symbols measures:
//   heddle_bench_symbols --addresses N PROGRAM      prints N random addresses of its code
//   heddle_bench_symbols PROGRAM FILE               resolves the addresses in FILE, once
//   heddle_bench_symbols --cached PROGRAM FILE      prints the nanoseconds that each takes when asked again
//   heddle_bench_symbols --trace N PROGRAM FILE     prints the seconds that a trace of N places takes
#include "daemon/symbols/symbolised.h"
#include "traces/trace_builder.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle::symbols;
using Clock = std::chrono::steady_clock;

std::string build_id_of(const std::string& program) {
    const auto image = ElfImage::open(program);
    if (!image) {
        std::fprintf(stderr, "%s\n", image.error().message.c_str());
        std::exit(2);
    }
    return image->build_id();
}

std::vector<std::uint64_t> addresses_in(const std::string& path) {
    std::vector<std::uint64_t> addresses;
    std::ifstream lines(path);
    for (std::string line; std::getline(lines, line);) addresses.push_back(std::stoull(line, nullptr, 16));
    return addresses;
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Addresses that debug information tells a line of.
void print_addresses(std::size_t count, const std::string& program) {
    Symboliser symboliser;
    const ModuleNumber module = symboliser.module({program, build_id_of(program), {}});
    std::mt19937_64 random(1);
    for (std::size_t found = 0, tried = 0; found < count && tried < count * 1000; ++tried) {
        const std::uint64_t address = random() % (std::uint64_t{16} << 20U);
        const LocationId location = symboliser.locate(module, address);
        if (!location.valid() || symboliser[location].frame.line == 0) continue;
        std::printf("0x%llx\n", static_cast<unsigned long long>(address));
        ++found;
    }
}

std::uint64_t resolve(Symboliser& symboliser, ModuleNumber module,
                      const std::vector<std::uint64_t>& addresses) {
    std::uint64_t sum = 0;
    for (const std::uint64_t address : addresses) sum += symboliser.locate(module, address).value;
    return sum;
}

double cached_ns(const std::string& program, const std::vector<std::uint64_t>& addresses) {
    constexpr int kRounds = 100;
    Symboliser symboliser;
    const ModuleNumber module = symboliser.module({program, build_id_of(program), {}});
    std::uint64_t sum = resolve(symboliser, module, addresses);
    const auto start = Clock::now();
    for (int i = 0; i < kRounds; ++i) sum += resolve(symboliser, module, addresses);
    const double seconds = seconds_since(start);
    if (sum == 0) std::abort(); // keeps the work from being left out
    return seconds * 1e9 / kRounds / static_cast<double>(addresses.size());
}

/// As many places as asked for: each address and those right after it.
double trace_seconds(std::size_t places, const std::string& program,
                     const std::vector<std::uint64_t>& addresses) {
    TraceBuilder builder;
    const ThreadId thread{builder.add_object(ObjectKind::thread, {})};
    const VarId variable{builder.add_object(ObjectKind::variable, {})};
    const ModuleId module =
        builder.module({.path = builder.string(program), .build_id = builder.string(build_id_of(program))});
    for (std::size_t i = 0; i < places; ++i) {
        const std::uint64_t offset = addresses[i % addresses.size()] + i / addresses.size();
        const StackId stack = builder.stack({builder.place({.module = module, .offset = offset}), {}});
        builder.add({.kind = EventKind::read, .thread = thread, .target = variable.value, .stack = stack});
    }
    const Trace trace = builder.snapshot();
    Symboliser symboliser;
    const auto start = Clock::now();
    const SymbolisedTrace told = symbolised(trace, symboliser);
    const double seconds = seconds_since(start);
    if (told.trace.size() != trace.size()) std::abort();
    return seconds;
}

} // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    const std::string mode = arguments.empty() ? "" : arguments[0];
    if (mode == "--addresses" && arguments.size() == 3) {
        print_addresses(std::stoull(arguments[1]), arguments[2]);
    } else if (mode == "--cached" && arguments.size() == 3) {
        std::printf("%.1f\n", cached_ns(arguments[1], addresses_in(arguments[2])));
    } else if (mode == "--trace" && arguments.size() == 4) {
        std::printf("%.2f\n",
                    trace_seconds(std::stoull(arguments[1]), arguments[2], addresses_in(arguments[3])));
    } else if (arguments.size() == 2) {
        Symboliser symboliser;
        const ModuleNumber module = symboliser.module({arguments[0], build_id_of(arguments[0]), {}});
        return resolve(symboliser, module, addresses_in(arguments[1])) == 0 ? 1 : 0;
    } else {
        std::fprintf(stderr, "usage: see the top of bench_symbols.cpp\n");
        return 2;
    }
    return 0;
}
