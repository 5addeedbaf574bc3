// faults.c - preloaded into the program by faults_test: one call fails as on a full disk or without
// memory. STICTION_FAULT is "disk:K" or "memory:K": the K-th such call (from 0) fails; with
// "disk:K+" all that follow do, too.
//   disk    fwrite, fflush, fclose, write, pwrite, ftruncate, rename, of plain files but standard ones
//   memory  malloc, calloc, realloc, aligned_alloc, posix_memalign, called by the program itself or
//           by the C++ library (operator new, of all libraries)
// Both count from the program's first pthread_sigmask on, with which main() begins.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char kind;           // first letter of the calls that fail; 0: none
static long fault;          // which of them
static int onward;          // and all that follow
static atomic_long calls;   // so far
static atomic_int started;  // main()

#define NEXT(name, type) ((type)dlsym(RTLD_NEXT, name))

static struct {
    uintptr_t from, to;
} places[2];  // of the program and of the C++ library in memory

static int note_place(struct dl_phdr_info *info, size_t size, void *none) {
    (void)size, (void)none;
    const int library = strstr(info->dlpi_name, "libstdc++") != NULL;
    if (!library && info->dlpi_name[0] != 0) return 0;
    if (!library && places[0].to != 0) return 0;  // the kernel's page
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
        if (places[library].from == 0 || from < places[library].from) places[library].from = from;
        if (to > places[library].to) places[library].to = to;
    }
    return 0;
}

__attribute__((constructor)) static void read_fault(void) {
    dl_iterate_phdr(note_place, NULL);
    const char *text = getenv("STICTION_FAULT");
    const char *colon = text == NULL ? NULL : strchr(text, ':');
    if (colon == NULL) return;
    char *end = NULL;
    fault = strtol(colon + 1, &end, 10);
    onward = *end == '+';
    kind = text[0];
}

// Counts a call of kind `which` and says whether it is to fail.
static int fails(char which) {
    if (!started || kind != which) return 0;
    const long now = atomic_fetch_add(&calls, 1);
    return now == fault || (onward && now > fault);
}

static int full(void) {
    if (!fails('d')) return 0;
    errno = ENOSPC;
    return 1;
}

// On a disk: what goes through a pipe to a process of our own is not.
static int ours(int file) {
    struct stat found;
    return file > STDERR_FILENO && fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    started = 1;
    return NEXT("pthread_sigmask", int (*)(int, const sigset_t *, sigset_t *))(how, set, old);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *file) {
    if (ours(fileno(file)) && full()) return 0;
    return NEXT("fwrite", size_t(*)(const void *, size_t, size_t, FILE *))(data, size, count, file);
}

int fflush(FILE *file) {
    if (file != NULL && ours(fileno(file)) && full()) return EOF;
    return NEXT("fflush", int (*)(FILE *))(file);
}

int fclose(FILE *file) {
    const int failed = __fwritable(file) && ours(fileno(file)) && full();
    const int status = NEXT("fclose", int (*)(FILE *))(file);
    if (failed) errno = ENOSPC;
    return failed ? EOF : status;
}

ssize_t write(int file, const void *data, size_t size) {
    if (ours(file) && full()) return -1;
    return NEXT("write", ssize_t(*)(int, const void *, size_t))(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    if (full()) return -1;
    return NEXT("pwrite", ssize_t(*)(int, const void *, size_t, off_t))(file, data, size, at);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    if (full()) return -1;
    return NEXT("pwrite64", ssize_t(*)(int, const void *, size_t, off64_t))(file, data, size, at);
}

int ftruncate(int file, off_t size) {
    if (full()) return -1;
    return NEXT("ftruncate", int (*)(int, off_t))(file, size);
}

int ftruncate64(int file, off64_t size) {
    if (full()) return -1;
    return NEXT("ftruncate64", int (*)(int, off64_t))(file, size);
}

int rename(const char *from, const char *to) {
    if (full()) return -1;
    return NEXT("rename", int (*)(const char *, const char *))(from, to);
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static int no_memory(const void *caller) {
    const uintptr_t at = (uintptr_t)caller;
    const int ours_or_new = (at >= places[0].from && at < places[0].to) ||
                            (at >= places[1].from && at < places[1].to);
    if (!ours_or_new || !fails('m')) return 0;
    errno = ENOMEM;
    return 1;
}
#define NO_MEMORY no_memory(__builtin_return_address(0))

void *malloc(size_t size) { return NO_MEMORY ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return NO_MEMORY ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return NO_MEMORY ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) {
    return NO_MEMORY ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **made, size_t alignment, size_t size) {
    if (NO_MEMORY) return ENOMEM;
    *made = __libc_memalign(alignment, size);
    return *made == NULL ? ENOMEM : 0;
}
