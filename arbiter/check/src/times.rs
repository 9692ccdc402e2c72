//! Times of a bot: of its start, and of answers by programs that live for one move or for a game.

use ::bot::manifest::Mode;
use serde::Serialize;

/// Times of a start and of answers, in milliseconds, each the median of a few.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StartTimes {
    /// The bot's own mode.
    pub mode: Mode,
    /// A start without a request; nothing if the program did not end by itself.
    pub start_ms: Option<f64>,
    /// An answer of a program that is started for it.
    pub call_ms: Option<f64>,
    /// An answer, after the first, of a program that lives on; nothing if it does not answer twice.
    pub resident_ms: Option<f64>,
    /// The attempt to ask it in the other mode.
    #[serde(skip)]
    pub other_mode: OtherMode,
}

/// The attempt to ask a bot in the other mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherMode {
    /// It was made, and may have failed.
    Tried,
    /// The dialect of the bot has no other mode.
    Missing,
}

impl StartTimes {
    pub(crate) fn lines(&self) -> Vec<String> {
        match self.mode {
            Mode::PerMove => self.per_move(),
            Mode::Resident => self.resident(),
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
            (None, Some(start)) if start > call / 2.0 && self.other_mode == OtherMode::Tried => {
                lines.push(
                    "a resident bot must keep answering; this one answered only once".to_owned(),
                )
            }
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

    fn lines(mode: Mode, [start_ms, call_ms, resident_ms]: [Option<f64>; 3]) -> Vec<String> {
        let other_mode = OtherMode::Tried;
        StartTimes { mode, start_ms, call_ms, resident_ms, other_mode }.lines()
    }

    #[test]
    fn only_what_was_measured_is_told() {
        let per_move = |times| lines(Mode::PerMove, times);
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
        let resident = |times| lines(Mode::Resident, times);
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
