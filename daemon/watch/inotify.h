// One inotify descriptor on an event loop, for any number of watches.
//
// The kernel has one watch for each file or folder, however often it is asked for; here each asker has one of
// its own, with its own events and its own end. Belongs to the thread of the loop. Handlers may add and drop
// watches, but not destroy the Inotify.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

namespace heddle::watch {

struct InotifyEvent {
    std::uint32_t mask = 0; ///< IN_…
    std::string_view name;  ///< within the folder that is watched; empty: it is about the folder itself
};

class Inotify {
  public:
    using Handler = std::function<void(const InotifyEvent&)>;

    /// Lasts as long as this does, or as what is watched.
    class Watch {
      public:
        Watch() = default;
        ~Watch() { drop(); }
        Watch(Watch&& other) noexcept;
        Watch& operator=(Watch&& other) noexcept;
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

      private:
        friend class Inotify;
        void drop();

        std::weak_ptr<Inotify*> owner_;
        int descriptor_ = -1;
        std::uint64_t number_ = 0;
    };

    /// `on_overflow` is called when the kernel had more to tell than it could keep.
    Inotify(boost::asio::io_context& io, std::size_t max_watches, std::function<void()> on_overflow);
    ~Inotify();
    Inotify(const Inotify&) = delete;
    Inotify& operator=(const Inotify&) = delete;
    Inotify(Inotify&&) = delete;
    Inotify& operator=(Inotify&&) = delete;

    /// 0, or errno: ENOSPC when there are no more watches, EMFILE when there is no inotify to be had.
    [[nodiscard]] int add(const std::string& path, std::uint32_t mask, Handler handler, Watch& watch);

  private:
    struct Asker {
        std::uint64_t number = 0;
        std::uint32_t mask = 0;
        std::shared_ptr<Handler> handler;
    };

    void wait();
    void read_some();
    void dispatch(int descriptor, const InotifyEvent& event);
    void remove(int descriptor, std::uint64_t number);

    boost::asio::posix::stream_descriptor stream_;
    int failure_ = 0;
    std::size_t max_watches_;
    std::function<void()> on_overflow_;
    std::map<int, std::vector<Asker>> askers_; ///< by the kernel's watch descriptor
    std::uint64_t last_number_ = 0;
    std::shared_ptr<Inotify*> self_; ///< for those who may outlive this
};

} // namespace heddle::watch
