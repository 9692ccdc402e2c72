//! Tells which came first, the end of a program or the end of its time.
//!
//! The referee may look late: because others have the processors, or because it was stopped. But
//! the system knows: the kernel keeps a list of events in their order, and a timer is in it next to
//! the program.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;
use std::{io, thread};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

use super::clock::Clock;

/// The marks of the two in the list.
const EXIT: u64 = 0;
const DEADLINE: u64 = 1;

/// Watches for the end of one program, and of its time.
#[derive(Debug)]
pub(super) struct FinishWatch {
    list: OwnedFd,
    /// The list does not keep it open.
    _timer: OwnedFd,
    /// True if the time was up before the list was complete: then its order says nothing.
    is_late: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstEvent {
    Neither,
    /// The program has ended in time.
    Exit,
    /// The time was up before the program ended.
    Deadline,
    /// Both have come, and no one knows in which order.
    Unknown,
}

impl FinishWatch {
    /// Watches a program that may have ended already.
    pub(super) fn watch(pidfd: BorrowedFd<'_>, clock: &Clock) -> io::Result<FinishWatch> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        let list = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let watch = |fd: BorrowedFd<'_>, mark| {
            epoll::add(&list, fd, epoll::EventData::new_u64(mark), epoll::EventFlags::IN)
        };
        if let Some(deadline) = clock.deadline() {
            let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
            let at = Itimerspec { it_interval: zero, it_value: deadline };
            timerfd_settime(&timer, TimerfdTimerFlags::ABSTIME, &at)?;
        }
        watch(pidfd, EXIT)?;
        watch(timer.as_fd(), DEADLINE)?;
        Ok(FinishWatch { list, _timer: timer, is_late: clock.is_over() })
    }

    /// The descriptor to poll for one of them.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.list.as_fd()
    }

    pub(super) fn first(&self, clock: &Clock) -> io::Result<FirstEvent> {
        // This is asked first: a program that ends between the two questions may have ended in
        // time, and one that has not ended by the second one is late.
        let is_over = clock.is_over();
        let mut events = Vec::with_capacity(2);
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        epoll::wait(&self.list, spare_capacity(&mut events), Some(&now))?;
        let marks: Vec<u64> = events.iter().map(|event: &epoll::Event| event.data.u64()).collect();
        Ok(match marks.as_slice() {
            [] if is_over => FirstEvent::Deadline,
            [] => FirstEvent::Neither,
            [EXIT, ..] if self.is_late => FirstEvent::Unknown,
            [EXIT, ..] => FirstEvent::Exit,
            _ => FirstEvent::Deadline,
        })
    }
}

/// Time that a caller sleeps between looks if the system has no descriptor to wait with.
const PAUSE: Duration = Duration::from_millis(1);

/// Returns true if a process has ended, at the latest after this time.
pub(super) fn is_gone(pidfd: impl AsFd, time: Duration) -> bool {
    let clock = Clock::start(time);
    loop {
        let mut fds = [PollFd::new(&pidfd, PollFlags::IN)];
        let polled = poll(&mut fds, Timespec::try_from(clock.time_left()).ok().as_ref());
        if !fds[0].revents().is_empty() {
            return true;
        }
        // An interruption is no end.
        if clock.is_over() || polled.is_err_and(|error| error != rustix::io::Errno::INTR) {
            return false;
        }
    }
}

/// Waits until an unreaped child has ended, at most for this time.
pub(super) fn wait_for(child: Pid, time: Duration) {
    match pidfd_open(child, PidfdFlags::empty()) {
        Ok(pidfd) => drop(is_gone(pidfd, time)),
        Err(_) => thread::sleep(time.min(PAUSE)),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};

    use super::*;

    /// A program that ends as soon as its standard input does.
    fn cat() -> (Child, OwnedFd) {
        let child = Command::new("/bin/cat").stdin(Stdio::piped()).spawn().expect("it is there");
        let pidfd = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).expect("it runs");
        (child, pidfd)
    }

    fn end(child: &mut Child) {
        drop(child.stdin.take());
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), options).expect("it is ours");
    }

    /// Waits until the time is up, without looking at the list.
    fn let_time_pass(clock: &Clock) {
        while !clock.is_over() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until one of the two stands in the list, and leaves it there.
    fn wait_for_one(finish: &FinishWatch) {
        let mut fds = [PollFd::from_borrowed_fd(finish.fd(), PollFlags::IN)];
        assert_eq!(poll(&mut fds, None).expect("it can be polled"), 1);
    }

    fn reap(mut child: Child) {
        child.kill().and_then(|()| child.wait()).expect("it is ours");
    }

    #[test]
    fn the_order_is_known_however_late_the_look() {
        let (mut child, pidfd) = cat();
        let clock = Clock::start(Duration::from_secs(1));
        let finish = FinishWatch::watch(pidfd.as_fd(), &clock).expect("descriptors");
        if clock.is_over() {
            println!("skipped: this machine is too busy");
            return reap(child);
        }
        end(&mut child);
        let was_in_time = !clock.is_over();
        let_time_pass(&clock);
        wait_for_one(&finish);
        let first = finish.first(&clock).expect("it can be read");
        assert!(first == FirstEvent::Exit || !was_in_time, "{first:?}");
        // It stays so.
        assert_eq!(finish.first(&clock).expect("it can be read"), first);
        reap(child);

        let (mut child, pidfd) = cat();
        let clock = Clock::start(Duration::from_millis(20));
        let finish = FinishWatch::watch(pidfd.as_fd(), &clock).expect("descriptors");
        // Until the timer stands in the list: the clock alone may be ahead of it.
        wait_for_one(&finish);
        end(&mut child);
        let first = finish.first(&clock).expect("it can be read");
        // If the list was complete too late, nothing is known of what came before.
        assert!(first == FirstEvent::Deadline || finish.is_late, "{first:?}");
        reap(child);
    }

    /// The timer may be a moment behind the clock: here it never comes.
    #[test]
    fn what_has_not_ended_when_its_time_is_seen_to_be_over_is_late() {
        let (mut child, pidfd) = cat();
        let finish =
            FinishWatch::watch(pidfd.as_fd(), &Clock::start(Duration::MAX)).expect("descriptors");
        let over = Clock::start(Duration::ZERO);
        assert_eq!(finish.first(&over).expect("it can be read"), FirstEvent::Deadline);
        // An end before the timer's is in time, though the clock says that it is over.
        end(&mut child);
        assert_eq!(finish.first(&over).expect("it can be read"), FirstEvent::Exit);
        reap(child);
    }

    #[test]
    fn what_came_before_the_list_is_not_known() {
        let (mut child, pidfd) = cat();
        let clock = Clock::start(Duration::ZERO);
        end(&mut child);
        let finish = FinishWatch::watch(pidfd.as_fd(), &clock).expect("descriptors");
        assert_eq!(finish.first(&clock).expect("it can be read"), FirstEvent::Unknown);
        reap(child);
    }

    #[test]
    fn a_program_without_end_and_without_limit_is_waited_for() {
        let (mut child, pidfd) = cat();
        let clock = Clock::start(Duration::MAX);
        let finish = FinishWatch::watch(pidfd.as_fd(), &clock).expect("descriptors");
        assert_eq!(finish.first(&clock).expect("it can be read"), FirstEvent::Neither);
        end(&mut child);
        assert_eq!(finish.first(&clock).expect("it can be read"), FirstEvent::Exit);
        reap(child);
    }
}
