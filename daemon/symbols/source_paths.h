// Paths of source files as people see them: absolute ones from what debug information says, shortened when
// they lie in the folder the user stands in.
#pragma once

#include <string>
#include <string_view>

namespace heddle::symbols {

class SourcePaths {
  public:
    /// `folder`: paths below it are told relative to it; empty: all are absolute.
    explicit SourcePaths(std::string_view folder = {});

    /// `name` as a unit of the program names it, relative to the folder that it was compiled in.
    [[nodiscard]] std::string shown(std::string_view compile_folder, std::string_view name) const;

  private:
    std::string prefix_; ///< ends with a slash, or is empty
};

} // namespace heddle::symbols
