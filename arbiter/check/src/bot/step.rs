//! The steps of the check of a bot.

use std::fmt;

use ::bot::manifest::MANIFEST;
use rules::{EscapedBytes, Measurements};
use sandbox::{LeftFiles, Limits};
use serde::{Serialize, Serializer};
use text::counted;

use crate::step::{self, Evidence, StartupTimes, Status, shown_time};

/// Subject of a step.
///
/// Reports, JSON and the records of submissions hold only its text, which [`from_text`](StepName::from_text)
/// reads back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepName {
    /// The bot's build.
    Builds,
    /// A trial start.
    Starts,
    /// The games that its manifest lists.
    Manifest,
    /// The start of its interpreter.
    Interpreter,
    /// A sample request, or a comparison of answers; the text begins with the name of the game or with `puzzle`.
    Request(String),
    /// Whole games of a kind, by its name.
    Games(String),
    /// Positions that it was asked for.
    Puzzles,
    /// Times of its answers.
    Time,
    /// Its output to standard error.
    StandardError,
    /// Things that it left behind.
    LeftBehind,
}

const GAMES: &str = " games";

impl StepName {
    const FIXED: [StepName; 8] = [
        StepName::Builds,
        StepName::Starts,
        StepName::Manifest,
        StepName::Interpreter,
        StepName::Puzzles,
        StepName::Time,
        StepName::StandardError,
        StepName::LeftBehind,
    ];

    pub fn from_text(text: &str) -> StepName {
        let fixed = StepName::FIXED.into_iter().find(|step| step.to_string() == text);
        fixed.unwrap_or_else(|| match text.strip_suffix(GAMES) {
            Some(game) => StepName::Games(game.to_owned()),
            None => StepName::Request(text.to_owned()),
        })
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepName::Builds => f.pad("builds"),
            StepName::Starts => f.pad("starts"),
            StepName::Manifest => f.pad(MANIFEST),
            StepName::Interpreter => f.pad("interpreter"),
            StepName::Request(text) => f.pad(text),
            StepName::Games(game) => f.pad(&format!("{game}{GAMES}")),
            StepName::Puzzles => f.pad("puzzles"),
            StepName::Time => f.pad("time"),
            StepName::StandardError => f.pad("standard error"),
            StepName::LeftBehind => f.pad("left behind"),
        }
    }
}

impl Serialize for StepName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<&StepName> for StepName {
    fn from(name: &StepName) -> StepName {
        name.clone()
    }
}

pub type Step = step::Step<StepName>;

impl Step {
    /// Makes a step that the author should look at.
    pub fn warning(name: impl Into<StepName>, note: impl Into<String>) -> Step {
        Step::new(name, Status::Warning, note)
    }

    pub fn failed(
        name: impl Into<StepName>,
        note: impl Into<String>,
        evidence: Option<Evidence>,
    ) -> Step {
        Step { evidence, ..Step::new(name, Status::Failed, note) }
    }
}

/// The share of the time limit from which an answer is reported as slow.
const SLOW: f64 = 0.8;

/// Length of the quoted start of standard error, in bytes.
const SAID: usize = 60;

#[derive(Debug, Default)]
pub(super) struct AnswerStatistics {
    /// Times of all answers, in milliseconds.
    times: Vec<f64>,
    /// The longest time, and its step.
    slowest: Option<(f64, String)>,
    /// Number of answers with output to standard error, and the first such output.
    said: usize,
    first_words: Vec<u8>,
    most_words: usize,
    dropped: u64,
    /// Number of processes that had left the group and were killed.
    escaped: u64,
    /// The most files found in a scratch folder, and the name of one.
    files: u64,
    a_file: String,
    unremoved: Vec<String>,
    start: Option<StartupTimes>,
}

impl AnswerStatistics {
    /// Adds an answer, and the contents of the scratch folder after it.
    pub(super) fn add(&mut self, step: &str, measured: &Measurements, left: &LeftFiles) {
        let Measurements { ms, stderr, stderr_dropped, escaped, .. } = measured;
        let words = stderr.bytes();
        self.times.push(*ms);
        if self.slowest.as_ref().is_none_or(|(slowest, _)| ms > slowest) {
            self.slowest = Some((*ms, step.to_owned()));
        }
        if !words.is_empty() {
            if self.said == 0 {
                self.first_words = words.iter().copied().take(SAID).collect();
            }
            self.said += 1;
            self.most_words = self.most_words.max(words.len());
        }
        self.dropped += stderr_dropped;
        self.escaped += u64::from(*escaped);
        if left.files > self.files {
            self.files = left.files;
            self.a_file = EscapedBytes(left.name.as_encoded_bytes().to_vec()).to_string();
        }
    }

    pub(super) fn unremoved(&mut self, folders: Vec<String>) {
        self.unremoved.extend(folders);
    }

    pub(super) fn start(&mut self, times: StartupTimes) {
        self.start = Some(times);
    }

    /// Returns the steps that report the observations.
    pub(super) fn steps(&self, limits: &Limits) -> [Step; 3] {
        [self.time(limits), self.words(limits), self.left_files_step()]
    }

    fn time(&self, limits: &Limits) -> Step {
        let mut times = self.times.clone();
        times.sort_unstable_by(f64::total_cmp);
        let (Some(best), Some(median), Some((worst, step))) =
            (times.first(), times.get(times.len() / 2), &self.slowest)
        else {
            return Step::skipped(StepName::Time, "no requests sent");
        };
        let limit = limits.time.as_secs_f64() * 1000.0;
        let note = format!(
            "min {}, median {}, max {} ({step}), limit {}; including program start",
            shown_time(*best),
            shown_time(*median),
            shown_time(*worst),
            shown_time(limit),
        );
        let step = if *worst > limit * SLOW {
            Step::warning(StepName::Time, format!("near the limit: {note}"))
        } else {
            Step::passed(StepName::Time, note)
        };
        Step { start: self.start, ..step }
    }

    fn words(&self, limits: &Limits) -> Step {
        if self.said == 0 {
            return Step::passed(StepName::StandardError, "nothing");
        }
        let (said, asked) = (self.said, counted(self.times.len(), "answer", "answers"));
        let most = counted(self.most_words, "byte", "bytes");
        let first = EscapedBytes(self.first_words.clone());
        let note = format!("in {said} of {asked}, at most {most}, first `{first}`");
        if self.dropped > 0 {
            let (kept, dropped) = (limits.stderr_bytes, self.dropped);
            let cut = format!("{kept} bytes of each answer are kept, {dropped} were dropped");
            return Step::warning(StepName::StandardError, format!("{cut}; {note}"));
        }
        Step::passed(StepName::StandardError, note)
    }

    fn left_files_step(&self) -> Step {
        let files = match self.files {
            0 => "nothing".to_owned(),
            1 => format!("a file in its scratch folder: {}", self.a_file),
            count => format!("{count} files in its scratch folder, one is {}", self.a_file),
        };
        let processes = match self.escaped {
            0 => None,
            1 => Some("a process, which was killed".to_owned()),
            count => Some(format!("{count} processes, which were killed")),
        };
        let alarming: Vec<String> =
            processes.into_iter().chain(self.unremoved.iter().cloned()).collect();
        if alarming.is_empty() {
            return Step::passed(StepName::LeftBehind, files);
        }
        Step::warning(StepName::LeftBehind, format!("{}; {files}", alarming.join("; ")))
    }
}
