//! Medians, ratios and tables.

use std::fmt::Display;
use std::fs;
use std::thread;

/// Programs that take turns, and the time of each turn, in nanoseconds for one call.
#[derive(Debug)]
pub(crate) struct Turns {
    names: Vec<&'static str>,
    taken: Vec<Vec<f64>>,
}

/// The most that a call may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Most {
    /// This many times the floor.
    Times(f64),
    /// This many times the floor, and this many microseconds more than it.
    TimesAndAbove(f64, f64),
}

impl Turns {
    /// The others are compared with the first one.
    pub(crate) fn new(names: &[&'static str]) -> Turns {
        Turns { names: names.to_vec(), taken: Vec::new() }
    }

    /// One turn of each.
    pub(crate) fn add(&mut self, taken: &[f64]) {
        self.taken.push(taken.to_vec());
    }

    /// Adds a row for each: its median, and by how much it is above the first one.
    pub(crate) fn rows(&self, table: &mut Table, wanted: &[Option<Most>]) {
        for (place, name) in self.names.iter().enumerate() {
            let of = |figure: &dyn Fn(&Vec<f64>) -> f64| median(self.taken.iter().map(figure));
            let time = of(&|turn| turn[place]) / 1e3;
            let above = of(&|turn| turn[place] - turn[0]) / 1e3;
            let ratio = of(&|turn| turn[place] / turn[0]);
            let wanted = match wanted[place] {
                None => String::new(),
                Some(Most::Times(most)) => format!("at most {most:.2}"),
                Some(Most::TimesAndAbove(most, above)) => {
                    format!("at most {most:.2}, and {above:.0} µs above")
                }
            };
            table.add(&[name, &number(time), &number(above), &format!("{ratio:.2}"), &wanted]);
        }
    }

    /// A table for these rows.
    pub(crate) fn table() -> Table {
        Table::new(&["", "µs a call", "above the floor", "of the floor", "wanted"])
    }
}

/// A table in Markdown, which is printed when it is complete.
#[derive(Debug)]
pub(crate) struct Table(Vec<Vec<String>>);

impl Table {
    pub(crate) fn new(heading: &[&str]) -> Table {
        let rule = |place| if place == 0 { "---" } else { "---:" };
        Table(vec![
            heading.iter().map(|&title| title.to_owned()).collect(),
            (0..heading.len()).map(|place| rule(place).to_owned()).collect(),
        ])
    }

    pub(crate) fn add(&mut self, cells: &[&dyn Display]) {
        self.0.push(cells.iter().map(ToString::to_string).collect());
    }

    pub(crate) fn print(&self) {
        println!();
        self.0.iter().for_each(|cells| println!("| {} |", cells.join(" | ")));
    }
}

/// A number with three digits or more.
pub(crate) fn number(number: f64) -> String {
    match number.abs() {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// The median; of an even number of values the upper one.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The value below which this part of the values lies.
pub(crate) fn quantile(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let place = (part * values.len() as f64) as usize;
    values[place.min(values.len() - 1)]
}

/// Prints the processor and its load.
pub(crate) fn print_machine() {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": ")).map_or("unknown", |(_, model)| model);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let processors = thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{processors} processors ({model}), Linux {}, load {} in 1, 5 and 15 minutes",
        kernel.trim(),
        load.join(" ")
    );
}
