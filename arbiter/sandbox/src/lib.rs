//! Starting programs, and ending them: the only code of this program that does so.
//!
//! # Theory of operation
//!
//! **One program, many calls.** A [`Supervisor`] looks after a [`Program`] as [`SupervisedProgram`]: each
//! [`CallInput`] starts the program anew, gives it the request, and collects what it prints. What was seen
//! comes back as an [`Observation`], without a verdict; `judge` of the crate `bot` turns it into the answer for the
//! referee. Nothing here knows a game, and nothing here fails: a call that could not be made is an
//! [`CallEnd`] too.
//!
//! **Who starts it.** On Linux a *keeper*, one for each bot and worker: a small process of this same
//! program, which confines itself once and then starts the bot's program as often as it is asked
//! (`keeper/` says how). Elsewhere the referee itself, with a thread for each pipe (`portable/`); with
//! `ARBITER_SUPERVISOR=portable` on Linux too, which is how that is tested.
//!
//! **Programs that live on.** Asked by [`CallInput::Turn`], a program is started where it does not run, and
//! what ends the call is a line. It lives until [`game_over`](SupervisedProgram::game_over), and is stopped in
//! between with all that it has started, unless it may [ponder](PonderPermission). What is said below of a call
//! holds for a turn; nobody's exit is waited for then, and the order of a line and of the deadline is
//! known only where the line was seen in time.
//!
//! **What keeps it apart.** The layers of `layers/`: a user, processes, files, a network, shared memory
//! and a host name of the bot's own, the kernel's own checks, and no privileges. [`Isolation`](isolation::Isolation) says how
//! many of them are insisted on, `view/` what files a bot sees, and [`Supervisor::layers`] which layers
//! this machine allows. With the layers of processes and files, all that a bot has started and written
//! is gone with its keeper, and nothing of the machine has a name for it but what it is shown.
//!
//! **What is written besides.** A build runs once in a copy of a folder, a *build folder*: it is found where
//! the folder lies, and can be written there.
//!
//! **How it is started.** In a process group of its own, on Windows in a job; in a scratch folder; with an
//! environment that holds `PATH` (the referee's), `HOME` and `ARBITER_SCRATCH` (the scratch folder) and
//! `LANG=C.UTF-8`, and nothing else (only the command that builds a bot is given more, and
//! `TMPDIR`); with three pipes and no other descriptor. A keeper sets the kernel's limits before the
//! program starts. A text file without a `#!` line is *not* run by a shell: it does not start.
//!
//! **What ends a call.** Exit, not end of file. A program that has closed its output but keeps
//! running has not answered; one that has exited has answered, even if a child of it still holds
//! the pipes. The other ends are the deadline, and one byte more of standard output than allowed.
//! Standard error never ends a call: it is read, kept up to a cap, counted and dropped. After any
//! end, what the pipes still hold is read without waiting, the group is killed, and the process is
//! reaped. No one waits for the end of file. In the first 5 ms a keeper leaves the output of a program that is
//! to end in the pipes and waits for the exit alone, unless there is little time: a quick program wakes it once, and
//! one that prints more than a pipe holds waits so long.
//!
//! **Time.** One absolute deadline for each call, on the monotonic clock, taken as soon as the program is
//! started: before that, the system may wait for a file on which another process has a lease. A program that is late
//! while such a lease is waited for was not at fault, so the call is a fault of the machine.
//! What a program does to start counts as its time, and trickling bytes do not extend it. On Linux the
//! kernel says which came first, the exit or the deadline, even if the keeper looks late: an
//! answer in time counts even if the keeper or the referee was stopped meanwhile. A resident program does not exit: its
//! line is in time if the keeper sees it before the deadline. On other systems a thread
//! notes when it sees the exit; if that is after the deadline, the order is unknown, which is a fault of
//! the machine. The CPU time is what the system reports at the reaping: with a keeper, of all that the
//! program has started.
//!
//! **A supervisor that did not run** has not written the request, or not read the output. So if a
//! program is late, the thread adds up how long it has slept, run, and waited for a processor; if
//! much of the time is left, it was stopped (by a signal, or with its container or machine), and
//! the call is a fault of the machine. How long it waited for a processor is reported with a late
//! program, because that may be why it is late. The monotonic clock stands still while a machine is
//! suspended, and so does the time of a program.
//!
//! **Limits.** The kernel keeps those of one process (files, descriptors, address space, no core
//! files), and one on CPU time in case the keeper is gone. Those of all processes together (memory,
//! their number, CPU time) are checked by the loop that waits for the program: for the first time after
//! 5 ms, so that quick programs cost nothing, then about every 20 ms. A check goes from the keeper to its
//! children and theirs, and is no more exact than needed: memory that forked processes share is told
//! apart only if all of it would be too much. Files in memory that a process holds open count, mapped or
//! not, and sockets where there are many. To tell shared memory apart and to look at descriptors may take
//! long, so both have a pause of their own, and no more than 16,384 descriptors are looked at: those beyond
//! count as sockets. A process whose first thread has ended is seen by another thread of it. If the machine runs out of memory, its kernel is told to kill a
//! bot first (`memory.rs`): where its counter says that it has killed for that reason while a program died by
//! SIGKILL, a program that was surely above its limit is charged with memory, and for any other the
//! machine is at fault. So it is where a program fails or is late while the system has refused to start a process
//! (`refused_starts.rs`). At the deadline the loop checks how long the program's threads waited for a
//! processor, to tell a program that was late on an overloaded machine from one that computed.
//!
//! **Nothing stays.** The group is killed after every call, and with a keeper also every process that
//! has left it: every orphan becomes a child of the keeper, which has no other children, and which kills
//! and reaps until it has none; for ten seconds at most, which only a program that multiplies faster
//! than the keeper can look needs, outside of a namespace of its own.
//!
//! **If the referee is gone,** killed, interrupted or by a panic, its sockets end: each keeper ends its
//! program, removes the scratch folder and itself. **If a keeper is gone,** the referee ends what it has
//! left, the answer is a fault of the machine, and another keeper takes its place. **If both are,** the
//! process behind a [`GuardLease`] kills what was running and removes the scratch folders. On Windows, a job of the
//! referee ends all that it has started together with it, and the scratch folders stay.
//!
//! **The memory of the referee**, where the deck and the seed are, and that of the keepers cannot be
//! read by other processes of the same user: they give up being traced and dumped, on Linux.
//!
//! **The terminal.** Bots have none on Linux: a keeper is in a session of its own. Ctrl-C reaches the
//! referee, and bots only through it.
//!
//! **Whose fault.** A failed start is the machine's fault if it has run out of something (no
//! descriptors, no memory, no scratch folder) or its disk fails; then no one is charged. Every
//! other error is due to the path of the program or of its interpreter, which is the program's own
//! fault.
//!
//! # What is not guaranteed
//!
//! - What is checked now and then can exceed its limit for some milliseconds in between.
//! - Memory that no process has mapped and no descriptor leads to is not seen: pages of a shared mapping
//!   that were given back (`MADV_DONTNEED`), and files and sockets on their way through a socket. Nor is
//!   what a process has open whose program cannot be read, or pipes, which the kernel limits for each user.
//!   Without isolation, a thread can have descriptors of its own, and only those of one thread of each
//!   process are looked at.
//! - CPU time of children whose end is ignored by their parent is known as far as a look has seen them: what they use in
//!   the last 20 ms of their lives is not.
//! - Without the layer of processes, a bot can kill or stop its own keeper: then its game is void. With
//!   `ARBITER_SUPERVISOR=portable`, or on systems other than Linux, a process that leaves the group
//!   (`setsid`, or joining another group of the session) survives the kill. On Windows no process leaves its
//!   job, but what a program starts before it is in one survives, unless the referee is killed. What survives
//!   does not delay the next call and cannot reach its pipes, but it uses the machine; it delays the end of its own call by a
//!   second at most, and keeps a thread and a descriptor of the referee for as long as it holds a pipe.
//!   There bots have the referee's terminal, too.
//! - A program that lives on and is stopped can have the kernel let it go on. It is stopped again and again,
//!   and is out once it has computed for some 30 ms between two of its turns, or for 100 ms with what the
//!   kernel does for it; a little less is not seen.
//! - The guard finds a process that has lost its parent and its group only by the scratch folder
//!   that it shows.
//! - Without isolation, the superuser's bots can read and kill everything.
//! - A killed process that is stuck inside the kernel is waited for at most ten seconds; then
//!   the call is a fault of the machine, and another keeper takes over.
//! - A bot may learn from the numbers of its processes and files how many there were in earlier games of
//!   the same keeper.

