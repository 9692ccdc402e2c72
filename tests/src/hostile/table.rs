//! The table: what a hostile bot tries, and what must come of it.

use super::attack::Outcome::{Either, Got, Refused};
use super::attack::{Attack, Channel};

const NO_TERMINAL: &str = "keepers have a session of their own";
const CLOSED: &str = "the referee and its keepers close their descriptors to programs";
const RIGHTS: &str = "every keeper gives up the way to new rights";
const LOCKS: &str =
    "bots that see a file see its locks: [isolation](../isolation.md#limits-of-the-promises)";
const OLD_CALLS: &str = "kernels of today have no such calls";

/// Every attack of a bot alone, in the order of the bot's list.
pub const ATTACKS: &[Attack] = &[
    Attack::stopped("read-log", "reads the log"),
    Attack::stopped("read-log-by-link", "reads the log by a symbolic link of its own"),
    Attack::stopped("read-log-from-below", "reads the log by a path from its scratch folder"),
    Attack::stopped("read-seed", "reads a seed file"),
    Attack::stopped("read-plan", "reads the plan of a tournament"),
    Attack::stopped("read-home", "reads a file in the home folder"),
    Attack::stopped("list-home", "lists the home folder"),
    Attack::stopped("list-scratch-folders", "lists the scratch folders of all bots"),
    Attack::stopped("read-program-of-other", "reads the program of the other bot"),
    Attack::stopped("read-program-of-other-by-link", "the same by a link in its own folder"),
    Attack::stopped(
        "read-files-of-other-by-environment",
        "reads what lies beside a program that `venv/pyvenv.cfg` in its own folder names",
    ),
    Attack::stopped(
        "read-program-of-other-by-first-line",
        "reads a program that the first line of a script in its own folder names",
    ),
    Attack::stopped("write-log", "opens the log for writing"),
    Attack::stopped("write-seed", "writes to a seed file"),
    Attack::stopped("write-plan", "writes to the plan of a tournament"),
    Attack::stopped("write-home", "writes to a file in the home folder"),
    Attack::by_machine("hard-link-log", "makes a hard link to the log"),
    Attack::by_machine("hard-link-own-program", "makes a hard link to its own program"),
    Attack::stopped("add-to-own-folder", "makes a file in its own folder"),
    Attack::stopped("change-rights", "changes the rights of its own program")
        .unless_refused()
        .stopped_as_nobody(),
    Attack::stopped("change-times", "changes the times of its own program")
        .unless_refused()
        .stopped_as_nobody(),
    Attack::by_machine("change-attributes", "gives its own program an extended attribute")
        .perhaps_if_refused()
        .stopped_as_nobody(),
    Attack::by_machine("time-of-reading", "leaves a time of reading at a file that all see")
        .perhaps_if_refused(),
    Attack::let_be("see-lock", "sees that another process holds a lock of a file (flock)", LOCKS),
    Attack::let_be("see-record-lock", "the same with a lock of a part of it (fcntl)", LOCKS),
    Attack::stopped("replace-own-program", "replaces its own program"),
    Attack::stopped("replace-program-of-other", "replaces the program of the other bot"),
    Attack::stopped("replace-referee", "replaces the program of the referee"),
    Attack::of_root("make-device", "makes a device"),
    Attack::by_machine("open-memory-of-machine", "opens the memory of the machine"),
    Attack::nowhere("open-terminal", "opens its terminal", NO_TERMINAL),
    Attack::stopped("open-terminal-of-other", "opens the terminal of somebody else"),
    Attack::nowhere("find-descriptors", "finds an open descriptor of a file of the match", CLOSED),
    Attack::of_root("open-settings-of-kernel", "opens a setting of the kernel for writing"),
    Attack::stopped("command-of-referee", "reads the command line of the referee").unless_refused(),
    Attack::of_root("environment-of-referee", "reads the environment of the referee"),
    Attack::of_root("memory-of-referee", "opens the memory of the referee"),
    Attack::of_root("descriptors-of-referee", "sees where a descriptor of the referee leads"),
    Attack::of_root("root-of-referee", "looks through the root of the referee"),
    Attack::stopped("signal-referee", "signals the referee"),
    Attack::of_root("peek-at-referee", "copies from the memory of the referee"),
    Attack::stopped("limits-of-referee", "sets the limits of the referee"),
    Attack::stopped("priority-of-referee", "sets the priority of the referee"),
    Attack::stopped("scheduling-of-referee", "sets the scheduling of the referee"),
    Attack::stopped("processors-of-referee", "sets the processors of the referee"),
    Attack::stopped("disk-priority-of-referee", "sets the disk priority of the referee"),
    Attack::stopped("command-of-guard", "reads the command line of the guard").unless_refused(),
    Attack::by_machine("environment-of-guard", "reads the environment of the guard"),
    Attack::by_machine("memory-of-guard", "opens the memory of the guard"),
    Attack::by_machine("descriptors-of-guard", "sees where a descriptor of the guard leads"),
    Attack::stopped("signal-guard", "signals the guard"),
    Attack::of_root("environment-of-keeper", "reads the environment of its keeper"),
    Attack::of_root("memory-of-keeper", "opens the memory of its keeper"),
    Attack::of_root("descriptors-of-keeper", "sees where a descriptor of its keeper leads"),
    Attack::of_root("peek-at-keeper", "copies from the memory of its keeper"),
    Attack::of_root("descriptor-of-keeper", "takes a descriptor of its keeper"),
    Attack::stopped("end-keeper", "ends or stops its keeper by any signal")
        .unless_refused()
        .stopped_as_nobody(),
    Attack::stopped("limits-of-keeper", "sets the limits of its keeper"),
    Attack::stopped("priority-of-keeper", "sets the priority of its keeper"),
    Attack::stopped("scheduling-of-keeper", "sets the scheduling of its keeper"),
    Attack::stopped("processors-of-keeper", "sets the processors of its keeper"),
    Attack::stopped("disk-priority-of-keeper", "sets the disk priority of its keeper"),
    Attack::stopped("priority-of-user", "sets the priority of all processes of its user"),
    Attack::stopped("disk-priority-of-user", "sets the disk priority of all processes of its user"),
    Attack::stopped("command-of-other", "reads the command line of another process")
        .unless_refused(),
    Attack::stopped("environment-of-other", "reads the environment of another process"),
    Attack::by_machine("memory-of-other", "opens the memory of another process"),
    Attack::stopped("signal-other", "signals another process"),
    Attack::by_machine("trace-other", "traces another process"),
    Attack::by_machine("peek-at-other", "copies from the memory of another process"),
    Attack::by_machine("descriptor-of-other", "takes a descriptor of another process"),
    Attack::stopped("limits-of-other", "sets the limits of another process"),
    Attack::nowhere("gain-rights", "gains rights by a set-user-id program", RIGHTS),
    Attack::of_root("have-rights", "has a capability"),
    Attack::of_root("become-superuser", "becomes the superuser")
        .perhaps_if_refused()
        .stopped_as_nobody(),
    Attack::of_root_perhaps("raise-limits", "raises a limit that the referee has set"),
    Attack::of_root_perhaps("raise-priority", "raises its priority"),
    Attack::stopped("outlive-shortage-of-memory", "is no longer the first to go without memory"),
    Attack::by_machine("hide-descriptors", "hides what its descriptors lead to (PR_SET_DUMPABLE)"),
    Attack::stopped("connect-to-loopback", "connects to a server of the machine"),
    Attack::stopped("send-to-loopback", "sends a datagram to a server of the machine"),
    Attack::by_machine("find-way-out", "finds a way to an address outside"),
    Attack::stopped("listen", "listens and is reached"),
    Attack::stopped("connect-to-abstract-socket", "connects to an abstract socket"),
    Attack::stopped("connect-to-socket-file", "connects to a socket in the file system"),
    Attack::of_root("open-packet-socket", "opens a socket for whole packets"),
    Attack::by_machine("open-cipher-socket", "opens a socket for the kernel's ciphers"),
    Attack::by_machine("io-uring", "sets up io_uring"),
    Attack::by_machine("bpf", "makes a map for programs in the kernel (bpf)"),
    Attack::by_machine("perf-events", "counts events of the processor (perf_event_open)"),
    Attack::by_machine("userfaultfd", "handles faults of its memory (userfaultfd)"),
    Attack::by_machine("keyring", "puts a key into a keyring"),
    Attack::by_machine("be-traced", "lets itself be traced"),
    Attack::by_machine("clone-users", "makes a child in a new namespace of users"),
    Attack::of_root("clone-processes", "makes a child in a new namespace of processes"),
    Attack::stopped("clone-as-sibling", "makes a child of its parent"),
    Attack::by_machine(
        "clone-by-other-call",
        "makes a child by clone3, whose flags no filter sees",
    ),
    Attack::by_machine("clone-apart", "starts a thread with descriptors of its own"),
    Attack::by_machine("close-apart", "gives a thread descriptors of its own (close_range)"),
    Attack::by_machine("unshare-users", "makes a namespace of users"),
    Attack::of_root("unshare-mounts", "makes a namespace of mounts"),
    Attack::of_root("join-namespace", "joins a namespace"),
    Attack::of_root("mount-memory", "mounts a file system in memory"),
    Attack::of_root("mount-writable", "makes its root writable"),
    Attack::of_root("open-file-system", "opens a file system to mount it (fsopen)"),
    Attack::of_root("change-root", "changes its root"),
    Attack::by_machine("open-by-handle", "opens a file by its handle"),
    Attack::by_machine("watch-all-files", "watches all files (fanotify)"),
    Attack::stopped("take-lease", "takes a lease on a file, for which others wait (F_SETLEASE)"),
    Attack::by_machine("watch-folder", "has itself told of changes in a folder (F_NOTIFY)"),
    Attack::stopped("use-up-watchers", "makes an instance of inotify, of which a user has few"),
    Attack::by_machine(
        "use-up-contexts",
        "makes a context of `io_setup`, of which a machine has few",
    ),
    Attack::of_root("rename-host", "sets the name of the host"),
    Attack::of_root("set-clock", "sets the clock"),
    Attack::by_machine("remove-module", "removes a module of the kernel"),
    Attack::by_machine("load-kernel", "loads another kernel"),
    Attack::of_root("restart-machine", "restarts the machine"),
    Attack::by_machine("swap", "turns on swapping"),
    Attack::by_machine("account", "turns on accounting"),
    Attack::by_machine("read-messages-of-kernel", "reads the messages of the kernel"),
    Attack::by_machine("type-into-terminal", "types into a terminal (TIOCSTI)"),
    Attack::by_machine("reach-ports", "reaches the ports of the processor (iopl)"),
    Attack::nowhere("use-other-table-of-calls", "traces by the calls of x32", OLD_CALLS),
    Attack::stopped("fill-scratch", "writes 80 MiB to its scratch folder").unless_refused(),
    Attack::stopped("fill-tmp", "writes 80 MiB to `/tmp`").unless_refused(),
    Attack::stopped("fill-shared-memory", "writes 80 MiB to `/dev/shm`").unless_refused(),
    Attack::stopped("litter-scratch", "makes 10,100 files in its scratch folder").unless_refused(),
    Attack::stopped("litter-tmp", "makes 10,100 files in `/tmp`").unless_refused(),
    Attack::stopped("litter-shared-memory", "makes 10,100 files in `/dev/shm`").unless_refused(),
    Attack::nowhere("open-many-files", "opens 1,100 files", "its limit is one of the process"),
];

