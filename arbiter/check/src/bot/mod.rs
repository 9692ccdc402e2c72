//! The check that a bot keeps to the protocol, without a match.
//!
//! # Theory of operation
//!
//! The bot is asked the sample requests of each game (`requests.rs`), or for a custom game those of one random game
//! (`requests.rs`), in a fresh scratch folder each, also where its
//! dialect lets it keep one for a whole match. [`rules::Sample`] judges whether an answer is legal, without the game
//! that the request comes from. Then some of them are asked again: unchanged, to see whether the bot repeats itself;
//! with lines that a bot must skip; and longer by more than a pipe holds. Those lines are blamed for a changed answer
//! only if it changes each time, since a bot may use chance or look at a clock. Last it plays games against the
//! built-in `random`, in this process. A resident bot is then asked some of the requests of these games again, each
//! in a fresh program. Some requests of the games show what a start costs (`asking.rs`).
//!
//! Where there are puzzles, the bot is asked only these (`games.rs`).
//!
//! A failed step does not stop the next ones. Only two kinds are skipped: comparisons with a missing answer, and the
//! rest of a game in which the bot was out of time three times. Each result is reported at once.

mod asking;
mod games;
pub mod plan;
mod requests;
mod step;

pub use asking::{Puzzles, Setting};
pub use step::{Step, StepName};

use contest::playing::bot::Bot;
use sandbox::StartError;
use text::failure::Failure;

use crate::report::Listener;
use asking::{Asker, Check, stopped};

impl Check<'_> {
    /// Makes all steps, and reports them to the listener.
    ///
    /// # Errors
    ///
    /// Fails if the machine does; a fault of the bot is a [`Step`].
    pub(crate) fn run(&self, listener: &mut dyn Listener<StepName>) -> Result<(), Failure> {
        listener.begins(&StepName::Starts.to_string());
        let mut bot = Bot::new(self.contender, self.supervisor);
        match bot.probe() {
            Ok(()) => listener.found(Step::passed(StepName::Starts, ""))?,
            Err(StartError::Program(why) | StartError::NotSeen(why)) => {
                return listener.found(Step::failed(StepName::Starts, why, None));
            }
            Err(StartError::Referee(why)) => return Err(stopped(why)),
        }
        let mut asker = Asker::new(bot, self.contender, self.retries);
        let mut exchanges = Vec::new();
        if let Some(puzzles) = self.puzzles {
            games::puzzles(self, puzzles, &mut asker, listener)?;
            for step in asker.close().steps(self.limits()) {
                listener.found(step)?;
            }
            return Ok(());
        }
        for setting in self.settings {
            asker.begin_game();
            requests::requests(self, &setting.kind, &setting.options, &mut asker, listener)?;
            games::games(self, setting, &mut asker, listener)?;
            let later = asker.take_later();
            games::residence(self, &setting.kind, &later, &mut asker, listener)?;
            if exchanges.is_empty() {
                exchanges = later;
            }
        }
        let mut observations = asker.close();
        listener.begins("start");
        if let Some((times, unremoved)) = asking::measure(self, &exchanges)? {
            observations.start(times);
            observations.unremoved(unremoved);
        }
        for step in observations.steps(self.limits()) {
            listener.found(step)?;
        }
        Ok(())
    }
}
