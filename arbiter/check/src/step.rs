//! A step of a check, and its result.

use std::borrow::Cow;
use std::path::Path;

use ::bot::manifest::ProgramMode;
use contest::tournament::plan::GamePace;
use rules::EscapedBytes;
use serde::Serialize;
use text::shell::for_author;
use text::terminal::Colours;

/// One step of a check, by its name, and its result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step<N> {
    pub name: N,
    pub status: Status,
    /// Findings in one line; may be empty if all is well.
    pub note: String,
    /// Time of the program in milliseconds, if it was asked once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// Times of a start, in the step `time` of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<StartupTimes>,
    /// Pace of its games, in the step of the games of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<GamePace>,
    /// Evidence of a bot's fault, if anything was printed or asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The calls that show a fault of rules, of one game or of two that are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallList>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Passed,
    /// Allowed, but worth the author's attention.
    Warning,
    Failed,
    /// Not tried, since an earlier step failed.
    Skipped,
}

impl Status {
    /// Its word at the beginning of a line, in a column of seven characters.
    pub fn word(self, colours: Colours) -> String {
        let (word, colour) = match self {
            Status::Passed => ("ok", "32"),
            Status::Warning => ("warning", "33"),
            Status::Failed => ("FAILED", "31"),
            Status::Skipped => ("skipped", "2"),
        };
        match colours {
            Colours::Ansi => format!("\x1b[{colour}m{word:7}\x1b[0m"),
            Colours::Plain => format!("{word:7}"),
        }
    }
}

/// A request and the reply to it that show a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    pub expected: String,
    /// The request; in the classic dialect, the contents of the file and the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The file after an answer in the classic dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<EscapedBytes>,
    /// Output of the program, from its beginning.
    pub stdout: EscapedBytes,
    /// Its standard error, from its beginning.
    pub stderr: EscapedBytes,
    /// Advice, if the fault looks like a common one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Cow<'static, str>>,
}

/// The calls of a game, to be typed or compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallList {
    pub title: String,
    /// A call a line.
    pub lines: Vec<String>,
}

impl<N> Step<N> {
    pub(crate) fn passed(name: impl Into<N>, note: impl Into<String>) -> Step<N> {
        Step::new(name, Status::Passed, note)
    }

    /// Makes a step that was not tried.
    pub fn skipped(name: impl Into<N>, note: impl Into<String>) -> Step<N> {
        Step::new(name, Status::Skipped, note)
    }

    /// Makes a step without evidence.
    pub(crate) fn new(name: impl Into<N>, status: Status, note: impl Into<String>) -> Step<N> {
        let (name, note) = (name.into(), note.into());
        let (ms, start, pace, evidence, calls) = (None, None, None, None, Vec::new());
        Step { name, status, note, ms, start, pace, evidence, calls }
    }

    /// Adds the time of the step's only answer, in milliseconds.
    pub(crate) fn taking(self, ms: f64) -> Step<N> {
        Step { ms: Some(ms), ..self }
    }

    /// Adds the pace of the step's games.
    pub(crate) fn at_pace(self, pace: GamePace) -> Step<N> {
        Step { pace: Some(pace), ..self }
    }

    /// Leaves out the paths of this machine, for the author of the bot in this folder. What a bot prints for a request
    /// is its own, and stays as it is.
    pub(crate) fn for_author(self, folder: &Path) -> Step<N> {
        let stream = |EscapedBytes(bytes)| {
            EscapedBytes(for_author(&String::from_utf8_lossy(&bytes), folder).into_bytes())
        };
        let evidence = self.evidence.map(|evidence| Evidence {
            stdout: match evidence.request {
                Some(_) => evidence.stdout,
                None => stream(evidence.stdout),
            },
            stderr: stream(evidence.stderr),
            hint: evidence.hint.map(|hint| Cow::Owned(for_author(&hint, folder))),
            ..evidence
        });
        Step { note: for_author(&self.note, folder), evidence, ..self }
    }
}

