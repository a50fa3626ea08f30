/* A disk that fails and a clock that jumps when they are told to; `odd_system.py` has this loaded
   before the C library (LD_PRELOAD).

   It obeys four numbers in the file ODD_STATE, which may change at any time and which all processes,
   threads and children share. Whatever they write below ODD_FOLDER is counted in the first number
   and noted in ODD_LOG, a line each. The call that the third one names fails with the error of the
   fourth one; if that is ENOSPC, so does everything after it that would take room, and no room is
   told to be left. The second number are the seconds by which the clock of the day is wrong. What
   Rust and C++ write (Chroma, SQLite, Arrow) passes here as what Python writes does. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static size_t folder_length;
static long *state;
static int log_file = -1;
enum { COUNT, SECONDS, FAILS_AT, ERROR, NUMBERS };

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("ODD_STATE");
    folder = getenv("ODD_FOLDER");
    if (!folder || !path) return;
    folder_length = strlen(folder);
    int file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    void *shared = mmap(NULL, NUMBERS * sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (shared == MAP_FAILED) abort();
    state = shared;
    log_file = syscall(SYS_openat, AT_FDCWD, getenv("ODD_LOG"), O_WRONLY | O_APPEND | O_CLOEXEC, 0);
}

/* Whether this call fails; `room`: whether it would take some. */
static int fails(const char *name, const char *path, int room) {
    if (!state || strncmp(path, folder, folder_length) != 0) return 0;
    long number = __atomic_add_fetch(&state[COUNT], 1, __ATOMIC_SEQ_CST);
    if (log_file >= 0) {
        char line[PATH_MAX + 32];
        int length = snprintf(line, sizeof line, "%s %s\n", name, path + folder_length);
        syscall(SYS_write, log_file, line, (size_t)length);
    }
    long fails_at = state[FAILS_AT];
    if (!fails_at || number < fails_at) return 0;
    if (number > fails_at && (state[ERROR] != ENOSPC || !room)) return 0;
    errno = (int)state[ERROR];
    return 1;
}

static int is_full(void) {
    return state && state[FAILS_AT] && state[ERROR] == ENOSPC && state[COUNT] >= state[FAILS_AT];
}

/* As above, for a path relative to a folder, or a file that is open. */
static int fails_at_path(const char *name, int parent, const char *path, int room) {
    char whole[2 * PATH_MAX], link[64];
    if (!state) return 0;
    if (path[0] == '/') return fails(name, path, room);
    ssize_t length;
    if (parent == AT_FDCWD) {
        length = syscall(SYS_getcwd, whole, PATH_MAX) - 1;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", parent);
        length = syscall(SYS_readlinkat, AT_FDCWD, link, whole, PATH_MAX - 1);
    }
    if (length < 0) return 0;
    snprintf(whole + length, sizeof whole - (size_t)length, "%s%s", *path ? "/" : "", path);
    return fails(name, whole, room);
}

static int fails_at_file(const char *name, int file, int room) {
    return fails_at_path(name, file, "", room);
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
    int kept = errno;
    void *found = dlsym(RTLD_NEXT, name);
    errno = kept;
    return found;
}

