//! The limits that the kernel keeps, set from outside on a child that already runs.

use std::fs;
use std::io;
use std::thread;
use std::time::Duration;

use rules::text::system_error;
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use super::limits::Limits;
use super::start::StartError;

/// Why a program with the set-user-id bit of someone else is not run.
const FOREIGN_RIGHTS: &str =
    "it runs with another user's rights, expected a program without set-user-id";

/// Puts the limits on a child; what it starts from now on inherits them.
pub(super) fn limit(pid: Pid, limits: &Limits) -> Result<(), StartError> {
    let resources = [
        (Resource::Core, Some(0)),
        (Resource::Fsize, Some(limits.file_bytes)),
        (Resource::Nofile, Some(limits.open_files)),
        (Resource::As, limits.address_space),
        (Resource::Cpu, Some(cpu_seconds(limits))),
    ];
    for (resource, most) in resources {
        let Some(most) = most else { continue };
        let most = getrlimit(resource).maximum.map_or(most, |hard| most.min(hard));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        match prlimit(Some(pid), resource, limit) {
            // A program that takes on another user's rights is out of the referee's reach.
            Err(Errno::PERM) => return Err(StartError::Program(FOREIGN_RIGHTS.to_owned())),
            Err(error) => {
                let why = io::Error::from(error);
                let fault = format!("cannot limit a program's resources: {}", system_error(why));
                return Err(StartError::Referee(fault));
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

/// Makes the system take this process before the referee where memory runs out; what it starts
/// from now on inherits that.
pub(super) fn offer(pid: Pid) {
    // The system refuses it for a process that is gone, and for one that has closed itself.
    let _ = fs::write(format!("/proc/{pid}/oom_score_adj"), "1000");
}

/// After how many seconds of CPU time the kernel ends one process of a program.
///
/// The referee looks at the CPU time itself; this is for a process that it cannot see or for when
/// it is not there. If only wall time counts, no program can use up this much within it, on all
/// cores at once.
fn cpu_seconds(limits: &Limits) -> u64 {
    match limits.cpu {
        Some(limit) => whole_seconds(limit).saturating_add(1),
        None => {
            let cores = thread::available_parallelism().map_or(1, usize::from) as u64;
            limits.time.as_secs().saturating_add(2).saturating_mul(cores)
        }
    }
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().saturating_add(u64::from(time.subsec_nanos() > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_steps_in_after_the_referee() {
        let seconds = |ms| {
            let cpu = Some(Duration::from_millis(ms));
            cpu_seconds(&Limits { cpu, ..Limits::default() })
        };
        assert_eq!((seconds(0), seconds(1), seconds(1000), seconds(1001)), (1, 2, 2, 3));
        let endless = Limits { time: Duration::MAX, ..Limits::default() };
        assert_eq!(cpu_seconds(&endless), u64::MAX);
    }
}
