//! Programs that keep a processor busy.

#![cfg(target_os = "linux")]

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::bench::Bench;
use crate::running::Running;

/// Makes programs started from this thread run on one processor.
///
/// # Panics
///
/// Panics if the system refuses it.
pub fn share_one_processor() {
    let allowed = sched_getaffinity(None).expect("the processors of this thread");
    let first = (0..CpuSet::MAX_CPU).find(|number| allowed.is_set(*number));
    let mut one = CpuSet::new();
    one.set(first.expect("one of them"));
    sched_setaffinity(None, &one).expect("a part of what is allowed");
}

/// This number of programs that burn CPU time until they are dropped.
pub fn burning(bench: &Bench, count: usize) -> Vec<Running> {
    let start = |_| {
        let mut burner = bench.command(bench.program("faulty"));
        Running::start(burner.args(["burn-apart", bench.marker()]))
    };
    (0..count).map(start).collect()
}
