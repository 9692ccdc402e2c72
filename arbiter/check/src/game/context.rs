//! What the steps of the check of a game share.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{GameFiles, NotGame};
use rules::Seed;
use rules::custom::instance::Description;
use rules::custom::{Fault, RulesSource};
use sandbox::Supervisor;
use text::{excerpt, printable};

use super::run::{Instance, Problem, StepName};

/// The random games of a quick check.
pub(super) const QUICK: u64 = 60;

/// The rules under check, started and described, and how they are checked.
pub(super) struct Check<'a> {
    pub(super) files: &'a GameFiles,
    pub(super) supervisor: Supervisor,
    pub(super) source: Arc<dyn RulesSource>,
    pub(super) about: Description,
    /// The options in their one spelling.
    pub(super) options: String,
    pub(super) seats: usize,
    /// Number of random games.
    pub(super) games: u64,
    pub(super) seed: Seed,
    pub(super) pace: StepClock,
}

/// Why there is nothing to check.
pub(super) enum NotBegun {
    /// The user asks for what the game does not have; one line.
    Usage(String),
    /// The rules do not start.
    Failed(Problem),
}

impl Check<'_> {
    /// A bound of a quick check, in proportion to the number of games.
    pub(super) fn scaled(&self, quick: u64) -> u64 {
        quick.saturating_mul(self.games.max(1)) / QUICK
    }

    /// Starts another instance.
    pub(super) fn start(&self) -> Result<Instance, Problem> {
        Instance::start(&self.source, self.seats)
    }
}

/// Starts rules, and asks them for their description.
pub(super) fn described(source: &Arc<dyn RulesSource>) -> Result<Description, Problem> {
    let mut instance = Instance::start(source, 2)?;
    let text = instance.answer("about")?;
    Description::read(&text)
        .map_err(|broken| instance.problem(Fault::broken("about", &text, broken)))
}

impl From<NotGame> for NotBegun {
    fn from(error: NotGame) -> NotBegun {
        match error {
            // It is there, and is no module of rules.
            NotGame::Module { .. } => NotBegun::Failed(Problem::new(error)),
            _ => NotBegun::Usage(error.to_string()),
        }
    }
}

/// A part of an answer or a call in a line of a message.
pub(super) fn excerpt(text: &str) -> String {
    excerpt::line(&printable(text))
}

/// The latest end of each step of a quick check, in milliseconds from its beginning: what a step leaves over is for
/// those after it. Together with slow last calls this is below 20 seconds.
const ENDS: [(StepName, u64); 6] = [
    (StepName::Protocol, 4_000),
    (StepName::SameText, 7_000),
    (StepName::Refusals, 9_500),
    (StepName::Chances, 11_500),
    (StepName::Leaks, 16_000),
    (StepName::Views, 17_500),
];

/// Says when a step must end.
#[derive(Debug)]
pub(super) struct StepClock {
    /// The beginning of a check whose time is bounded.
    began: Option<Instant>,
    /// The steps that were cut short.
    cut: RefCell<Vec<StepName>>,
}

impl StepClock {
    /// A check of seconds.
    pub(super) fn quick() -> StepClock {
        StepClock { began: Some(Instant::now()), ..StepClock::unbounded() }
    }

    /// A check that always does the same, whatever its time.
    pub(super) fn unbounded() -> StepClock {
        StepClock { began: None, cut: RefCell::default() }
    }

    /// Returns true if a step that has more to do must end, and keeps that it was cut short.
    pub(super) fn cuts(&self, step: StepName) -> bool {
        let end = ENDS.into_iter().find(|(name, _)| *name == step);
        let is_over = |began: Instant| {
            end.is_some_and(|(_, end)| began.elapsed() >= Duration::from_millis(end))
        };
        let is_cut = self.began.is_some_and(is_over);
        let mut cut = self.cut.borrow_mut();
        if is_cut && !cut.contains(&step) {
            cut.push(step);
        }
        is_cut
    }

    /// The steps that were cut short.
    pub(super) fn cut(&self) -> Vec<StepName> {
        self.cut.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_quick_check_is_cut_and_says_so() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(60));
        let quick = StepClock { began: long_ago, ..StepClock::unbounded() };
        assert!(long_ago.is_none() || quick.cuts(StepName::Leaks) && quick.cuts(StepName::Leaks));
        assert!(long_ago.is_none() || quick.cut() == [StepName::Leaks]);
        assert!(!StepClock::quick().cuts(StepName::Views));
        let unbounded = StepClock::unbounded();
        assert!(!unbounded.cuts(StepName::Leaks) && unbounded.cut().is_empty());
    }

    #[test]
    fn each_step_has_time_after_the_one_before() {
        assert!(ENDS.windows(2).all(|pair| pair[0].1 < pair[1].1));
        assert!(ENDS.iter().all(|(_, end)| *end < 20_000));
    }
}
