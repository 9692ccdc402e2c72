//! The layers that a namespace of the keeper's own gives: processes, network, shared memory, host name.
//!
//! **Processes**: a namespace of process numbers, whose first process is the keeper. It promises that a bot sees and can signal nothing but what it has started itself, and the
//! keeper, which no signal from inside can end; and that all of it dies with the keeper, whoever
//! ends the keeper, and how. It promises nothing about what the machine's own user sees: from
//! outside these are ordinary processes.
//!
//! **Network**: a namespace of networks with nothing in it. It promises that a bot reaches no one by any
//! address, not even itself: the only interface, the loopback, is down. Sockets with a name outside of the
//! file system are its own as well. It does not promise anything about sockets in folders that are shown.
//!
//! **Shared memory**: a namespace of System V segments, semaphores and queues, and of POSIX queues. It
//! promises that a bot finds none of another process, and that its own are gone with the keeper. The keeper
//! serves many games; that a bot makes none in the first place is up to the filter of calls.
//!
//! **Host name**: every bot finds itself on a machine of the same name. It promises nothing else: the
//! machine can be told by its processors, memory and kernel.

use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;
use text::system_error;

/// The name of the machine.
const HOST: &[u8] = b"arbiter";

/// Gives this process a network of its own; where this fails, nothing has changed.
pub(super) fn own_network() -> Result<(), String> {
    unshare_namespace(CloneFlags::CLONE_NEWNET)
}

/// Gives this process shared memory of its own; where this fails, nothing has changed.
pub(super) fn own_ipc() -> Result<(), String> {
    unshare_namespace(CloneFlags::CLONE_NEWIPC)
}

/// Gives this process the host name that all bots find.
pub(super) fn own_host() -> Result<(), String> {
    unshare_namespace(CloneFlags::CLONE_NEWUTS)?;
    rustix::system::sethostname(HOST)
        .map_err(|error| format!("cannot set a name: {}", system_error(io::Error::from(error))))
}

fn unshare_namespace(namespace: CloneFlags) -> Result<(), String> {
    unshare(namespace).map_err(|error| {
        format!("cannot create a namespace: {}", system_error(io::Error::from(error)))
    })
}

/// The right to signal every process at once, which only the first process of a namespace of its
/// own has.
///
/// Elsewhere such a signal would reach every process of the machine.
#[derive(Debug)]
pub(crate) struct SignalAllToken(());

impl SignalAllToken {
    /// The namespace that this process is the first of.
    ///
    /// For a process that [`fork`](crate::fork::fork) has just made, after its parent has
    /// unshared the numbers of processes: a copy never has the number 1 in any other case.
    pub(super) fn of_first() -> Result<SignalAllToken, String> {
        require_first_process(Pid::this()).map(|()| SignalAllToken(()))
    }

    /// Sends a signal to every process of the namespace but this one, its first; there need be none.
    ///
    /// Fails if this is a copy of the first process, or if nothing may be signalled.
    pub(crate) fn signal_all(&self, signal: Signal) -> Result<(), String> {
        self.signal_all_as(Pid::this(), || signal::kill(Pid::from_raw(-1), signal))
    }

    fn signal_all_as(
        &self,
        this: Pid,
        send: impl FnOnce() -> Result<(), Errno>,
    ) -> Result<(), String> {
        require_first_process(this)?;
        match send() {
            Ok(()) | Err(Errno::ESRCH) => Ok(()),
            Err(error) => {
                Err(format!("cannot signal the processes of a bot: {}", system_error(error.desc())))
            }
        }
    }
}

/// Refuses every process but number 1.
fn require_first_process(this: Pid) -> Result<(), String> {
    if this.as_raw() == 1 {
        return Ok(());
    }
    Err(format!("process {this} is not the first of its namespace, so it must not signal all"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing here may send a real signal: it would reach every process of the machine.
    #[test]
    fn only_the_first_process_signals_all() {
        let namespace = SignalAllToken(());
        for number in [-1, 0, 2, 4711] {
            let refused = namespace
                .signal_all_as(Pid::from_raw(number), || panic!("process {number} sent a signal"));
            assert!(refused.is_err_and(|why| why.contains("not the first")), "{number}");
        }
        let mut sent = 0;
        let send = |answer: Result<(), Errno>| {
            sent += 1;
            namespace.signal_all_as(Pid::from_raw(1), || answer)
        };
        let answers = [Ok(()), Err(Errno::ESRCH), Err(Errno::EPERM)].map(send);
        assert_eq!(answers.map(|it| it.is_ok()), [true, true, false]);
        assert_eq!(sent, 3);
    }

    #[test]
    fn an_ordinary_process_gets_no_namespace() {
        assert_ne!(Pid::this().as_raw(), 1, "a test must not be process 1");
        assert!(SignalAllToken::of_first().is_err());
    }
}
