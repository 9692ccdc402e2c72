//! Medians and ratios, and how they are printed.

use std::fs;
use std::thread;

/// What takes turns, and how long a turn of each took, in nanoseconds for one call.
#[derive(Debug)]
pub(crate) struct Turns<const N: usize> {
    names: [&'static str; N],
    taken: Vec<[f64; N]>,
}

impl<const N: usize> Turns<N> {
    /// The first one is what the others are compared with.
    pub(crate) fn new(names: [&'static str; N]) -> Turns<N> {
        Turns { names, taken: Vec::new() }
    }

    /// One turn of each.
    pub(crate) fn add(&mut self, taken: [f64; N]) {
        self.taken.push(taken);
    }

    /// Prints the median of each, and its ratio to the first one.
    pub(crate) fn print(&self, targets: [Option<f64>; N]) {
        for (place, name) in self.names.iter().enumerate() {
            let time = median(self.taken.iter().map(|turn| turn[place]));
            let ratio = median(self.taken.iter().map(|turn| turn[place] / turn[0]));
            let target = targets[place].map_or(String::new(), |most| format!(", at most {most}"));
            println!("  {name:<44} {:>9.1} µs  {ratio:.2} of the floor{target}", time / 1e3);
        }
    }
}

/// The median; of an even number of values the upper one.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints what the machine is and how busy it is.
pub(crate) fn say_machine() {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    println!("{processors} processors, load {} in 1, 5 and 15 minutes", load.join(" "));
}
