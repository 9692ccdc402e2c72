//! The layer of seccomp: a filter of the calls to the kernel.
//!
//! It promises that the parts of the kernel that no card player needs are out of reach: tracing and
//! the memory of other processes, mounts and namespaces, keys, kernel programs and modules, clocks,
//! rare kinds of sockets, typing into terminals, memory and queues that would outlast a game, leases that
//! keep a file from others, what is counted for all of its user (instances of inotify, contexts of
//! asynchronous input and output), the limits and priority of the keeper, and closing itself to the
//! keeper or hiding descriptors from it. A refused call fails with `EPERM`; one for which libraries know
//! another way, with `ENOSYS`. It also stands in for namespaces that are missing: of the network, of
//! shared memory and of processes. It looks at numbers only, never at what a pointer leads to, and
//! it is no list of what is allowed: what it does not name passes.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};
use text::system_error;

use crate::isolation::{FileView, Layer, Layers};

/// Calls that fail with `EPERM`, whatever is asked for.
const REFUSED: &[libc::c_long] = &[
    // Other processes: their memory, descriptors and secrets.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    // Files past every path.
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    // The kernel and the machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
    libc::SYS_lookup_dcookie,
    // Shared memory, semaphores and queues that no process holds: they would still be there in the
    // next game.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// System calls that only this kind of processor has.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_kexec_file_load, libc::SYS_inotify_init];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[KEXEC_FILE_LOAD];

/// Numbers that not every C library has a name for; they are the same for all newer processors.
const OPEN_TREE_ATTR: libc::c_long = 467;
#[cfg(not(target_arch = "x86_64"))]
const KEXEC_FILE_LOAD: libc::c_long = 294;

/// Calls that fail with `ENOSYS`: libraries then take the older ones, which can be looked at.
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_setup,
];

/// Calls that change a process, of which the first argument is the number.
const OF_PROCESS: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

/// Calls that change a process, of which the second argument is the number, unless the first one says
/// that it is the number of a user, whose other processes are not the bot's.
const OF_PROCESS_OR_USER: [(libc::c_long, u64); 2] =
    [(libc::SYS_setpriority, libc::PRIO_USER as u64), (libc::SYS_ioprio_set, IOPRIO_WHO_USER)];

/// A number that the C library has no name for.
const IOPRIO_WHO_USER: u64 = 3;

/// Flags of `clone` that are refused: new namespaces, and children of someone else.
const CLONE_FLAGS: [libc::c_int; 8] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_PARENT,
];

/// Requests to a terminal that type into it or read what it shows: `TIOCSTI` and `TIOCLINUX`, whose
/// type differs between C libraries.
const TERMINAL: [u64; 2] = [0x5412, 0x541c];

/// Requests to a descriptor that make others wait for the file or tell of what they do with it:
/// leases, notes on folders, and delegations, which the C library has no name for yet.
const OF_DESCRIPTORS: [u64; 3] = [libc::F_SETLEASE as u64, libc::F_NOTIFY as u64, F_SETDELEG];
const F_SETDELEG: u64 = 1040;

/// Modes of execution that a program may change to: the usual one, with addresses that are not
/// random, and the question which one it has.
const PERSONALITIES: [u64; 3] = [0, libc::ADDR_NO_RANDOMIZE as u64, 0xffff_ffff];

/// From this number on, x86-64 takes calls for another table of them, which is not used.
const OTHER_TABLE: u32 = 0x4000_0000;

/// Puts the filter on this process and all that it starts, as it fits the other layers.
///
/// Fails where the kernel refuses it, or there is no filter for this kind of processor.
pub(super) fn filter(layers: &Layers, view: &FileView) -> Result<(), String> {
    let cannot = |error: &dyn std::fmt::Display| {
        format!("cannot set up the filter for system calls: {}", system_error(error))
    };
    let programs = programs(layers, view).map_err(|error| cannot(&error))?;
    programs
        .iter()
        .try_for_each(|program| seccompiler::apply_filter(program).map_err(|error| cannot(&error)))
}

fn programs(
    layers: &Layers,
    view: &FileView,
) -> Result<[BpfProgram; 2], seccompiler::BackendError> {
    let processor = TargetArch::try_from(ARCH)?;
    let program = |rules, errno: libc::c_int| {
        let refuse = SeccompAction::Errno(errno.unsigned_abs());
        SeccompFilter::new(rules, SeccompAction::Allow, refuse, processor)?.try_into()
    };
    let unknown = UNKNOWN.iter().map(|call| (*call, Vec::new())).collect();
    let mut unknown: BpfProgram = program(unknown, libc::ENOSYS)?;
    unknown.splice(0..0, without_other_table());
    Ok([program(refused(layers, view)?, libc::EPERM)?, unknown])
}

