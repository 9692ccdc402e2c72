//! A helper that outlives the referee, and cleans up when the referee no longer can.
//!
//! It is the same program in another role, in a process group of its own, so that Ctrl-C does not
//! reach it. The referee tells it through a pipe which keepers there are and which scratch
//! folders there are; no one else holds the other end of the pipe. When the pipe ends without a
//! farewell, the referee is gone (killed, interrupted, or by a panic): then the guard kills what
//! was running and removes the folders. A guard that is killed itself is replaced at the next
//! message to it, and one that was stopped goes on when the referee is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{self, PipeWriter, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, thread};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{
    Pid, PidfdFlags, RawPid, Signal, kill_process_group, pidfd_open, pidfd_send_signal,
    set_parent_process_death_signal,
};
use signal_hook::consts::SIGHUP;

use super::clock::Clock;
use super::proc::{self, ProcessOrigin, ProcessStat};
use crate::{own_program, removal};

/// The word that makes the program a guard.
pub const SUBCOMMAND: &str = "guard";

static POST: Mutex<Option<GuardProcess>> = Mutex::new(None);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum GuardMessage {
    Started(RawPid),
    Ended(RawPid),
    Made(PathBuf),
    Removed(PathBuf),
    Farewell,
}

impl GuardMessage {
    /// The bytes in the pipe: a letter, what it is about, and a NUL, which no path holds.
    fn to_bytes(&self) -> Vec<u8> {
        let (letter, about) = match self {
            GuardMessage::Started(pid) => (b's', pid.to_string().into_bytes()),
            GuardMessage::Ended(pid) => (b'e', pid.to_string().into_bytes()),
            GuardMessage::Made(folder) => (b'm', folder.as_os_str().as_bytes().to_vec()),
            GuardMessage::Removed(folder) => (b'r', folder.as_os_str().as_bytes().to_vec()),
            GuardMessage::Farewell => (b'f', Vec::new()),
        };
        [&[letter], about.as_slice(), b"\0"].concat()
    }

    /// Reads what stands before a NUL.
    fn parse(bytes: &[u8]) -> Option<GuardMessage> {
        let (letter, about) = bytes.split_first()?;
        let number = || std::str::from_utf8(about).ok()?.parse().ok();
        let folder = || PathBuf::from(OsStr::from_bytes(about));
        match letter {
            b's' => number().map(GuardMessage::Started),
            b'e' => number().map(GuardMessage::Ended),
            b'm' => Some(GuardMessage::Made(folder())),
            b'r' => Some(GuardMessage::Removed(folder())),
            b'f' => Some(GuardMessage::Farewell),
            _ => None,
        }
    }
}

/// Has this process guarded for as long as it is kept.
#[derive(Debug)]
#[must_use = "the guard goes when this is dropped"]
pub struct GuardLease(());

impl GuardLease {
    /// Posts a guard, if there is none yet: starts `program` with the word [`SUBCOMMAND`], upon which it must call
    /// [`watch()`].
    ///
    /// From then on every call of a [`Supervisor`](super::Supervisor) and every
    /// [`Scratch`](crate::scratch::Scratch) of this process is guarded. Without one they
    /// work anyway.
    pub fn post(program: &Path) -> io::Result<GuardLease> {
        let mut posted = post();
        match posted.as_mut() {
            Some(post) => post.kept += 1,
            None => *posted = Some(GuardProcess::new(program, BTreeSet::new(), 1)?),
        }
        Ok(GuardLease(()))
    }

    /// Likewise with the program that [serves as a keeper](crate::keeper::announce); none if there is no such program,
    /// or no guard can be had.
    pub(crate) fn of_this_program() -> Option<GuardLease> {
        own_program::program().and_then(|program| GuardLease::post(program).ok())
    }
}

impl Drop for GuardLease {
    fn drop(&mut self) {
        let mut posted = post();
        if let Some(post) = posted.as_mut() {
            post.kept -= 1;
        }
        if let Some(post) = posted.take_if(|post| post.kept == 0) {
            post.dismiss();
        }
    }
}

