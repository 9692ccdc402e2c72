/* Attacks on the kernel: its rarer calls, with arguments with which they do nothing, or nothing outside
 * of a namespace that was made for it. */
#include "hostile.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/close_range.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A call that fails with anything but this has passed the check of who may make it. */
static int passed(long result) {
    return result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS) ? errno : GOT;
}

static int io_uring(void) {
    struct io_uring_params parameters = {0};
    return outcome(syscall(SYS_io_uring_setup, 1, &parameters));
}

static int bpf(void) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8,
                          .max_entries = 1};
    return outcome(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}

static int perf(void) {
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event,
                                    .config = PERF_COUNT_SW_CPU_CLOCK, .exclude_kernel = 1};
    return outcome(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}

static int userfaultfd(void) { return outcome(syscall(SYS_userfaultfd, O_CLOEXEC | 1)); }
/* Into the keyring of this process alone. */
static int add_key(void) { return outcome(syscall(SYS_add_key, "user", "hostile", "x", 1, -2)); }
static int trace_child(void) { return outcome(ptrace(PTRACE_TRACEME, 0, 0, 0)); }

static int in_clone(int flag) {
    long child = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return outcome(child);
}
static int sleep_on(void *nothing) {
    (void)nothing;
    for (;;) sleep(100);
    return 0;
}
static int clone_user(void) { return in_clone(CLONE_NEWUSER); }
static int clone_as_sibling(void) { return in_clone(CLONE_PARENT); }
static int clone_processes(void) { return in_clone(CLONE_NEWPID); }
/* A thread whose descriptors are not those of its process. */
static int clone_apart(void) {
    int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    char *stack = malloc(1 << 16);
    return stack ? outcome(clone(sleep_on, stack + (1 << 16), flags, NULL)) : errno;
}
static int close_apart(void) {
    return outcome(syscall(SYS_close_range, ~0U, ~0U, CLOSE_RANGE_UNSHARE));
}
/* As `clone3`, of which a filter cannot see the flags. */
static int clone_by_other_call(void) {
    unsigned long long arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    long child = syscall(SYS_clone3, arguments, sizeof arguments);
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return outcome(child);
}
static int unshare_users(void) { return outcome(unshare(CLONE_NEWUSER)); }
static int unshare_mounts(void) { return outcome(unshare(CLONE_NEWNS)); }
static int join_namespace(void) {
    int space = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
    return space < 0 ? errno : outcome(setns(space, CLONE_NEWUTS));
}

/* In mounts of its own, or where there are none but its own. */
static int mount_memory(void) {
    int is_own = !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    return is_own || is_isolated() ? outcome(mount("tmpfs", ".", "tmpfs", 0, NULL)) : errno;
}
static int mount_writable(void) {
    int is_own = !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    if (!is_own && !is_isolated()) return errno;
    return outcome(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
}
static int open_file_system(void) { return passed(syscall(SYS_fsopen, "tmpfs", 0)); }
static int change_root(void) { return outcome(chroot(".")); }
static int open_by_handle(void) {
    struct file_handle handle = {0};
    return passed(open_by_handle_at(AT_FDCWD, &handle, O_RDONLY));
}
static int watch_all_files(void) { return passed(syscall(SYS_fanotify_init, 0, O_RDONLY)); }

/* Others who open a file with a lease wait for its holder, and what is counted for a user is used up for all
 * of its programs. */
static int take_lease(void) {
    int file = open("leased", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return file < 0 ? errno : outcome(fcntl(file, F_SETLEASE, F_WRLCK));
}
static int watch_folder(void) {
    int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 ? errno : outcome(fcntl(folder, F_NOTIFY, DN_CREATE));
}
static int use_up_watchers(void) { return outcome(inotify_init1(IN_CLOEXEC)); }
static int use_up_contexts(void) {
    unsigned long context = 0;
    return outcome(syscall(SYS_io_setup, 1, &context));
}

static int rename_host(void) {
    char name[256];
    if (unshare(CLONE_NEWUTS) && !is_isolated()) return errno;
    if (gethostname(name, sizeof name)) return errno;
    return outcome(sethostname(name, strlen(name)));
}
/* Asks for the right to set the clock, and sets nothing. */
static int set_clock(void) { return outcome(syscall(SYS_settimeofday, NULL, NULL)); }
static int remove_module(void) { return passed(syscall(SYS_delete_module, "hostile_is_none", 0)); }
static int load_kernel(void) { return passed(syscall(SYS_kexec_load, 0, 0, NULL, 0xffffL)); }
static int restart_machine(void) { return passed(syscall(SYS_reboot, 0, 0, 0, NULL)); }
static int swap(void) { return passed(syscall(SYS_swapon, "/nonexistent/hostile", 0)); }
static int account(void) { return passed(syscall(SYS_acct, "/nonexistent/hostile")); }
/* The length of the kernel's messages, which needs the same right as they do. */
static int read_messages(void) { return outcome(klogctl(3, (char[1]){0}, 1)); }
/* A letter to a terminal of one's own, if one can be had. */
static int type_into_terminal(void) {
    int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    return terminal < 0 ? errno : outcome(ioctl(terminal, 0x5412, "x"));
}
#ifdef __x86_64__
static int reach_ports(void) { return outcome(syscall(SYS_iopl, 3)); }
static int use_other_table(void) { return passed(syscall(0x40000000L + SYS_ptrace, 0, 0, 0, 0)); }
#else
static int reach_ports(void) { return ENOSYS; }
static int use_other_table(void) { return ENOSYS; }
#endif

const struct attack kernel_attacks[] = {
    {"io-uring", io_uring},
    {"bpf", bpf},
    {"perf-events", perf},
    {"userfaultfd", userfaultfd},
    {"keyring", add_key},
    {"be-traced", trace_child},
    {"clone-users", clone_user},
    {"clone-processes", clone_processes},
    {"clone-as-sibling", clone_as_sibling},
    {"clone-by-other-call", clone_by_other_call},
    {"clone-apart", clone_apart},
    {"close-apart", close_apart},
    {"unshare-users", unshare_users},
    {"unshare-mounts", unshare_mounts},
    {"join-namespace", join_namespace},
    {"mount-memory", mount_memory},
    {"mount-writable", mount_writable},
    {"open-file-system", open_file_system},
    {"change-root", change_root},
    {"open-by-handle", open_by_handle},
    {"watch-all-files", watch_all_files},
    {"take-lease", take_lease},
    {"watch-folder", watch_folder},
    {"use-up-watchers", use_up_watchers},
    {"use-up-contexts", use_up_contexts},
    {"rename-host", rename_host},
    {"set-clock", set_clock},
    {"remove-module", remove_module},
    {"load-kernel", load_kernel},
    {"restart-machine", restart_machine},
    {"swap", swap},
    {"account", account},
    {"read-messages-of-kernel", read_messages},
    {"type-into-terminal", type_into_terminal},
    {"reach-ports", reach_ports},
    {"use-other-table-of-calls", use_other_table},
    {0},
};
