//! Which bot a contender gives: the only place that knows the kinds of bots.

use rules::Dialect;
use thiserror::Error;

use crate::bot::Contender;
use crate::failure::Failure;
use crate::playing::player::Bot;
use crate::playing::process_player::ProcessPlayer;
use crate::process::{StartError, Supervisor};

/// The bot of a contender, which was not started yet.
pub fn bot(contender: &Contender, supervisor: Supervisor) -> Box<dyn Bot> {
    match contender.dialect {
        Dialect::Native | Dialect::Classic(_) => {
            Box::new(ProcessPlayer::new(contender, supervisor))
        }
    }
}

/// The same, once it was started for a moment to see that it can be: to be done before anything is
/// written.
///
/// # Errors
///
/// [`NotReady`], which says whose fault it is.
pub fn ready(contender: &Contender, supervisor: Supervisor) -> Result<Box<dyn Bot>, NotReady> {
    let mut bot = bot(contender, supervisor);
    bot.probe().map_err(|error| match error {
        StartError::Program(why) => NotReady::Bot { name: contender.name.clone(), why },
        StartError::Referee(why) => NotReady::Referee(why),
    })?;
    Ok(bot)
}

/// The bots of these contenders, each [`ready`].
///
/// # Errors
///
/// [`NotReady`], for the first that is not.
pub fn all_ready(
    contenders: &[Contender],
    supervisor: Supervisor,
) -> Result<Vec<Box<dyn Bot>>, NotReady> {
    contenders.iter().map(|contender| ready(contender, supervisor)).collect()
}

/// Why a bot will answer nothing; one line.
#[derive(Debug, Error)]
pub enum NotReady {
    /// It cannot be started.
    #[error("bot `{name}` cannot be started: {why}")]
    Bot {
        /// The name of the bot.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// The referee can start nothing.
    #[error("cannot start programs: {0}")]
    Referee(String),
}

impl From<NotReady> for Failure {
    fn from(error: NotReady) -> Failure {
        match error {
            NotReady::Bot { .. } => Failure::Start(error.to_string()),
            NotReady::Referee(_) => Failure::Ours(error.to_string()),
        }
    }
}
