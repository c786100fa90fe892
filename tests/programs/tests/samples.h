// Which sample programs there are, and their text.
#pragma once

#include <string>
#include <vector>

namespace heddle::test {

/// The files in order: "account_correct.cpp", …
[[nodiscard]] std::vector<std::string> sample_names();
/// The name without what follows the dot.
[[nodiscard]] std::string sample_stem(const std::string& name);
/// A file of the samples' folder.
[[nodiscard]] std::string sample_text(const std::string& name);

} // namespace heddle::test
