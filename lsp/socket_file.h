// The file of a Unix socket: made for its owner alone, and never taken from a daemon that still answers.
// Internal to Listener.
#pragma once

#include "lsp/result.h"

#include <cstdint>
#include <string>

namespace heddle::lsp {

class SocketFile {
  public:
    /// A listening socket bound to the path. Daemons that start at the same moment take turns, by a lock on
    /// `<path>.lock`: only one of them wins.
    [[nodiscard]] static Result<SocketFile> make(const std::string& path);

    [[nodiscard]] int descriptor() const { return descriptor_; } ///< the caller's to close
    /// If it is still the one that was made here.
    void remove() const;

  private:
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t device_ = 0;
    std::uint64_t inode_ = 0;
};

} // namespace heddle::lsp
