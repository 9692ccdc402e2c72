//! What the steps of the check of a game share.

use std::sync::Arc;

use games::{GameFiles, NotGame};
use rules::Seed;
use rules::own::about::Description;
use rules::own::{Fault, Source};
use sandbox::Supervisor;
use text::{excerpt, printable};

use super::instance::Instance;
use super::pace::Pace;
use super::step::Problem;

/// The random games of a quick check.
pub(super) const QUICK: u64 = 60;

/// The rules under check, started and described, and how they are checked.
pub(super) struct Check<'a> {
    pub(super) files: &'a GameFiles,
    pub(super) supervisor: Supervisor,
    pub(super) source: Arc<dyn Source>,
    pub(super) about: Description,
    /// The options in their one spelling.
    pub(super) options: String,
    pub(super) seats: usize,
    /// Number of random games.
    pub(super) games: u64,
    pub(super) seed: Seed,
    pub(super) pace: Pace,
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
pub(super) fn described(source: &Arc<dyn Source>) -> Result<Description, Problem> {
    let mut instance = Instance::start(source, 2)?;
    let text = instance.answer("about")?;
    Description::read(&text)
        .map_err(|broken| instance.problem(Fault::broken("about", &text, broken)))
}

impl From<NotGame> for NotBegun {
    fn from(error: NotGame) -> NotBegun {
        match error {
            // It is there, and is no module of rules.
            NotGame::Module { .. } => NotBegun::Failed(Problem::of(error)),
            _ => NotBegun::Usage(error.to_string()),
        }
    }
}

/// A part of an answer or a call in a line of a message.
pub(super) fn excerpt(text: &str) -> String {
    excerpt::line(&printable(text))
}
