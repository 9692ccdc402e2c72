//! What the steps of the check of a game share.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{GameFiles, GameOpenError};
use rules::Seed;
use rules::custom::instance::Description;
use rules::custom::{RulesFault, RulesSource};
use sandbox::Supervisor;
use text::{excerpt, printable};

use super::run::{Instance, Problem, RulesStepName};

/// The random games of a quick check.
pub(super) const QUICK: u64 = 60;

/// The rules under check, started and described, and how they are checked.
pub(super) struct RulesCheck<'a> {
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
    pub(super) pace: StepDeadlines,
}

/// Why there is nothing to check.
pub(super) enum CheckStartError {
    /// The user asks for what the game does not have; one line.
    Usage(String),
    /// The rules do not start.
    Failed(Problem),
}

impl RulesCheck<'_> {
    /// A bound of a quick check, in proportion to the number of games.
    pub(super) fn scaled(&self, quick: u64) -> u64 {
        quick.saturating_mul(self.games.max(1)) / QUICK
    }

    pub(super) fn start(&self) -> Result<Instance, Problem> {
        Instance::start(&self.source, self.seats)
    }
}

pub(super) fn described(source: &Arc<dyn RulesSource>) -> Result<Description, Problem> {
    let mut instance = Instance::start(source, 2)?;
    let text = instance.answer("about")?;
    Description::read(&text)
        .map_err(|broken| instance.problem(RulesFault::broken("about", &text, broken)))
}

impl From<GameOpenError> for CheckStartError {
    fn from(error: GameOpenError) -> CheckStartError {
        match error {
            // It is there, and is no module of rules.
            GameOpenError::Module { .. } => CheckStartError::Failed(Problem::new(error)),
            _ => CheckStartError::Usage(error.to_string()),
        }
    }
}

/// A part of an answer or a call in a line of a message.
pub(super) fn excerpt(text: &str) -> String {
    excerpt::line(&printable(text))
}

/// The latest end of each step of a quick check, in milliseconds from its beginning: what a step leaves over is for
/// those after it. Together with slow last calls this is below 20 seconds.
const ENDS: [(RulesStepName, u64); 6] = [
    (RulesStepName::Protocol, 4_000),
    (RulesStepName::SameText, 7_000),
    (RulesStepName::Refusals, 9_500),
    (RulesStepName::Chances, 11_500),
    (RulesStepName::Leaks, 16_000),
    (RulesStepName::Views, 17_500),
];

/// Says when a step must end.
#[derive(Debug)]
pub(super) struct StepDeadlines {
    /// The beginning of a check whose time is bounded.
    began: Option<Instant>,
    /// The steps that were cut short.
    cut: RefCell<Vec<RulesStepName>>,
}

impl StepDeadlines {
    /// A check of seconds.
    pub(super) fn quick() -> StepDeadlines {
        StepDeadlines { began: Some(Instant::now()), ..StepDeadlines::unbounded() }
    }

    /// A check that always does the same, whatever its time.
    pub(super) fn unbounded() -> StepDeadlines {
        StepDeadlines { began: None, cut: RefCell::default() }
    }

    /// Returns true if a step that has more to do must end, and keeps that it was cut short.
    pub(super) fn cuts(&self, step: RulesStepName) -> bool {
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
    pub(super) fn cut(&self) -> Vec<RulesStepName> {
        self.cut.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_quick_check_is_cut_and_says_so() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(60));
        let quick = StepDeadlines { began: long_ago, ..StepDeadlines::unbounded() };
        assert!(
            long_ago.is_none()
                || quick.cuts(RulesStepName::Leaks) && quick.cuts(RulesStepName::Leaks)
        );
        assert!(long_ago.is_none() || quick.cut() == [RulesStepName::Leaks]);
        assert!(!StepDeadlines::quick().cuts(RulesStepName::Views));
        let unbounded = StepDeadlines::unbounded();
        assert!(!unbounded.cuts(RulesStepName::Leaks) && unbounded.cut().is_empty());
    }

    #[test]
    fn each_step_has_time_after_the_one_before() {
        assert!(ENDS.windows(2).all(|pair| pair[0].1 < pair[1].1));
        assert!(ENDS.iter().all(|(_, end)| *end < 20_000));
    }
}