/// The calls that fail with `EPERM`, each with its cases; none means always.
fn refused(
    layers: &Layers,
    view: &FileView,
) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let has = |layer| layers.on.contains(&layer);
    let always = REFUSED.iter().chain(REFUSED_HERE).map(|call| (*call, Vec::new()));
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = always.collect();
    let others = if has(Layer::Processes) {
        ProtectedProcesses::Keeper
    } else {
        ProtectedProcesses::Everyone
    };
    for call in OF_PROCESS {
        rules.insert(*call, vec![others.rule(0)?]);
    }
    for (call, user) in OF_PROCESS_OR_USER {
        rules.insert(call, vec![rule(0, SeccompCmpOp::Eq, user)?, others.rule(1)?]);
    }
    let mut families = Vec::new();
    // Sockets in the file system belong to services that do as their user asks.
    if has(Layer::Files) {
        families.push(libc::AF_UNIX);
    }
    if has(Layer::Network) || view.network {
        families.extend([libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK]);
    }
    rules.insert(libc::SYS_socket, none_of(0, &numbers(&families))?);
    rules.insert(libc::SYS_socketpair, none_of(0, &numbers(&[libc::AF_UNIX]))?);
    rules.insert(libc::SYS_personality, none_of(0, &PERSONALITIES)?);
    // The keeper must see what memory a bot's descriptors hold.
    let hiding = vec![
        condition(0, SeccompCmpOp::Eq, u64::from(libc::PR_SET_DUMPABLE.unsigned_abs()))?,
        condition(1, SeccompCmpOp::Ne, 1)?,
    ];
    rules.insert(libc::SYS_prctl, vec![SeccompRule::new(hiding)?]);
    let terminal = TERMINAL.iter().map(|request| rule(1, SeccompCmpOp::Eq, *request));
    rules.insert(libc::SYS_ioctl, terminal.collect::<Result<_, _>>()?);
    let asked = OF_DESCRIPTORS.iter().map(|asked| rule(1, SeccompCmpOp::Eq, *asked));
    rules.insert(libc::SYS_fcntl, asked.collect::<Result<_, _>>()?);
    let flags = numbers(&CLONE_FLAGS);
    let flags = flags.iter().map(|flag| rule(0, SeccompCmpOp::MaskedEq(*flag), *flag));
    // All threads of a process share their descriptors, or the keeper would see those of one only.
    let [thread, files] = [libc::CLONE_THREAD, libc::CLONE_FILES].map(u64_of);
    let apart = rule(0, SeccompCmpOp::MaskedEq(thread | files), thread);
    rules.insert(libc::SYS_clone, flags.chain([apart]).collect::<Result<_, _>>()?);
    let unshare = u64::from(libc::CLOSE_RANGE_UNSHARE);
    let apart = rule(2, SeccompCmpOp::MaskedEq(unshare), unshare)?;
    rules.insert(libc::SYS_close_range, vec![apart]);
    Ok(rules)
}

/// Processes of the same user that a bot must leave as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProtectedProcesses {
    /// The keeper: the first of the namespace, in which all others are the bot's.
    Keeper,
    /// All but the one that calls, which has the number zero for these calls.
    Everyone,
}

impl ProtectedProcesses {
    /// The case in which an argument is the number of one.
    fn rule(self, argument: u8) -> Result<SeccompRule, seccompiler::BackendError> {
        match self {
            ProtectedProcesses::Keeper => rule(argument, SeccompCmpOp::Eq, 1),
            ProtectedProcesses::Everyone => rule(argument, SeccompCmpOp::Ne, 0),
        }
    }
}

/// The kernel's numbers as a filter compares them.
fn numbers(all: &[libc::c_int]) -> Vec<u64> {
    all.iter().copied().map(u64_of).collect()
}

fn u64_of(number: libc::c_int) -> u64 {
    u64::from(number.unsigned_abs())
}

fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    // All of these are 32 bits to the kernel; what a caller leaves above them means nothing.
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn rule(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![condition(argument, operator, value)?])
}

/// The one case in which an argument is none of these; with none of them, every case.
fn none_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let differs = values.iter().map(|value| condition(argument, SeccompCmpOp::Ne, *value));
    Ok(vec![SeccompRule::new(differs.collect::<Result<_, _>>()?)?])
}

/// The start of a filter that knows none of the calls of the other table: the filter of all others
/// goes by their usual numbers.
fn without_other_table() -> [sock_filter; 3] {
    let instruction = |code: u32, jt, k| sock_filter { code: code as u16, jt, jf: 0, k };
    let unknown = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    [
        // The number of the call is the first thing there is.
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0),
        sock_filter { jf: 1, ..instruction(libc::BPF_JMP | libc::BPF_JGE, 0, OTHER_TABLE) },
        instruction(libc::BPF_RET | libc::BPF_K, 0, unknown.into()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(network: bool) -> FileView {
        FileView { network, ..FileView::default() }
    }

    fn with(on: &[Layer]) -> Layers {
        Layers { on: on.to_vec(), refused: Vec::new() }
    }

    #[test]
    fn there_is_a_filter_for_every_set_of_layers() {
        for on in [&[][..], &[Layer::Files], &[Layer::Network, Layer::Ipc], &Layer::ALL] {
            for network in [true, false] {
                let [refused, unknown] = programs(&with(on), &view(network)).unwrap();
                assert!(refused.len() > REFUSED.len() && refused.len() < 4096, "{on:?}");
                assert_eq!(unknown[0].k, 0, "the number comes first");
                assert_eq!(unknown[1].k, OTHER_TABLE);
            }
        }
    }

    #[test]
    fn a_filter_stands_in_for_missing_namespaces() {
        let socket = |on: &[Layer], network| {
            refused(&with(on), &view(network)).unwrap()[&libc::SYS_socket].clone()
        };
        assert_eq!(socket(&[], false), [], "none of any kind");
        assert_eq!(socket(&[Layer::Network], false), socket(&[], true), "those of a network");
        assert_eq!(socket(&[Layer::Files], false).len(), 1, "those in the file system");
        let limits =
            |on: &[Layer]| refused(&with(on), &view(false)).unwrap()[&libc::SYS_prlimit64].clone();
        assert_eq!(limits(&[]), [ProtectedProcesses::Everyone.rule(0).unwrap()]);
        assert_eq!(limits(&[Layer::Processes]), [ProtectedProcesses::Keeper.rule(0).unwrap()]);
    }
}
