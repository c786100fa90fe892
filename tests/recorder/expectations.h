// What a test program says it must leave in a trace: the comments "//: …" of its source.
//
//   x = 1; //: T1 w4(x) =1            thread 1 writes the 4 bytes of x here, and x is then 1
//   lock(); //: T1,T2 acq(m); T0 …    the same for two threads; several steps
//   x++; //: [gcc] T1 r4(x); …        only what GCC compiled ("[clang]", "[O0]")
//   f(); //: T1/2 acq(m)              comes after the steps of T1/1 and T1, wherever they stand
//   return; //: T1 rel(m) anywhere    the place is not compared
//
// T0 is main, T1 the first thread that is forked. Names are those of global variables, "x+8" for what lies
// within; "m#2" is the second object at the same address; "heap1" the first variable that has no name.
// Without =VALUE the value is not compared. Steps of a thread stand in program order.
//
// Lines "// ignores: heap" (variables without a name), "// ignores: libraries" (other objects without one),
// "// threads: T1=name" and "// stack: T1 w4(y) = inner < outer" are about the whole run;
// "// block: heap1 = 24 bytes by make < main, freed by main" says what the memory of a variable or lock is
// ("frame of f < main", "none"); "// reduced" asks for a recording without --full.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::test {

/// One event as these tests see it.
struct Step {
    std::string thread; ///< "T1"
    std::string what;   ///< "w4(x)", "acq(m)", "atomic_load4(a) relaxed"
    std::optional<std::string> value;
    unsigned line = 0; ///< 0: unknown, or not compared
};

[[nodiscard]] std::string text_of(const Step& step);
/// Whether what was seen is what was expected.
[[nodiscard]] bool matches(const Step& expected, const Step& seen);

struct Expectations {
    std::map<std::string, std::vector<Step>> steps; ///< by thread, in program order
    std::map<std::string, std::string> thread_names;
    std::vector<std::pair<Step, std::string>> stacks;
    std::map<std::string, std::string> blocks; ///< by name of the variable or lock
    bool ignores_heap = false;
    bool ignores_libraries = false;
    bool reduced = false; ///< to be recorded without --full
};

/// `build` is what brackets are compared with: {"gcc", "O0"}. Throws std::runtime_error on a wrong comment.
[[nodiscard]] Expectations read_expectations(const std::string& source,
                                             const std::vector<std::string>& build);

} // namespace heddle::test
