// A small run with one race, the same run corrected, and the source it is about.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace heddle::test {

/// Line 3 adds to `total` without the lock that line 8 holds.
inline constexpr std::string_view kSource = "int total;\n"
                                            "void bonus() {\n"
                                            "    total += 25;\n"
                                            "}\n"
                                            "\n"
                                            "void deposit() {\n"
                                            "    mu.lock();\n"
                                            "    total += 50;\n"
                                            "    mu.unlock();\n"
                                            "}\n";

inline constexpr std::string_view kRacy = "T0|w(total)|main@bank.cpp:1:5|=0\n"
                                          "T0|fork(T1)|main@bank.cpp:12:5\n"
                                          "T0|fork(T2)|main@bank.cpp:13:5\n"
                                          "T1|acq(mu)|deposit@bank.cpp:7:8\n"
                                          "T1|r(total)|deposit@bank.cpp:8:5|=0\n"
                                          "T1|w(total)|deposit@bank.cpp:8:11|=50\n"
                                          "T1|rel(mu)|deposit@bank.cpp:9:8\n"
                                          "T2|r(total)|bonus@bank.cpp:3:5|=50\n"
                                          "T2|w(total)|bonus@bank.cpp:3:11|=75\n"
                                          "T0|join(T1)|main@bank.cpp:14:5\n"
                                          "T0|join(T2)|main@bank.cpp:15:5\n";

inline constexpr std::string_view kCorrect = "T0|w(total)|main@bank.cpp:1:5|=0\n"
                                             "T0|fork(T1)|main@bank.cpp:12:5\n"
                                             "T1|acq(mu)|deposit@bank.cpp:7:8\n"
                                             "T1|r(total)|deposit@bank.cpp:8:5|=0\n"
                                             "T1|w(total)|deposit@bank.cpp:8:11|=50\n"
                                             "T1|rel(mu)|deposit@bank.cpp:9:8\n"
                                             "T0|join(T1)|main@bank.cpp:14:5\n";

/// Another file under the same name, as recorders and converters do it.
inline void write_file(const std::string& path, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    const std::string temporary = path + ".tmp";
    std::ofstream(temporary, std::ios::binary) << text;
    std::filesystem::rename(temporary, path);
}

} // namespace heddle::test
