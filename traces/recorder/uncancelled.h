// While it lives the thread cannot be cancelled: what the recorder writes and opens are points where the C
// library would end a thread that somebody cancelled, in the middle of what the recorder does.
#pragma once

#include <pthread.h>

namespace heddle::recorder {

class Uncancelled {
  public:
    Uncancelled() noexcept { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~Uncancelled() { ::pthread_setcancelstate(before_, nullptr); }
    Uncancelled(const Uncancelled&) = delete;
    Uncancelled& operator=(const Uncancelled&) = delete;

  private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace heddle::recorder
