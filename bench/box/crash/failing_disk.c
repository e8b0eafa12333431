/* A disk that fails: preloaded into a program, it lets calls on paths below one folder fail when it is told to.

   FAILING_DISK_BELOW   the folder
   FAILING_DISK_SWITCH  a file of eight 32-bit integers that both sides hold in shared memory: see struct plan

   With kinds set, calls of these kinds are counted; from the one after `after` on they fail with `error`, `most` of
   them (0: until kinds is cleared). A full disk takes the first half of a write, as a real one does. With the error
   DIE the program is killed there instead (SIGKILL): before the call, or, with `half`, after half of a write. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE = 2, SYNC = 4, RENAME = 8, TRUNCATE = 16, READ = 32, REMOVE = 64 };
enum { DIE = -1 };

struct plan {
    volatile int kinds, after, error, most, calls, acted, half, spare;
};

static struct plan *plan;
static char below[PATH_MAX];
static size_t below_length;

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void prepare(void) {
    const char *folder = getenv("FAILING_DISK_BELOW"), *file = getenv("FAILING_DISK_SWITCH");
    if (!folder || !file || !realpath(folder, below)) return;
    below_length = strlen(below);
    int (*real_open)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    int handle = real_open(file, O_RDWR | O_CLOEXEC);
    if (handle < 0) return;
    void *shared = mmap(NULL, sizeof(struct plan), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    close(handle);
    if (shared != MAP_FAILED) plan = shared;
}

static int is_below(const char *path) {
    return strncmp(path, below, below_length) == 0 && (path[below_length] == '/' || path[below_length] == 0);
}

static int named(int folder, const char *path) {
    char whole[2 * PATH_MAX], link[64];
    if (path[0] == '/') return is_below(path);
    if (folder == AT_FDCWD) {
        if (!getcwd(whole, PATH_MAX)) return 0;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, whole, PATH_MAX - 1);
        if (length < 0) return 0;
        whole[length] = 0;
    }
    size_t length = strlen(whole);
    snprintf(whole + length, sizeof whole - length, "/%s", path);
    return is_below(whole);
}

static int held(int handle) {
    char path[PATH_MAX], link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static void die(void) {
    for (;;) kill(getpid(), SIGKILL);
}

/* Whether this call, known to be below the folder, fails now; errno says how. */
static int fails(int kind) {
    if (!(plan->kinds & kind)) return 0;
    if (__sync_add_and_fetch(&plan->calls, 1) <= plan->after) return 0;
    int acted = __sync_add_and_fetch(&plan->acted, 1);
    if (plan->most && acted > plan->most) return 0;
    if (plan->error == DIE && !(plan->half && kind == WRITE)) die();
    errno = plan->error == DIE ? EIO : plan->error;
    return 1;
}

#define PATH_FAILS(kind, folder, path) (plan && (plan->kinds & (kind)) && named(folder, path) && fails(kind))
#define HANDLE_FAILS(kind, handle) (plan && (plan->kinds & (kind)) && held(handle) && fails(kind))
#define WRITES(flags) (((flags) & O_ACCMODE) != O_RDONLY || ((flags) & O_CREAT))

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list more; \
        va_start(more, flags); \
        mode = va_arg(more, mode_t); \
        va_end(more); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    REAL(open);
    return WRITES(flags) && PATH_FAILS(OPEN, AT_FDCWD, path) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    REAL(open64);
    return WRITES(flags) && PATH_FAILS(OPEN, AT_FDCWD, path) ? -1 : real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE(flags)
    REAL(openat);
    return WRITES(flags) && PATH_FAILS(OPEN, folder, path) ? -1 : real(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags)
    REAL(openat64);
    return WRITES(flags) && PATH_FAILS(OPEN, folder, path) ? -1 : real(folder, path, flags, mode);
}

/* How much of a write a failing disk still takes: half of it when it is filling up or all ends, else nothing (-1). */
static ssize_t taken(size_t count) {
    if (plan->error == DIE) return (ssize_t)(count / 2);
    return errno == ENOSPC && count > 1 && plan->acted == 1 ? (ssize_t)(count / 2) : -1;
}

