//! The open round of a league, as far as its games were read.

use std::io::{self, BufReader};
use std::time::{Duration, Instant};

use contest::playing::state;
use contest::tournament::folder::{games as log_of, shown};
use league::folder::LeagueFolder;
use record::fold::{CheckedLog, LogRange};
use record::{LogReader, WholeLines};
use series::game_status::GameStatus;
use standings::Tally;
use text::failure::Failure;

/// The longest time for which a look reads the games of a round.
pub(super) const LOOK: Duration = Duration::from_millis(300);

/// A round that is open, as far as it was read.
#[derive(Debug)]
pub(super) struct OpenRoundTally {
    number: u64,
    log: Option<CheckedLog<LogReader<BufReader<WholeLines>>>>,
    tally: Tally,
    games: u64,
}

impl OpenRoundTally {
    /// A round of which nothing was read, and the sum of all rounds before.
    pub(super) fn new(number: u64, before: Tally) -> OpenRoundTally {
        OpenRoundTally { number, log: None, tally: before, games: 0 }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The sum of all games, those of this round included.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The number of its games that count.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Reads new games, for about as long as it may take, and returns true if there were any.
    pub(super) fn read_on(
        &mut self,
        folder: &LeagueFolder,
        time: Duration,
    ) -> Result<bool, Failure> {
        let begun = Instant::now();
        let path = folder.round(self.number);
        let wrong =
            |problem: String| Failure::Verification(format!("`{}`: {problem}", shown(&path)));
        if self.log.is_none() {
            let lines = match WholeLines::open(&log_of(&path)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
                other => other.map_err(|error| wrong(error.to_string()))?,
            };
            match CheckedLog::begin(LogReader::new(lines), LogRange::SoFar, None) {
                Err(problem) if problem.is_empty() => return Ok(false),
                begun => self.log = Some(begun.map_err(|problem| wrong(problem.to_string()))?),
            }
        }
        let Some(log) = &mut self.log else { return Ok(false) };
        let mut has_game = false;
        while begun.elapsed() < time {
            let next = log.next_game(|_, _, ()| Ok(())).map_err(|it| wrong(it.to_string()))?;
            let Some(next) = next else { break };
            if next.status == GameStatus::Counts {
                state::add(&mut self.tally, log.fold().series(), &next.game).map_err(wrong)?;
                self.games += 1;
                has_game = true;
            }
        }
        Ok(has_game)
    }
}