#define OPENING(name)                                                                    \
    int name(const char *path, int flags, ...) {                                         \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;          \
        va_end(rest);                                                                    \
        if (flags & (O_CREAT | O_TRUNC) && fails_at_path("open", AT_FDCWD, path, 1)) return -1; \
        return REAL(name)(path, flags, mode);                                            \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                                 \
    int name(int parent, const char *path, int flags, ...) {                             \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;          \
        va_end(rest);                                                                    \
        if (flags & (O_CREAT | O_TRUNC) && fails_at_path("open", parent, path, 1)) return -1; \
        return REAL(name)(parent, path, flags, mode);                                    \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

#define STREAM(name)                                                                     \
    FILE *name(const char *path, const char *mode) {                                     \
        if (strpbrk(mode, "wa") && fails_at_path("open", AT_FDCWD, path, 1)) return NULL; \
        return REAL(name)(path, mode);                                                   \
    }
STREAM(fopen)
STREAM(fopen64)

ssize_t write(int file, const void *bytes, size_t size) {
    return fails_at_file("write", file, 1) ? -1 : REAL(write)(file, bytes, size);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
    return fails_at_file("write", file, 1) ? -1 : REAL(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    return fails_at_file("write", file, 1) ? -1 : REAL(pwrite)(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    return fails_at_file("write", file, 1) ? -1 : REAL(pwrite64)(file, bytes, size, at);
}
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    return fails_at_file("write", fileno(file), 1) ? 0 : REAL(fwrite)(bytes, size, count, file);
}
int fsync(int file) { return fails_at_file("sync", file, 0) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return fails_at_file("sync", file, 0) ? -1 : REAL(fdatasync)(file); }
int ftruncate(int file, off_t size) {
    return fails_at_file("truncate", file, size > 0) ? -1 : REAL(ftruncate)(file, size);
}
int ftruncate64(int file, off64_t size) {
    return fails_at_file("truncate", file, size > 0) ? -1 : REAL(ftruncate64)(file, size);
}
int posix_fallocate(int file, off_t at, off_t size) {
    return fails_at_file("allocate", file, 1) ? (int)state[ERROR] : REAL(posix_fallocate)(file, at, size);
}
int posix_fallocate64(int file, off64_t at, off64_t size) {
    return fails_at_file("allocate", file, 1) ? (int)state[ERROR] : REAL(posix_fallocate64)(file, at, size);
}
int fallocate64(int file, int mode, off64_t at, off64_t size) {
    return fails_at_file("allocate", file, 1) ? -1 : REAL(fallocate64)(file, mode, at, size);
}
#define SENDING(name, offset)                                                            \
    ssize_t name(int to, int from, offset *at, size_t size);                             \
    ssize_t name(int to, int from, offset *at, size_t size) {                            \
        return fails_at_file("copy", to, 1) ? -1 : REAL(name)(to, from, at, size);       \
    }
SENDING(sendfile, off_t)
SENDING(sendfile64, off64_t)
ssize_t copy_file_range(int from, off64_t *at, int to, off64_t *there, size_t size, unsigned how) {
    if (fails_at_file("copy", to, 1)) return -1;
    return REAL(copy_file_range)(from, at, to, there, size, how);
}
int mkdir(const char *path, mode_t mode) {
    return fails_at_path("mkdir", AT_FDCWD, path, 1) ? -1 : REAL(mkdir)(path, mode);
}
int mkdirat(int parent, const char *path, mode_t mode) {
    return fails_at_path("mkdir", parent, path, 1) ? -1 : REAL(mkdirat)(parent, path, mode);
}
int rename(const char *from, const char *to) {
    return fails_at_path("rename", AT_FDCWD, to, 0) ? -1 : REAL(rename)(from, to);
}
int renameat(int from_parent, const char *from, int parent, const char *to) {
    if (fails_at_path("rename", parent, to, 0)) return -1;
    return REAL(renameat)(from_parent, from, parent, to);
}
int link(const char *from, const char *to) {
    return fails_at_path("link", AT_FDCWD, to, 1) ? -1 : REAL(link)(from, to);
}
int chmod(const char *path, mode_t mode) {
    return fails_at_path("chmod", AT_FDCWD, path, 0) ? -1 : REAL(chmod)(path, mode);
}
int statvfs(const char *path, struct statvfs *about) {
    int done = REAL(statvfs)(path, about);
    if (done == 0 && is_full()) about->f_bavail = about->f_bfree = 0;
    return done;
}
int statvfs64(const char *path, struct statvfs64 *about) {
    int done = REAL(statvfs64)(path, about);
    if (done == 0 && is_full()) about->f_bavail = about->f_bfree = 0;
    return done;
}
static long jumped(void) { return state ? __atomic_load_n(&state[SECONDS], __ATOMIC_SEQ_CST) : 0; }

int clock_gettime(clockid_t kind, struct timespec *now) {
    int done = REAL(clock_gettime)(kind, now);
    if (done == 0 && (kind == CLOCK_REALTIME || kind == CLOCK_REALTIME_COARSE)) now->tv_sec += jumped();
    return done;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int done = REAL(gettimeofday)(now, zone);
    if (done == 0) now->tv_sec += jumped();
    return done;
}
time_t time(time_t *place) {
    time_t now = REAL(time)(NULL) + jumped();
    if (place) *place = now;
    return now;
}