/// Tells the guard that a keeper or a program runs.
pub(super) fn started(child: &Child) {
    tell(GuardMessage::Started(Pid::from_child(child).as_raw_pid()));
}

/// Tells the guard that a keeper is gone, and all that its program has left.
pub(super) fn ended(id: u32) {
    tell(GuardMessage::Ended(RawPid::try_from(id).unwrap_or(0)));
}

/// Replaces a guard that is gone: a bot may have killed it.
pub(super) fn look() {
    let mut posted = post();
    if posted.as_ref().is_some_and(GuardProcess::is_gone) {
        *posted = posted.take().and_then(|post| post.replace().ok());
    }
}

/// Tells the guard of a folder, which had better not be there yet.
pub(crate) fn folder_created(folder: &Path) {
    tell(GuardMessage::Made(folder.to_owned()));
}

/// Tells the guard that a folder is no longer its affair.
pub(crate) fn removed(folder: &Path) {
    tell(GuardMessage::Removed(folder.to_owned()));
}

fn tell(news: GuardMessage) {
    let mut posted = post();
    if let Some(post) = posted.as_mut()
        && post.tell(news).is_err()
    {
        // A bot may have killed the guard or stopped it. If no other one can be started, the match
        // continues without it: it is there only for the end of the referee.
        *posted = posted.take().and_then(|post| post.replace().ok());
    }
}

fn post() -> MutexGuard<'static, Option<GuardProcess>> {
    POST.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct GuardProcess {
    program: PathBuf,
    child: Child,
    pipe: PipeWriter,
    /// News that the next guard needs.
    standing: BTreeSet<GuardMessage>,
    /// Number of guards that are kept.
    kept: usize,
}

impl GuardProcess {
    /// A guard that gets all this at its start, so that it knows at once what to clean up.
    fn new(
        program: &Path,
        standing: BTreeSet<GuardMessage>,
        kept: usize,
    ) -> io::Result<GuardProcess> {
        proc::close();
        let (end, mut pipe) = io::pipe()?;
        // A guard that does not read must not keep the referee.
        ioctl_fionbio(&pipe, true)?;
        standing.iter().try_for_each(|news| send(&mut pipe, news))?;
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).current_dir("/").env_clear().process_group(0);
        command.stdin(end).stdout(Stdio::null()).stderr(Stdio::null());
        let child = proc::start(&mut command)?;
        Ok(GuardProcess { program: program.to_owned(), child, pipe, standing, kept })
    }

    fn tell(&mut self, news: GuardMessage) -> io::Result<()> {
        let sent = send(&mut self.pipe, &news);
        match news {
            GuardMessage::Started(_) | GuardMessage::Made(_) => drop(self.standing.insert(news)),
            GuardMessage::Ended(pid) => drop(self.standing.remove(&GuardMessage::Started(pid))),
            GuardMessage::Removed(folder) => {
                self.standing.remove(&GuardMessage::Made(folder));
            }
            GuardMessage::Farewell => {}
        }
        sent
    }

    /// Returns true if no one reads the pipe any more.
    fn is_gone(&self) -> bool {
        let mut fds = [PollFd::new(&self.pipe, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut fds, Some(&now)), Ok(1..))
    }

    /// Puts another guard in the place of this one.
    fn replace(self) -> io::Result<GuardProcess> {
        let GuardProcess { program, child, pipe, standing, kept } = self;
        // It must be dead before the pipe ends: it would take that for the end of the referee.
        proc::end(child, Duration::ZERO);
        drop(pipe);
        GuardProcess::new(&program, standing, kept)
    }

    /// Sends the guard away; it leaves everything as it is.
    fn dismiss(mut self) {
        let _ = send(&mut self.pipe, &GuardMessage::Farewell);
        // It has nothing more to do, whether it has read that or not.
        proc::end(self.child, Duration::ZERO);
    }
}

