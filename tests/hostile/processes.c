/* Attacks on processes: the referee, its guard, the keeper, and one that stands for any other process of
 * the same user. Signals are such as hurt nobody, and what is changed of a process is set to what it was. */
#include "hostile.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IOPRIO_WHO_PROCESS = 1, IOPRIO_WHO_USER = 3 };

static const char *in_proc(int process, const char *name) {
    static char path[100];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    return path;
}

/* A number of the machine's, unless it is by chance that of a process of this bot. */
static int outside(const char *name) {
    int process = number(name);
    return is_isolated() && getpgid(process) == getpgrp() ? 0 : process;
}
static int referee(void) { return outside("referee"); }
static int victim(void) { return outside("victim"); }

/* The guard of this referee: a process of the same program with this word, if one is seen. */
static int guard(void) {
    DIR *folder = opendir("/proc");
    char words[PATH_MAX];
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int process = atoi(entry->d_name);
        int file = process > 0 ? open(in_proc(process, "cmdline"), O_RDONLY | O_CLOEXEC) : -1;
        if (file < 0) continue;
        ssize_t length = read(file, words, sizeof words - 1);
        close(file);
        if (length <= 0) continue;
        words[length] = 0;
        const char *second = words + strlen(words) + 1;
        int file_of = open(in_proc(process, "status"), O_RDONLY | O_CLOEXEC);
        static char status[4096];
        ssize_t told = file_of < 0 ? 0 : read(file_of, status, sizeof status - 1);
        close(file_of);
        status[told > 0 ? told : 0] = 0;
        char *parent = strstr(status, "\nPPid:");
        if (second < words + length && !strcmp(second, "guard") && parent &&
            atoi(parent + 6) == referee()) {
            return process;
        }
    }
    return 0;
}

/* What `/proc` has of a process. */
static int cmdline(int process) { return holds(in_proc(process, "cmdline"), ""); }
static int environ_of(int process) { return outcome(open(in_proc(process, "environ"), O_RDONLY)); }
static int memory(int process) { return outcome(open(in_proc(process, "mem"), O_RDONLY)); }
static int descriptors(int process) {
    char path[PATH_MAX];
    return outcome(readlink(in_proc(process, "fd/0"), path, sizeof path));
}
static int root_of(int process) {
    char path[PATH_MAX];
    return outcome(readlink(in_proc(process, "root"), path, sizeof path));
}

#define OF(who, what, does) \
    static int what##_of_##who(void) { \
        int process = who(); \
        return process > 0 ? does(process) : ESRCH; \
    }

static int exists(int process) { return outcome(kill(process, 0)); }
static int wake(int process) { return outcome(kill(process, SIGCONT)); }
static int trace(int process) {
    if (ptrace(PTRACE_SEIZE, process, 0, 0)) return errno;
    ptrace(PTRACE_INTERRUPT, process, 0, 0);
    waitpid(process, NULL, __WALL);
    return outcome(ptrace(PTRACE_DETACH, process, 0, 0));
}
/* Not the contents, but whether they could be had: where nothing is mapped it is a bad address. */
static int peek(int process) {
    char byte;
    struct iovec own = {&byte, 1}, there = {(void *)8, 1};
    long result = syscall(SYS_process_vm_readv, process, &own, 1, &there, 1, 0);
    return result < 0 && errno == EFAULT ? GOT : outcome(result);
}
static int descriptor(int process) {
    int handle = syscall(SYS_pidfd_open, process, 0);
    return handle < 0 ? errno : outcome(syscall(SYS_pidfd_getfd, handle, 0, 0));
}

static int limits(int process) {
    struct rlimit before;
    if (prlimit(process, RLIMIT_STACK, NULL, &before)) return errno;
    return outcome(prlimit(process, RLIMIT_STACK, &before, NULL));
}
static int priority(int process) {
    errno = 0;
    int before = getpriority(PRIO_PROCESS, process);
    return errno ? errno : outcome(setpriority(PRIO_PROCESS, process, before));
}
static int scheduling(int process) {
    struct sched_param none = {0};
    int before = sched_getscheduler(process);
    return before < 0 ? errno : outcome(sched_setscheduler(process, before, &none));
}
static int processors(int process) {
    cpu_set_t before;
    if (sched_getaffinity(process, sizeof before, &before)) return errno;
    return outcome(sched_setaffinity(process, sizeof before, &before));
}
static int disk_priority(int process) {
    long before = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, process);
    return before < 0 ? errno
                      : outcome(syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, process, before));
}

