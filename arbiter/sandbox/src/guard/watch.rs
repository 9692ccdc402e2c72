//! The guard's own work: to listen, and to clean up when the other side is silent for good.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{
    Pid, PidfdFlags, RawPid, Signal, pidfd_open, set_parent_process_death_signal,
};
use signal_hook::consts::SIGHUP;

use super::{News, aftermath};

/// How much is read at once, in bytes.
const CHUNK: usize = 16 << 10;

/// What the referee would leave behind if it were gone now.
#[derive(Debug, Default)]
pub(super) struct Legacy {
    /// The programs that run, each with a descriptor that is it and no later process of its number;
    /// nothing if it was gone before it could be had.
    pub(super) programs: BTreeMap<RawPid, Option<OwnedFd>>,
    pub(super) folders: BTreeSet<PathBuf>,
}

/// Does a guard's work: listens to the referee until it says farewell or is gone, and in the
/// latter case kills its programs and removes their folders.
pub fn watch(news: impl Read) {
    outlive_the_referee();
    if let Some(legacy) = listen(news) {
        aftermath::clean_up(&legacy);
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
fn listen(mut news: impl Read) -> Option<Legacy> {
    let mut legacy = Legacy::default();
    let mut unread = Vec::new();
    let mut chunk = [0; CHUNK];
    loop {
        match news.read(&mut chunk) {
            Ok(0) => return Some(legacy),
            Ok(length) => unread.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Some(legacy),
        }
        let end = unread.iter().rposition(|&byte| byte == 0).map_or(0, |last| last + 1);
        for record in unread[..end].split(|&byte| byte == 0) {
            match News::parse(record) {
                Some(News::Farewell) => return None,
                Some(news) => legacy.learn(news),
                None => {}
            }
        }
        unread.drain(..end);
    }
}

impl Legacy {
    fn learn(&mut self, news: News) {
        match news {
            News::Started(number) => {
                let pidfd =
                    Pid::from_raw(number).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
                self.programs.insert(number, pidfd);
            }
            News::Ended(number) => drop(self.programs.remove(&number)),
            News::Made(folder) => drop(self.folders.insert(folder)),
            News::Removed(folder) => drop(self.folders.remove(&folder)),
            News::Farewell => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(bytes: &[u8]) -> Option<(Vec<RawPid>, Vec<PathBuf>)> {
        // One byte at a time: news may come in any pieces.
        let legacy = listen(OneByOne(bytes))?;
        Some((legacy.programs.into_keys().collect(), legacy.folders.into_iter().collect()))
    }

    struct OneByOne<'a>(&'a [u8]);

    impl Read for OneByOne<'_> {
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
