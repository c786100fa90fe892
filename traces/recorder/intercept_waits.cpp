// Calls in which a thread waits for time, for input, for other processes or for signals, perhaps for ever.
// They leave nothing in the trace. But others may write the thread's buffer meanwhile: what it has not
// written keeps readers from all that the others do.
#include "traces/recorder/interception.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle::recorder;

// The parameters' names are told a second time, for the call. Not noexcept: waits are points of cancellation.
#define HEDDLE_WAIT(result, name, parameters, arguments)                                                     \
    HEDDLE_EXPORT result name parameters {                                                                   \
        const Blocking blocking(recorded_thread());                                                          \
        return real().name arguments;                                                                        \
    }

HEDDLE_WAIT(unsigned, sleep, (unsigned seconds), (seconds))
HEDDLE_WAIT(int, usleep, (useconds_t time), (time))
HEDDLE_WAIT(int, nanosleep, (const timespec* time, timespec* left), (time, left))
HEDDLE_WAIT(int, clock_nanosleep, (clockid_t clock, int flags, const timespec* time, timespec* left),
            (clock, flags, time, left))
HEDDLE_WAIT(int, thrd_sleep, (const timespec* time, timespec* left), (time, left))

HEDDLE_WAIT(int, poll, (pollfd * files, nfds_t count, int time), (files, count, time))
HEDDLE_WAIT(int, ppoll, (pollfd * files, nfds_t count, const timespec* time, const sigset_t* mask),
            (files, count, time, mask))
HEDDLE_WAIT(int, select, (int count, fd_set* in, fd_set* out, fd_set* other, timeval* time),
            (count, in, out, other, time))
HEDDLE_WAIT(int, pselect,
            (int count, fd_set* in, fd_set* out, fd_set* other, const timespec* time, const sigset_t* mask),
            (count, in, out, other, time, mask))
HEDDLE_WAIT(int, epoll_wait, (int file, epoll_event* events, int most, int time), (file, events, most, time))
HEDDLE_WAIT(int, epoll_pwait, (int file, epoll_event* events, int most, int time, const sigset_t* mask),
            (file, events, most, time, mask))

HEDDLE_WAIT(ssize_t, read, (int file, void* to, std::size_t bytes), (file, to, bytes))
HEDDLE_WAIT(ssize_t, recv, (int file, void* to, std::size_t bytes, int flags), (file, to, bytes, flags))
HEDDLE_WAIT(ssize_t, recvfrom,
            (int file, void* to, std::size_t bytes, int flags, sockaddr* from, socklen_t* size),
            (file, to, bytes, flags, from, size))
HEDDLE_WAIT(ssize_t, recvmsg, (int file, msghdr* message, int flags), (file, message, flags))
HEDDLE_WAIT(int, accept, (int file, sockaddr* from, socklen_t* size), (file, from, size))
HEDDLE_WAIT(int, accept4, (int file, sockaddr* from, socklen_t* size, int flags), (file, from, size, flags))

HEDDLE_WAIT(pid_t, wait, (int* status), (status))
HEDDLE_WAIT(pid_t, waitpid, (pid_t process, int* status, int flags), (process, status, flags))
HEDDLE_WAIT(pid_t, wait4, (pid_t process, int* status, int flags, rusage* used),
            (process, status, flags, used))
HEDDLE_WAIT(int, waitid, (idtype_t kind, id_t process, siginfo_t* about, int flags),
            (kind, process, about, flags))

HEDDLE_WAIT(int, pause, (), ())
HEDDLE_WAIT(int, sigsuspend, (const sigset_t* mask), (mask))
HEDDLE_WAIT(int, sigwait, (const sigset_t* which, int* signal), (which, signal))
HEDDLE_WAIT(int, sigwaitinfo, (const sigset_t* which, siginfo_t* about), (which, about))
HEDDLE_WAIT(int, sigtimedwait, (const sigset_t* which, siginfo_t* about, const timespec* time),
            (which, about, time))