/// Writes news to a pipe that does not wait; a piece as short as this is written whole or not at all.
fn send(pipe: &mut PipeWriter, news: &GuardMessage) -> io::Result<()> {
    let bytes = news.to_bytes();
    loop {
        match pipe.write(&bytes) {
            Ok(written) if written == bytes.len() => return Ok(()),
            Ok(_) => return Err(io::ErrorKind::WriteZero.into()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Bytes to read at once.
const CHUNK: usize = 16 << 10;

/// Everything that the referee would leave behind if it were gone now.
#[derive(Debug, Default)]
struct Leftovers {
    /// The programs that run, each with a descriptor that is it and no later process of its number;
    /// nothing if it was gone before it could be had.
    programs: BTreeMap<RawPid, Option<OwnedFd>>,
    folders: BTreeSet<PathBuf>,
}

/// Does a guard's work: listens to the referee until it says farewell or is gone, and in the
/// latter case kills its programs and removes their folders.
pub fn watch(news: impl Read) {
    outlive_the_referee();
    if let Some(leftovers) = listen(news) {
        clean_up(&leftovers);
    }
}

/// Has this process go on when the referee is gone, even if somebody has stopped it.
///
/// The system sends SIGHUP to a stopped process whose group has no parent in its session any more, which
/// ends those that do not expect it. And it lets this process go on when its parent is gone. What of this is
/// refused is only missed where the guard has been stopped.
fn outlive_the_referee() {
    let _ = signal_hook::flag::register(SIGHUP, Arc::new(AtomicBool::new(false)));
    let _ = set_parent_process_death_signal(Some(Signal::CONT));
}

/// Listens to the end, and gives what was left; nothing after a farewell.
fn listen(mut news: impl Read) -> Option<Leftovers> {
    let mut leftovers = Leftovers::default();
    let mut unread = Vec::new();
    let mut chunk = [0; CHUNK];
    loop {
        match news.read(&mut chunk) {
            Ok(0) => return Some(leftovers),
            Ok(length) => unread.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Some(leftovers),
        }
        let end = unread.iter().rposition(|&byte| byte == 0).map_or(0, |last| last + 1);
        for record in unread[..end].split(|&byte| byte == 0) {
            match GuardMessage::parse(record) {
                Some(GuardMessage::Farewell) => return None,
                Some(news) => leftovers.learn(news),
                None => {}
            }
        }
        unread.drain(..end);
    }
}

impl Leftovers {
    fn learn(&mut self, news: GuardMessage) {
        match news {
            GuardMessage::Started(number) => {
                let pidfd =
                    Pid::from_raw(number).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
                self.programs.insert(number, pidfd);
            }
            GuardMessage::Ended(number) => drop(self.programs.remove(&number)),
            GuardMessage::Made(folder) => drop(self.folders.insert(folder)),
            GuardMessage::Removed(folder) => drop(self.folders.remove(&folder)),
            GuardMessage::Farewell => {}
        }
    }
}

/// The most time that the killing may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Time given to killed processes before the guard looks again.
const PAUSE: Duration = Duration::from_millis(5);

/// Kills the programs that were running, and every process whose scratch folder is one of these;
/// then removes the folders.
fn clean_up(leftovers: &Leftovers) {
    for (&number, pidfd) in &leftovers.programs {
        if let (Some(pid), Some(pidfd)) = (Pid::from_raw(number), pidfd) {
            kill_program(pid, pidfd);
        }
    }
    let clock = Clock::start(LIMIT);
    while kill_owners(leftovers) && !clock.is_over() {
        thread::sleep(PAUSE);
    }
    for folder in &leftovers.folders {
        // No one is there to be told.
        let _ = removal::remove(folder);
    }
}

/// Kills a program, its group, and all that it has started.
fn kill_program(pid: Pid, pidfd: &OwnedFd) {
    // All are stopped before the first is killed: with its parent, a process loses what shows
    // whose it is.
    let mut stopped = Vec::new();
    while stop_tree(pid, &mut stopped) {}
    // While the program is there, dead or alive, its number is that of no other group.
    if pidfd_send_signal(pidfd, Signal::KILL).is_ok() {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    for (_, pidfd) in &stopped {
        let _ = pidfd_send_signal(pidfd, Signal::KILL);
    }
    for (_, pidfd) in &stopped {
        let pause = Timespec::try_from(PAUSE).ok();
        let _ = poll(&mut [PollFd::new(pidfd, PollFlags::IN)], pause.as_ref());
    }
}

/// Stops what a program has started and was not stopped yet, and says whether there was anything.
fn stop_tree(top: Pid, stopped: &mut Vec<(Pid, OwnedFd)>) -> bool {
    let before = stopped.len();
    let mut unseen = vec![top];
    while let Some(parent) = unseen.pop() {
        let Some(stat) = ProcessStat::read(parent) else { continue };
        for child in proc::children(parent, stat.threads) {
            if !stopped.iter().any(|(known, _)| *known == child) {
                let Ok(pidfd) = pidfd_open(child, PidfdFlags::empty()) else { continue };
                let is_child = |stat: &ProcessStat| stat.parent == parent.as_raw_pid();
                if !ProcessStat::read(child).as_ref().is_some_and(is_child) {
                    continue;
                }
                let _ = pidfd_send_signal(&pidfd, Signal::STOP);
                stopped.push((child, pidfd));
            }
            unseen.push(child);
        }
    }
    stopped.len() > before
}

/// Kills every process that shows one of the folders, or one in it, as its own, and says whether there was one.
fn kill_owners(leftovers: &Leftovers) -> bool {
    let is_owner = |pid: Pid| {
        let folder = |it: &[u8]| {
            let path = Path::new(OsStr::from_bytes(it));
            leftovers.folders.iter().any(|own| path.starts_with(own))
        };
        matches!(ProcessOrigin::read(pid), ProcessOrigin::Scratch(scratch) if folder(&scratch))
    };
    let mut found = false;
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for pid in numbers.filter_map(Pid::from_raw) {
        if is_owner(pid)
            && let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty())
            && is_owner(pid)
        {
            let _ = pidfd_send_signal(&pidfd, Signal::KILL);
            found = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let folder = || PathBuf::from(OsStr::from_bytes(b"/tmp/a\nb \xff"));
        let all = [
            GuardMessage::Started(1),
            GuardMessage::Ended(i32::MAX),
            GuardMessage::Made(folder()),
            GuardMessage::Removed(folder()),
            GuardMessage::Farewell,
        ];
        for news in all {
            let bytes = news.to_bytes();
            assert_eq!(bytes.iter().position(|&byte| byte == 0), Some(bytes.len() - 1));
            assert_eq!(GuardMessage::parse(&bytes[..bytes.len() - 1]), Some(news));
        }
        for nonsense in [&b""[..], b"x1", b"s", b"s1x"] {
            assert_eq!(GuardMessage::parse(nonsense), None);
        }
    }

    fn heard(bytes: &[u8]) -> Option<(Vec<RawPid>, Vec<PathBuf>)> {
        // One byte at a time: news may come in any pieces.
        let leftovers = listen(SingleByteReader(bytes))?;
        Some((leftovers.programs.into_keys().collect(), leftovers.folders.into_iter().collect()))
    }

    struct SingleByteReader<'a>(&'a [u8]);

    impl Read for SingleByteReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(1);
            (&mut self.0).read(&mut buffer[..length])
        }
    }

    #[test]
    fn what_is_left_is_what_was_not_taken_back() {
        let news = b"m/a\0s4000001\0m/b\0r/a\0s4000002\0e4000001\0nonsense\0m/torn";
        assert_eq!(heard(news), Some((vec![4_000_002], vec!["/b".into()])));
        assert_eq!(heard(b""), Some((vec![], vec![])));
        assert_eq!(heard(b"m/a\0s4000001\0f\0"), None);
    }
}
