//! What a check notices by the way: times, words to standard error, what is left behind.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rules::Escaped;

use crate::check::Step;
use crate::process::{Limits, Observed};

/// From which share of the time limit on an answer is told to be slow, in percent.
const SLOW: u128 = 80;

/// How much of the first words to standard error is told, in bytes.
const SAID: usize = 60;

/// Files of a scratch folder are counted up to here.
const COUNTED: usize = 1000;

/// What all answers of a bot together have shown.
#[derive(Debug, Default)]
pub(super) struct Noticed {
    /// The times of all answers.
    times: Vec<Duration>,
    /// The longest of them, and the step in which it was.
    slowest: Option<(Duration, String)>,
    /// How many answers came with words to standard error, and the first of these words.
    said: usize,
    first_words: Vec<u8>,
    most_words: usize,
    dropped: u64,
    /// How many processes had to be ended that had left the group.
    escaped: u64,
    /// The most files in a scratch folder, and the name of one.
    files: usize,
    a_file: String,
}

impl Noticed {
    /// Adds an answer, and what the scratch folder holds after it.
    pub(super) fn add(&mut self, step: &str, observed: &Observed, scratch: &Path) {
        self.times.push(observed.wall);
        if self.slowest.as_ref().is_none_or(|(time, _)| observed.wall > *time) {
            self.slowest = Some((observed.wall, step.to_owned()));
        }
        if !observed.stderr.is_empty() {
            if self.said == 0 {
                self.first_words = observed.stderr.iter().copied().take(SAID).collect();
            }
            self.said += 1;
            self.most_words = self.most_words.max(observed.stderr.len());
        }
        self.dropped += observed.stderr_dropped;
        self.escaped += u64::from(observed.escaped);
        let mut files = fs::read_dir(scratch).into_iter().flatten().flatten().take(COUNTED);
        if let Some(first) = files.next() {
            let count = 1 + files.count();
            if count > self.files {
                self.files = count;
                let name = first.file_name();
                self.a_file = Escaped(name.as_encoded_bytes().to_vec()).to_string();
            }
        }
    }

    /// What there is to say of it.
    pub(super) fn steps(&self, limits: &Limits) -> [Step; 3] {
        [self.time(limits), self.words(limits), self.left()]
    }

    fn time(&self, limits: &Limits) -> Step {
        let mut times = self.times.clone();
        times.sort_unstable();
        let (Some(best), Some(median), Some((worst, step))) =
            (times.first(), times.get(times.len() / 2), &self.slowest)
        else {
            return Step::skipped("time", "the bot was never asked");
        };
        let limit = limits.time;
        let note = format!(
            "{} at best, its start included, {} in the median, {} at worst ({step}), limit {}",
            told(*best),
            told(*median),
            told(*worst),
            told(limit),
        );
        if worst.as_millis() * 100 > limit.as_millis() * SLOW {
            Step::warning("time", format!("near the limit: {note}"))
        } else {
            Step::passed("time", note)
        }
    }

    fn words(&self, limits: &Limits) -> Step {
        if self.said == 0 {
            return Step::passed("standard error", "nothing");
        }
        let (said, asked, most) = (self.said, self.times.len(), self.most_words);
        let first = Escaped(self.first_words.clone());
        let note = format!("in {said} of {asked} answers, at most {most} bytes, first `{first}`");
        if self.dropped > 0 {
            let (kept, dropped) = (limits.stderr_bytes, self.dropped);
            let cut = format!("of each answer {kept} bytes are kept, {dropped} were dropped");
            return Step::warning("standard error", format!("{cut}; {note}"));
        }
        Step::passed("standard error", note)
    }

    fn left(&self) -> Step {
        let files = match self.files {
            0 => "nothing".to_owned(),
            1 => format!("a file in its scratch folder: {}", self.a_file),
            count => format!("{count} files in its scratch folder, one is {}", self.a_file),
        };
        match self.escaped {
            0 => Step::passed("left behind", files),
            1 => Step::warning("left behind", format!("a process, which was killed; {files}")),
            count => {
                Step::warning("left behind", format!("{count} processes, all killed; {files}"))
            }
        }
    }
}

/// A time with one decimal.
fn told(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{:.1} ms", time.as_secs_f64() * 1000.0),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