/* What half a write returned; it was the last thing that the program did where it is to die. */
static ssize_t ended(ssize_t result) {
    if (plan->error == DIE) die();
    return result;
}

ssize_t write(int handle, const void *from, size_t count) {
    REAL(write);
    if (!HANDLE_FAILS(WRITE, handle)) return real(handle, from, count);
    ssize_t half = taken(count);
    return half < 0 ? -1 : ended(real(handle, from, half));
}

ssize_t pwrite(int handle, const void *from, size_t count, off_t at) {
    REAL(pwrite);
    if (!HANDLE_FAILS(WRITE, handle)) return real(handle, from, count, at);
    ssize_t half = taken(count);
    return half < 0 ? -1 : ended(real(handle, from, half, at));
}

ssize_t pwrite64(int handle, const void *from, size_t count, off64_t at) {
    REAL(pwrite64);
    if (!HANDLE_FAILS(WRITE, handle)) return real(handle, from, count, at);
    ssize_t half = taken(count);
    return half < 0 ? -1 : ended(real(handle, from, half, at));
}

ssize_t writev(int handle, const struct iovec *parts, int count) {
    REAL(writev);
    return HANDLE_FAILS(WRITE, handle) ? ended(-1) : real(handle, parts, count);
}

int posix_fallocate(int handle, off_t at, off_t length) {
    REAL(posix_fallocate);
    return HANDLE_FAILS(WRITE, handle) ? (ended(-1), errno) : real(handle, at, length);
}

ssize_t read(int handle, void *to, size_t count) {
    REAL(read);
    return HANDLE_FAILS(READ, handle) ? -1 : real(handle, to, count);
}

ssize_t pread(int handle, void *to, size_t count, off_t at) {
    REAL(pread);
    return HANDLE_FAILS(READ, handle) ? -1 : real(handle, to, count, at);
}

ssize_t pread64(int handle, void *to, size_t count, off64_t at) {
    REAL(pread64);
    return HANDLE_FAILS(READ, handle) ? -1 : real(handle, to, count, at);
}

int fsync(int handle) {
    REAL(fsync);
    return HANDLE_FAILS(SYNC, handle) ? -1 : real(handle);
}

int fdatasync(int handle) {
    REAL(fdatasync);
    return HANDLE_FAILS(SYNC, handle) ? -1 : real(handle);
}

int ftruncate(int handle, off_t length) {
    REAL(ftruncate);
    return HANDLE_FAILS(TRUNCATE, handle) ? -1 : real(handle, length);
}

int ftruncate64(int handle, off64_t length) {
    REAL(ftruncate64);
    return HANDLE_FAILS(TRUNCATE, handle) ? -1 : real(handle, length);
}

int truncate(const char *path, off_t length) {
    REAL(truncate);
    return PATH_FAILS(TRUNCATE, AT_FDCWD, path) ? -1 : real(path, length);
}

int truncate64(const char *path, off64_t length) {
    REAL(truncate64);
    return PATH_FAILS(TRUNCATE, AT_FDCWD, path) ? -1 : real(path, length);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return PATH_FAILS(RENAME, AT_FDCWD, to) ? -1 : real(from, to);
}

int renameat(int from_folder, const char *from, int folder, const char *to) {
    REAL(renameat);
    return PATH_FAILS(RENAME, folder, to) ? -1 : real(from_folder, from, folder, to);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return PATH_FAILS(OPEN, AT_FDCWD, path) ? -1 : real(path, mode);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(mkdirat);
    return PATH_FAILS(OPEN, folder, path) ? -1 : real(folder, path, mode);
}

int unlink(const char *path) {
    REAL(unlink);
    return PATH_FAILS(REMOVE, AT_FDCWD, path) ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    return PATH_FAILS(REMOVE, folder, path) ? -1 : real(folder, path, flags);
}

int rmdir(const char *path) {
    REAL(rmdir);
    return PATH_FAILS(REMOVE, AT_FDCWD, path) ? -1 : real(path);
}