const fn channel(name: &'static str, is: &'static str) -> Channel {
    let (off, portable) = ([Got, Got], [Got, Got]);
    let none = [Refused, Refused];
    Channel { name, is, isolated: none, refused: none, off, portable }
}

/// Every way to leave a sign, in the order of the bot's list.
pub const CHANNELS: &[Channel] = &[
    channel("by-segment", "a System V segment of shared memory"),
    channel("by-semaphore", "a System V semaphore"),
    channel("by-queue", "a System V queue of messages"),
    channel("by-posix-segment", "a POSIX segment of shared memory"),
    channel("by-posix-queue", "a POSIX queue of messages"),
    channel("by-tmp", "a file in `/tmp`"),
    Channel {
        off: [Refused, Refused],
        portable: [Refused, Refused],
        ..channel(
            "by-scratch",
            "a file in its scratch folder, which each bot has anew in each game",
        )
    },
    channel("by-folder", "a file beside its program"),
    channel("by-folder-above", "a file in the folder above that"),
    Channel {
        off: [Either, Either],
        portable: [Either, Either],
        ..channel("by-attribute", "an extended attribute of the folder above its scratch folder")
    },
    channel("by-time", "a time of reading of the folder above its scratch folder"),
    // The other bot leaves its own in the same place.
    Channel {
        off: [Refused, Got],
        portable: [Got, Either],
        ..channel("by-limit", "a limit of the process that has started it")
    },
    Channel {
        off: [Refused, Refused],
        ..channel("by-daemon", "a process that lives on and listens")
    },
    Channel {
        off: [Refused, Refused],
        ..channel("by-lock-of-daemon", "a process that lives on and locks a file that all see")
    },
];
