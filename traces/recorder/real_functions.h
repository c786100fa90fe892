// The functions of the C library that the recorder interposes, as the program would have got them without
// it. Looked up once, by the first that needs one: interposed functions are called before any constructor.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <threads.h>

namespace heddle::recorder {

// X(result, name, parameters)
#define HEDDLE_REAL_FUNCTIONS(X)                                                                             \
    X(char*, realpath, (const char*, char*))                                                                 \
    X(int, glob, (const char*, int, int (*)(const char*, int), glob_t*))                                     \
    X(int, regexec, (const regex_t*, const char*, std::size_t, regmatch_t*, int))                            \
    X(FILE*, fmemopen, (void*, std::size_t, const char*))                                                    \
    X(int, pthread_kill, (pthread_t, int))                                                                   \
    X(int, sched_getaffinity, (pid_t, std::size_t, cpu_set_t*))                                              \
    X(void, longjmp, (__jmp_buf_tag*, int))                                                                  \
    X(void, _longjmp, (__jmp_buf_tag*, int))                                                                 \
    X(void, siglongjmp, (__jmp_buf_tag*, int))                                                               \
    X(void, __longjmp_chk, (__jmp_buf_tag*, int))                                                            \
    X(int, __cxa_atexit, (void (*)(void*), void*, void*))                                                    \
    X(void*, memcpy, (void*, const void*, std::size_t))                                                      \
    X(void*, memmove, (void*, const void*, std::size_t))                                                     \
    X(void*, memset, (void*, int, std::size_t))                                                              \
    X(int, memcmp, (const void*, const void*, std::size_t))                                                  \
    X(void*, memchr, (const void*, int, std::size_t))                                                        \
    X(std::size_t, strlen, (const char*))                                                                    \
    X(std::size_t, strnlen, (const char*, std::size_t))                                                      \
    X(char*, strncpy, (char*, const char*, std::size_t))                                                     \
    X(int, strcmp, (const char*, const char*))                                                               \
    X(int, strncmp, (const char*, const char*, std::size_t))                                                 \
    X(int, strcasecmp, (const char*, const char*))                                                           \
    X(int, strncasecmp, (const char*, const char*, std::size_t))                                             \
    X(char*, strchr, (const char*, int))                                                                     \
    X(char*, strrchr, (const char*, int))                                                                    \
    X(char*, strchrnul, (const char*, int))                                                                  \
    X(char*, strstr, (const char*, const char*))                                                             \
    X(char*, strpbrk, (const char*, const char*))                                                            \
    X(std::size_t, strspn, (const char*, const char*))                                                       \
    X(std::size_t, strcspn, (const char*, const char*))                                                      \
    X(void*, malloc, (std::size_t))                                                                          \
    X(void*, calloc, (std::size_t, std::size_t))                                                             \
    X(void, free, (void*))                                                                                   \
    X(void*, __libc_malloc, (std::size_t))                                                                   \
    X(void*, _Znwm, (std::size_t))                                                                           \
    X(void*, _Znam, (std::size_t))                                                                           \
    X(void*, _ZnwmRKSt9nothrow_t, (std::size_t, const std::nothrow_t&))                                      \
    X(void*, _ZnamRKSt9nothrow_t, (std::size_t, const std::nothrow_t&))                                      \
    X(void*, _ZnwmSt11align_val_t, (std::size_t, std::align_val_t))                                          \
    X(void*, _ZnamSt11align_val_t, (std::size_t, std::align_val_t))                                          \
    X(void, _ZdlPv, (void*))                                                                                 \
    X(void, _ZdaPv, (void*))                                                                                 \
    X(void, _ZdlPvm, (void*, std::size_t))                                                                   \
    X(void, _ZdaPvm, (void*, std::size_t))                                                                   \
    X(void, _ZdlPvSt11align_val_t, (void*, std::align_val_t))                                                \
    X(void, _ZdaPvSt11align_val_t, (void*, std::align_val_t))                                                \
    X(void, _ZdlPvmSt11align_val_t, (void*, std::size_t, std::align_val_t))                                  \
    X(void, _ZdaPvmSt11align_val_t, (void*, std::size_t, std::align_val_t))                                  \
    X(int, prctl, (int, unsigned long, unsigned long, unsigned long, unsigned long))                         \
    X(void*, memalign, (std::size_t, std::size_t))                                                           \
    X(std::size_t, malloc_usable_size, (void*))                                                              \
    X(void*, mmap, (void*, std::size_t, int, int, int, off_t))                                               \
    X(int, munmap, (void*, std::size_t))                                                                     \
    X(void*, mremap, (void*, std::size_t, std::size_t, int, void*))                                          \
    X(int, mprotect, (void*, std::size_t, int))                                                              \
    X(int, pthread_create, (pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))                     \
    X(int, pthread_join, (pthread_t, void**))                                                                \
    X(int, pthread_tryjoin_np, (pthread_t, void**))                                                          \
    X(int, pthread_timedjoin_np, (pthread_t, void**, const timespec*))                                       \
    X(int, pthread_clockjoin_np, (pthread_t, void**, clockid_t, const timespec*))                            \
    X(int, pthread_detach, (pthread_t))                                                                      \
    X(int, pthread_setname_np, (pthread_t, const char*))                                                     \
    X(int, pthread_mutex_init, (pthread_mutex_t*, const pthread_mutexattr_t*))                               \
    X(int, pthread_mutex_destroy, (pthread_mutex_t*))                                                        \
    X(int, pthread_mutex_lock, (pthread_mutex_t*))                                                           \
    X(int, pthread_mutex_trylock, (pthread_mutex_t*))                                                        \
    X(int, pthread_mutex_timedlock, (pthread_mutex_t*, const timespec*))                                     \
    X(int, pthread_mutex_clocklock, (pthread_mutex_t*, clockid_t, const timespec*))                          \
    X(int, pthread_mutex_unlock, (pthread_mutex_t*))                                                         \
    X(int, pthread_spin_init, (pthread_spinlock_t*, int))                                                    \
    X(int, pthread_spin_destroy, (pthread_spinlock_t*))                                                      \
    X(int, pthread_spin_lock, (pthread_spinlock_t*))                                                         \
    X(int, pthread_spin_trylock, (pthread_spinlock_t*))                                                      \
    X(int, pthread_spin_unlock, (pthread_spinlock_t*))                                                       \
    X(int, pthread_rwlock_init, (pthread_rwlock_t*, const pthread_rwlockattr_t*))                            \
    X(int, pthread_rwlock_destroy, (pthread_rwlock_t*))                                                      \
    X(int, pthread_rwlock_rdlock, (pthread_rwlock_t*))                                                       \
    X(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t*))                                                    \
    X(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t*, const timespec*))                                 \
    X(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t*, clockid_t, const timespec*))                      \
    X(int, pthread_rwlock_wrlock, (pthread_rwlock_t*))                                                       \
    X(int, pthread_rwlock_trywrlock, (pthread_rwlock_t*))                                                    \
    X(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t*, const timespec*))                                 \
    X(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t*, clockid_t, const timespec*))                      \
    X(int, pthread_rwlock_unlock, (pthread_rwlock_t*))                                                       \
    X(int, pthread_cond_init, (pthread_cond_t*, const pthread_condattr_t*))                                  \
    X(int, pthread_cond_destroy, (pthread_cond_t*))                                                          \
    X(int, pthread_cond_wait, (pthread_cond_t*, pthread_mutex_t*))                                           \
    X(int, pthread_cond_timedwait, (pthread_cond_t*, pthread_mutex_t*, const timespec*))                     \
    X(int, pthread_cond_clockwait, (pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*))          \
    X(int, pthread_cond_signal, (pthread_cond_t*))                                                           \
    X(int, pthread_cond_broadcast, (pthread_cond_t*))                                                        \
    X(int, pthread_barrier_init, (pthread_barrier_t*, const pthread_barrierattr_t*, unsigned))               \
    X(int, pthread_barrier_destroy, (pthread_barrier_t*))                                                    \
    X(int, pthread_barrier_wait, (pthread_barrier_t*))                                                       \
    X(int, sem_init, (sem_t*, int, unsigned))                                                                \
    X(int, sem_destroy, (sem_t*))                                                                            \
    X(int, sem_post, (sem_t*))                                                                               \
    X(int, sem_wait, (sem_t*))                                                                               \
    X(int, sem_trywait, (sem_t*))                                                                            \
    X(int, sem_timedwait, (sem_t*, const timespec*))                                                         \
    X(int, sem_clockwait, (sem_t*, clockid_t, const timespec*))                                              \
    X(int, pthread_once, (pthread_once_t*, void (*)()))                                                      \
    X(int, __cxa_guard_acquire, (std::uint64_t*))                                                            \
    X(void, __cxa_guard_release, (std::uint64_t*))                                                           \
    X(void, __cxa_guard_abort, (std::uint64_t*))                                                             \
    X(int, thrd_create, (thrd_t*, thrd_start_t, void*))                                                      \
    X(int, thrd_join, (thrd_t, int*))                                                                        \
    X(int, thrd_detach, (thrd_t))                                                                            \
    X(int, mtx_init, (mtx_t*, int))                                                                          \
    X(void, mtx_destroy, (mtx_t*))                                                                           \
    X(int, mtx_lock, (mtx_t*))                                                                               \
    X(int, mtx_trylock, (mtx_t*))                                                                            \
    X(int, mtx_timedlock, (mtx_t*, const timespec*))                                                         \
    X(int, mtx_unlock, (mtx_t*))                                                                             \
    X(int, cnd_init, (cnd_t*))                                                                               \
    X(void, cnd_destroy, (cnd_t*))                                                                           \
    X(void, call_once, (once_flag*, void (*)()))                                                             \
    X(pid_t, fork, ())                                                                                       \
    X(void, _exit, (int))                                                                                    \
    X(int, execve, (const char*, char* const*, char* const*))                                                \
    X(int, execveat, (int, const char*, char* const*, char* const*, int))                                    \
    X(int, execvpe, (const char*, char* const*, char* const*))                                               \
    X(int, fexecve, (int, char* const*, char* const*))                                                       \
    X(unsigned, sleep, (unsigned))                                                                           \
    X(int, usleep, (useconds_t))                                                                             \
    X(int, nanosleep, (const timespec*, timespec*))                                                          \
    X(int, clock_nanosleep, (clockid_t, int, const timespec*, timespec*))                                    \
    X(int, thrd_sleep, (const timespec*, timespec*))                                                         \
    X(int, poll, (pollfd*, nfds_t, int))                                                                     \
    X(int, ppoll, (pollfd*, nfds_t, const timespec*, const sigset_t*))                                       \
    X(int, select, (int, fd_set*, fd_set*, fd_set*, timeval*))                                               \
    X(int, pselect, (int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*))                      \
    X(int, epoll_wait, (int, epoll_event*, int, int))                                                        \
    X(int, epoll_pwait, (int, epoll_event*, int, int, const sigset_t*))                                      \
    X(ssize_t, read, (int, void*, std::size_t))                                                              \
    X(ssize_t, recv, (int, void*, std::size_t, int))                                                         \
    X(ssize_t, recvfrom, (int, void*, std::size_t, int, sockaddr*, socklen_t*))                              \
    X(ssize_t, recvmsg, (int, msghdr*, int))                                                                 \
    X(int, accept, (int, sockaddr*, socklen_t*))                                                             \
    X(int, accept4, (int, sockaddr*, socklen_t*, int))                                                       \
    X(pid_t, wait, (int*))                                                                                   \
    X(pid_t, waitpid, (pid_t, int*, int))                                                                    \
    X(pid_t, wait4, (pid_t, int*, int, rusage*))                                                             \
    X(int, waitid, (idtype_t, id_t, siginfo_t*, int))                                                        \
    X(int, pause, ())                                                                                        \
    X(int, sigsuspend, (const sigset_t*))                                                                    \
    X(int, sigwait, (const sigset_t*, int*))                                                                 \
    X(int, sigwaitinfo, (const sigset_t*, siginfo_t*))                                                       \
    X(int, sigtimedwait, (const sigset_t*, siginfo_t*, const timespec*))                                     \
    X(int, raise, (int))                                                                                     \
    X(int, kill, (pid_t, int))                                                                               \
    X(int, sigaction, (int, const struct sigaction*, struct sigaction*))                                     \
    X(int, dlclose, (void*))

struct RealFunctions {
#define HEDDLE_DECLARE_REAL(result, name, parameters) result(*name) parameters = nullptr;
    HEDDLE_REAL_FUNCTIONS(HEDDLE_DECLARE_REAL)
#undef HEDDLE_DECLARE_REAL
};

extern RealFunctions real_table;
extern bool real_table_ready;

void resolve_real_functions() noexcept;

[[nodiscard]] inline const RealFunctions& real() noexcept {
    if (!real_table_ready) [[unlikely]]
        resolve_real_functions();
    return real_table;
}

} // namespace heddle::recorder