/// Times of a start and of answers, in milliseconds, each the median of a few.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StartupTimes {
    /// The bot's own mode.
    pub mode: ProgramMode,
    /// A start without a request; nothing if the program did not end by itself.
    pub start_ms: Option<f64>,
    /// An answer of a program that is started for it.
    pub call_ms: Option<f64>,
    /// An answer, after the first, of a program that lives on; nothing if it does not answer twice.
    pub resident_ms: Option<f64>,
    /// True if it was asked in the other mode, which may have failed; not every dialect has one.
    #[serde(skip)]
    pub tried_other_mode: bool,
}

impl StartupTimes {
    pub(crate) fn lines(&self) -> Vec<String> {
        match self.mode {
            ProgramMode::PerMove => self.per_move(),
            ProgramMode::Resident | ProgramMode::Remote => self.resident(),
        }
    }

    fn per_move(&self) -> Vec<String> {
        let Some(call) = self.call_ms else { return Vec::new() };
        let mut lines = Vec::new();
        if let Some(start) = self.start_ms {
            let parts = match call - start {
                thought if thought > 0.0 => {
                    let (start, thought) = (shown_time(start), shown_time(thought));
                    format!("{start} startup, {thought} thinking")
                }
                _ => "all of it startup".to_owned(),
            };
            lines.push(format!("{} per move: {parts}", shown_time(call)));
        }
        match (self.resident_ms, self.start_ms) {
            (Some(resident), _) if resident < call / 2.0 => lines.push(format!(
                "{} per move if resident: mode = \"resident\" or resident:COMMAND",
                shown_time(resident)
            )),
            (None, Some(start)) if start > call / 2.0 && self.tried_other_mode => lines
                .push("a resident bot must keep answering; this one answered only once".to_owned()),
            _ => {}
        }
        lines
    }

    fn resident(&self) -> Vec<String> {
        let Some(resident) = self.resident_ms else { return Vec::new() };
        let own = format!("{} per move", shown_time(resident));
        let once = self.start_ms.map(|start| format!("{} startup per game", shown_time(start)));
        let mut lines: Vec<String> =
            once.into_iter().map(|once| format!("{own}, {once}")).collect();
        if let Some(call) = self.call_ms.filter(|call| *call > resident) {
            let times = call / resident;
            let call = shown_time(call);
            lines.push(format!("{call} per move without resident mode, {times:.0} times as long"));
        }
        lines
    }
}

/// Formats a time, with one decimal.
pub(crate) fn shown_time(ms: f64) -> String {
    if ms < 1000.0 { format!("{ms:.1} ms") } else { format!("{:.1} s", ms / 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mode: ProgramMode, [start_ms, call_ms, resident_ms]: [Option<f64>; 3]) -> Vec<String> {
        StartupTimes { mode, start_ms, call_ms, resident_ms, tried_other_mode: true }.lines()
    }

    #[test]
    fn only_what_was_measured_is_told() {
        let per_move = |times| lines(ProgramMode::PerMove, times);
        assert_eq!(
            per_move([Some(11.0), Some(12.5), Some(0.2)]),
            [
                "12.5 ms per move: 11.0 ms startup, 1.5 ms thinking",
                "0.2 ms per move if resident: mode = \"resident\" or resident:COMMAND",
            ]
        );
        assert_eq!(
            per_move([Some(11.0), Some(10.5), None]),
            [
                "10.5 ms per move: all of it startup",
                "a resident bot must keep answering; this one answered only once",
            ]
        );
        let thinker = per_move([Some(11.0), Some(800.0), Some(790.0)]);
        assert_eq!(thinker, ["800.0 ms per move: 11.0 ms startup, 789.0 ms thinking"]);
        assert_eq!(per_move([None, Some(12.5), None]), [""; 0]);
        let resident = |times| lines(ProgramMode::Resident, times);
        assert_eq!(
            resident([Some(11.0), Some(12.5), Some(0.25)]),
            [
                "0.2 ms per move, 11.0 ms startup per game",
                "12.5 ms per move without resident mode, 50 times as long",
            ]
        );
        assert_eq!(resident([None, None, Some(0.25)]), [""; 0]);
    }
}
