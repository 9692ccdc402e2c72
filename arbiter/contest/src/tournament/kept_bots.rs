//! Bots of the classic dialect that keep their files for a whole run of a tournament.
//!
//! All workers share one instance of each bot, because it has a single working folder. A game holds the bot from
//! beginning to end. The folder is private to the bot, and as large as any working folder: it lives in the keeper of the bot,
//! and ends with it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rules::Dialect;

use crate::playing::bot::Bot;
use bot::Contender;
use sandbox::Supervisor;
use series::{KeptFiles, Series};

/// The bots that keep their files, by the number of their contender.
#[derive(Debug, Default)]
pub(crate) struct KeptBots(BTreeMap<usize, Mutex<Bot>>);

impl KeptBots {
    /// Returns those of a series; none, unless its header says so.
    pub(crate) fn of(
        series: &Series,
        contenders: &[Contender],
        supervisor: Supervisor,
    ) -> KeptBots {
        let line = series.header().tournament.as_ref();
        let keeps = line.is_some_and(|line| line.keep_files == KeptFiles::OfRun);
        let is_kept = |bot: &Contender| keeps && matches!(bot.dialect, Dialect::Classic(_));
        let kept = contenders.iter().enumerate().filter(|(_, bot)| is_kept(bot));
        KeptBots(kept.map(|(place, bot)| (place, Mutex::new(Bot::new(bot, supervisor)))).collect())
    }

    /// Takes those of these contenders for one game, and waits for games that have them.
    ///
    /// All games take their bots in the order of the contenders, so none waits for one that waits for it.
    pub(crate) fn take(&self, contenders: &[usize]) -> BTreeMap<usize, MutexGuard<'_, Bot>> {
        let wanted = self.0.iter().filter(|(place, _)| contenders.contains(place));
        wanted
            .map(|(place, bot)| (*place, bot.lock().unwrap_or_else(PoisonError::into_inner)))
            .collect()
    }
}
