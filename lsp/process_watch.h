// Tells when a process dies that is not a child of ours: a descriptor of the process where the kernel has
// them (Linux 5.3), a look every two seconds elsewhere. Costs nothing while the process lives.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace heddle::lsp {

class ProcessWatch {
  public:
    /// Called once from the loop, never from inside here; at once if there is no such process.
    ProcessWatch(boost::asio::io_context& loop, std::int32_t process_id, std::function<void()> on_death);
    ProcessWatch(const ProcessWatch&) = delete;
    ProcessWatch& operator=(const ProcessWatch&) = delete;
    ProcessWatch(ProcessWatch&&) = delete;
    ProcessWatch& operator=(ProcessWatch&&) = delete;
    ~ProcessWatch(); ///< nothing is called any more

  private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace heddle::lsp
