/* Attacks by mass, all of them bounded: a little more than a bot may have. Where nothing bounds it,
 * they use no folder but the test's. */
#include "hostile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEBIBYTES = 80, FILES = 10100, FILES_OPEN = 1100 };

/* A folder of one's own in a place, which all of it goes into. */
static int begin(const char *place, char *folder) {
    snprintf(folder, PATH_MAX, "%s/hostile-XXXXXX", is_isolated() ? place : ".");
    return mkdtemp(folder) ? GOT : errno;
}

static int fill(const char *place) {
    static char piece[1 << 20];
    char folder[PATH_MAX], name[PATH_MAX + 20];
    int failed = begin(place, folder), at = 0;
    memset(piece, 'x', sizeof piece);
    for (; at < MEBIBYTES && !failed; at++) {
        snprintf(name, sizeof name, "%s/%d", folder, at);
        int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        failed = file < 0 ? errno : GOT;
        if (!failed) {
            ssize_t written = write(file, piece, sizeof piece);
            failed = written == (ssize_t)sizeof piece ? GOT : written < 0 ? errno : ENOSPC;
        }
        close(file);
    }
    while (at >= 0) {
        snprintf(name, sizeof name, "%s/%d", folder, at--);
        unlink(name);
    }
    rmdir(folder);
    return failed;
}

static int litter(const char *place) {
    char folder[PATH_MAX], name[PATH_MAX + 20];
    int failed = begin(place, folder), at = 0;
    for (; at < FILES && !failed; at++) {
        snprintf(name, sizeof name, "%s/%d", folder, at);
        failed = outcome(mknod(name, S_IFREG | 0600, 0));
    }
    while (at >= 0) {
        snprintf(name, sizeof name, "%s/%d", folder, at--);
        unlink(name);
    }
    rmdir(folder);
    return failed;
}

static int fill_scratch(void) { return fill("."); }
static int fill_tmp(void) { return fill("/tmp"); }
static int fill_shared_memory(void) { return fill("/dev/shm"); }
static int litter_scratch(void) { return litter("."); }
static int litter_tmp(void) { return litter("/tmp"); }
static int litter_shared_memory(void) { return litter("/dev/shm"); }

static int open_many(void) {
    for (int at = 0; at < FILES_OPEN; at++) {
        if (open("/dev/null", O_RDONLY) < 0) return errno;
    }
    return GOT;
}

const struct attack bomb_attacks[] = {
    {"fill-scratch", fill_scratch},
    {"fill-tmp", fill_tmp},
    {"fill-shared-memory", fill_shared_memory},
    {"litter-scratch", litter_scratch},
    {"litter-tmp", litter_tmp},
    {"litter-shared-memory", litter_shared_memory},
    {"open-many-files", open_many},
    {0},
};