OF(referee, cmdline, cmdline)
OF(referee, environ, environ_of)
OF(referee, memory, memory)
OF(referee, descriptors, descriptors)
OF(referee, root, root_of)
OF(referee, exists, exists)
OF(referee, peek, peek)
OF(referee, limits, limits)
OF(referee, priority, priority)
OF(referee, scheduling, scheduling)
OF(referee, processors, processors)
OF(referee, disk_priority, disk_priority)
OF(guard, cmdline, cmdline)
OF(guard, environ, environ_of)
OF(guard, memory, memory)
OF(guard, descriptors, descriptors)
OF(guard, exists, exists)
OF(keeper, environ, environ_of)
OF(keeper, memory, memory)
OF(keeper, descriptors, descriptors)
OF(keeper, peek, peek)
OF(keeper, descriptor, descriptor)
OF(keeper, limits, limits)
OF(keeper, priority, priority)
OF(keeper, scheduling, scheduling)
OF(keeper, processors, processors)
OF(keeper, disk_priority, disk_priority)
OF(victim, cmdline, cmdline)
OF(victim, environ, environ_of)
OF(victim, memory, memory)
OF(victim, wake, wake)
OF(victim, trace, trace)
OF(victim, peek, peek)
OF(victim, descriptor, descriptor)
OF(victim, limits, limits)

/* The same for all processes of a user at once; otherwise only asked for, since it would reach those of
 * the machine. */
static int priority_of_user(void) {
    if (!is_isolated()) return priority(referee());
    return outcome(setpriority(PRIO_USER, getuid(), 1));
}
static int disk_priority_of_user(void) {
    if (!is_isolated()) return disk_priority(referee());
    return outcome(syscall(SYS_ioprio_set, IOPRIO_WHO_USER, getuid(), 2 << 13 | 7));
}

/* Where it is process 1 of a namespace no signal from inside ends it, though none is refused. */
static int end_keeper(void) {
    if (!is_isolated()) return outcome(kill(keeper(), 0));
    for (int signal = 1; signal <= SIGRTMAX; signal++) kill(keeper(), signal);
    return ENODATA;
}

static int gain_rights(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) ? EPERM : GOT; }

static int have_rights(void) {
    static char status[4096];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, status, sizeof status - 1) <= 0) return errno;
    char *rights = strstr(status, "\nCapPrm:");
    return rights && strtoull(rights + strlen("\nCapPrm:"), NULL, 16) ? GOT : EPERM;
}

static int become_superuser(void) { return outcome(setresuid(0, 0, 0)); }

static int raise_limits(void) {
    struct rlimit core = {4096, 4096};
    return outcome(setrlimit(RLIMIT_CORE, &core));
}
static int raise_priority(void) { return outcome(setpriority(PRIO_PROCESS, 0, -5)); }
static int live_longer(void) { return append("/proc/self/oom_score_adj", "500"); }

static int hide_descriptors(void) { return outcome(prctl(PR_SET_DUMPABLE, 0)); }

const struct attack process_attacks[] = {
    {"command-of-referee", cmdline_of_referee},
    {"environment-of-referee", environ_of_referee},
    {"memory-of-referee", memory_of_referee},
    {"descriptors-of-referee", descriptors_of_referee},
    {"root-of-referee", root_of_referee},
    {"signal-referee", exists_of_referee},
    {"peek-at-referee", peek_of_referee},
    {"limits-of-referee", limits_of_referee},
    {"priority-of-referee", priority_of_referee},
    {"scheduling-of-referee", scheduling_of_referee},
    {"processors-of-referee", processors_of_referee},
    {"disk-priority-of-referee", disk_priority_of_referee},
    {"command-of-guard", cmdline_of_guard},
    {"environment-of-guard", environ_of_guard},
    {"memory-of-guard", memory_of_guard},
    {"descriptors-of-guard", descriptors_of_guard},
    {"signal-guard", exists_of_guard},
    {"environment-of-keeper", environ_of_keeper},
    {"memory-of-keeper", memory_of_keeper},
    {"descriptors-of-keeper", descriptors_of_keeper},
    {"peek-at-keeper", peek_of_keeper},
    {"descriptor-of-keeper", descriptor_of_keeper},
    {"end-keeper", end_keeper},
    {"limits-of-keeper", limits_of_keeper},
    {"priority-of-keeper", priority_of_keeper},
    {"scheduling-of-keeper", scheduling_of_keeper},
    {"processors-of-keeper", processors_of_keeper},
    {"disk-priority-of-keeper", disk_priority_of_keeper},
    {"priority-of-user", priority_of_user},
    {"disk-priority-of-user", disk_priority_of_user},
    {"command-of-other", cmdline_of_victim},
    {"environment-of-other", environ_of_victim},
    {"memory-of-other", memory_of_victim},
    {"signal-other", wake_of_victim},
    {"trace-other", trace_of_victim},
    {"peek-at-other", peek_of_victim},
    {"descriptor-of-other", descriptor_of_victim},
    {"limits-of-other", limits_of_victim},
    {"gain-rights", gain_rights},
    {"have-rights", have_rights},
    {"become-superuser", become_superuser},
    {"raise-limits", raise_limits},
    {"raise-priority", raise_priority},
    {"outlive-shortage-of-memory", live_longer},
    {"hide-descriptors", hide_descriptors},
    {0},
};
