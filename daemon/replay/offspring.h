// What an attempt started, wherever it went: its process group, processes whose environment names the
// attempt, and those that have left both (a daemon with an environment of its own), which are found as
// descendants: while this lives, the system gives this process the orphans of its children.
//
// Thread rule: while one lives, nobody else starts children of this process, unless to wait for their ends
// meanwhile.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace heddle::replay {

class Offspring {
  public:
    /// `mark`: what the environment of the attempt's processes has in it. Before the attempt starts.
    explicit Offspring(std::string mark);
    ~Offspring();
    Offspring(const Offspring&) = delete;
    Offspring& operator=(const Offspring&) = delete;
    Offspring(Offspring&&) = delete;
    Offspring& operator=(Offspring&&) = delete;

    /// Ends all of it. The group's first process, a child of this one, is ended, too; its status is left to
    /// who asks for it.
    void end(pid_t group);

  private:
    [[nodiscard]] std::vector<pid_t> alive(pid_t first) const;

    std::string mark_;
    std::vector<pid_t> children_before_;
    int was_reaper_ = 0;
};

} // namespace heddle::replay