mod call;
mod clock;
mod exit;
pub mod file;
#[cfg(target_os = "linux")]
mod finish_watch;
#[cfg(target_os = "linux")]
mod fork;
#[cfg(target_os = "linux")]
pub mod guard;
#[cfg(not(target_os = "linux"))]
#[path = "guard_elsewhere.rs"]
pub mod guard;
mod interpreter;
pub mod isolation;
#[cfg(target_os = "linux")]
pub mod keeper;
pub mod launchers;
#[cfg(target_os = "linux")]
mod layers;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
pub mod new_file;
#[cfg(target_os = "linux")]
mod own_program;
mod portable;
#[cfg(target_os = "linux")]
mod proc;
mod program;
#[cfg(target_os = "linux")]
mod refused_starts;
mod removal;
mod request;
pub mod scratch;
pub mod signals;
mod start;
mod supervision_time;
mod supervisor;
mod view;

pub use call::{CallEnd, Observation};

pub use guard::GuardLease;
pub use interpreter::{ask_for_path, interpreter, sought_by_env};
pub use isolation::BuildFolder;
pub use limits::{
    GameTime, LIMITS, LimitAmount, LimitKind, LimitTexts, Limits, Unit, duration, in_header,
    milliseconds, text_or_number,
};

pub use program::{
    BuiltInBots, MulticallProgram, Program, ResolveError, SearchPath, or_with_suffix,
};
pub use request::{CallInput, CancellationCheck, EndOfAnswer, LeftFiles, PonderPermission};
pub use signals::{closing_signals, signal_name};
pub use start::{StartError, is_of_machine};
pub use supervisor::{SUPERVISOR_VARIABLE, SupervisedProgram, Supervisor};
pub use view::{AllowedPath, AllowedPaths, PathVisibility, ViewRules, Visibility};
