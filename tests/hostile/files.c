/* Attacks on files: secrets, programs, links, devices, rights. */
#include "hostile.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static int read_log(void) { return holds(fact("log"), "{\"header\""); }
static int read_seed(void) { return holds(fact("seed"), fact("secret")); }
static int read_plan(void) { return holds(fact("plan"), fact("secret")); }
static int read_home(void) { return holds(in(fact("home"), "private"), fact("secret")); }
static int read_program_of_other(void) { return outcome(open(fact("other"), O_RDONLY)); }

/* Also where the log is reached by a link of one's own, and from one's own folder upwards. */
static int read_log_by_link(void) {
    if (symlink(fact("log"), "link")) return errno;
    return holds("link", "{\"header\"");
}

static int read_log_from_below(void) {
    char path[PATH_MAX + 100] = "../../../../../../../../../../../..";
    strcat(path, fact("log"));
    return holds(path, "{\"header\"");
}

/* The other bot, to which files in one's own folder lead: a link, the home of a virtual environment, and
 * the first line of a script that the command names. */
static int read_other_by_link(void) {
    return outcome(open(in(fact("folder"), "link/faulty"), O_RDONLY));
}
static int read_other_by_environment(void) {
    return holds(in(fact("kit"), "lib/weights"), fact("secret"));
}
static int read_other_by_first_line(void) { return outcome(open(fact("led"), O_RDONLY)); }

/* The folders of other bots, which lie beside one's own where the referee makes them. */
static int list_scratch_folders(void) {
    DIR *folder = opendir(fact("scratch"));
    return folder ? GOT : errno;
}

static int list_home(void) {
    DIR *folder = opendir(fact("home"));
    return folder ? GOT : errno;
}

/* One byte more would void the log: to open it is enough. */
static int write_log(void) { return outcome(open(fact("log"), O_WRONLY)); }
static int write_seed(void) { return append(fact("seed"), "spoiled"); }
static int write_plan(void) { return append(fact("plan"), "spoiled"); }
static int write_home(void) { return append(in(fact("home"), "private"), "spoiled"); }

/* Puts a copy of a file in its place: as good as any other program, but nobody is hurt. */
static int replace(const char *path) {
    char other[PATH_MAX + 8];
    static char piece[1 << 16];
    snprintf(other, sizeof other, "%s.new", path);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return errno;
    int to = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    if (to < 0) return errno;
    for (ssize_t length; (length = read(from, piece, sizeof piece)) > 0;) {
        if (write(to, piece, length) != length) return EIO;
    }
    close(to);
    return outcome(rename(other, path));
}

static int replace_own_program(void) { return replace(fact("own")); }
static int replace_program_of_other(void) { return replace(fact("other")); }
static int replace_referee(void) { return replace(fact("arbiter")); }

static int add_to_own_folder(void) {
    return outcome(open(in(fact("folder"), "added"), O_WRONLY | O_CREAT, 0600));
}

static int change_rights(void) { return outcome(chmod(fact("own"), 0755)); }
static int change_times(void) { return outcome(utimensat(AT_FDCWD, fact("own"), NULL, 0)); }
static int change_attributes(void) {
    return outcome(setxattr(fact("own"), "user.hostile", "x", 1, 0));
}
static int hard_link(void) { return outcome(link(fact("log"), "hard")); }
static int hard_link_own_program(void) { return outcome(link(fact("own"), "hard-own")); }

/* Whether reading a file leaves a trace that all see who see the file. */
static int time_of_reading(void) {
    struct stat before, after;
    char byte;
    int file = open(fact("old"), O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &before) || read(file, &byte, 1) != 1 || fstat(file, &after)) {
        return errno;
    }
    return before.st_atim.tv_sec == after.st_atim.tv_sec ? ENODATA : GOT;
}

/* Locks that somebody else holds who sees the same file. */
static int see_lock(void) {
    int file = open(fact("locked"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    return flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK ? GOT : ENODATA;
}
static int see_record_lock(void) {
    struct flock whole = {.l_type = F_WRLCK};
    int file = open(fact("locked"), O_RDONLY | O_CLOEXEC);
    if (file < 0 || fcntl(file, F_GETLK, &whole)) return errno;
    return whole.l_type == F_UNLCK ? ENODATA : GOT;
}

static int make_device(void) { return outcome(mknod("device", S_IFCHR | 0600, makedev(1, 3))); }

static int open_memory(void) { return outcome(open("/dev/mem", O_RDONLY)); }
static int open_terminal(void) { return outcome(open("/dev/tty", O_RDWR | O_NOCTTY)); }
static int open_terminal_of_other(void) {
    return outcome(open(fact("terminal"), O_RDWR | O_NOCTTY));
}

/* What was open before this program, and leads to the referee's files. */
static int find_descriptors(void) {
    char name[64], target[PATH_MAX];
    for (int at = 0; at < 1024; at++) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", at);
        ssize_t length = readlink(name, target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = 0;
        if (strstr(target, fact("above")) || strstr(target, "/proc/")) return GOT;
    }
    return ENODATA;
}

/* Below `/proc/sys` lie the settings of the kernel. */
static int open_settings(void) {
    return outcome(open("/proc/sys/kernel/hostname", O_WRONLY));
}

const struct attack file_attacks[] = {
    {"read-log", read_log},
    {"read-log-by-link", read_log_by_link},
    {"read-log-from-below", read_log_from_below},
    {"read-seed", read_seed},
    {"read-plan", read_plan},
    {"read-home", read_home},
    {"list-home", list_home},
    {"list-scratch-folders", list_scratch_folders},
    {"read-program-of-other", read_program_of_other},
    {"read-program-of-other-by-link", read_other_by_link},
    {"read-files-of-other-by-environment", read_other_by_environment},
    {"read-program-of-other-by-first-line", read_other_by_first_line},
    {"write-log", write_log},
    {"write-seed", write_seed},
    {"write-plan", write_plan},
    {"write-home", write_home},
    {"hard-link-log", hard_link},
    {"hard-link-own-program", hard_link_own_program},
    {"add-to-own-folder", add_to_own_folder},
    {"change-rights", change_rights},
    {"change-times", change_times},
    {"change-attributes", change_attributes},
    {"time-of-reading", time_of_reading},
    {"see-lock", see_lock},
    {"see-record-lock", see_record_lock},
    {"replace-own-program", replace_own_program},
    {"replace-program-of-other", replace_program_of_other},
    {"replace-referee", replace_referee},
    {"make-device", make_device},
    {"open-memory-of-machine", open_memory},
    {"open-terminal", open_terminal},
    {"open-terminal-of-other", open_terminal_of_other},
    {"find-descriptors", find_descriptors},
    {"open-settings-of-kernel", open_settings},
    {0},
};
