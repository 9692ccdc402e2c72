//! One game of a log, derived again with every question as it was asked.
//!
//! Whoever wants to know what was asked and answered at a move starts here. Only the lines up to the
//! game are read, so nothing is said of those after it.

use std::io::BufReader;
use std::path::Path;

use rules::replay::{Onlooker, replay_before};
use rules::text::printable;
use rules::{Answered, GameRecord, Measured, Question, Seat};

use crate::failure::Failure;
use crate::log::Followed;
use crate::series::Series;
use crate::tournament::folder;
use crate::verify::{Games, NotVerified, in_game};

/// A game of a log.
#[derive(Debug)]
pub struct Recalled {
    /// The games of the log that it belongs to.
    pub series: Series,
    /// The line that it stands in, from 1.
    pub line: usize,
    /// What the log holds of it.
    pub game: GameRecord,
}

/// A place in a game at which a seat was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The number of the move, from 0.
    pub number: u32,
    /// Which chance it was: 0 for the first one.
    pub retry: u32,
    /// Who was asked.
    pub seat: Seat,
}

/// What is done with a question and the answer that the log holds.
pub type EachQuestion<'a> = dyn FnMut(Moment, &Question<'_>, &Answered, &Measured) + 'a;

/// Opens a log, or that of the tournament in a folder.
///
/// # Errors
///
/// As for [`Games::open`].
pub fn open(path: &Path) -> Result<Games, NotVerified> {
    if path.is_dir() { Games::open(&folder::games(path)) } else { Games::open(path) }
}

/// The same for one that is still being written: at its end the next game is waited for.
///
/// # Errors
///
/// As for [`Games::open`].
pub fn follow(path: &Path) -> Result<Games<BufReader<Followed>>, NotVerified> {
    if path.is_dir() { Games::follow(&folder::games(path)) } else { Games::follow(path) }
}

impl Recalled {
    /// The game of this number, from 0: of several attempts at it the last one.
    ///
    /// # Errors
    ///
    /// Fails where there is no such game, and where the log is wrong before it.
    pub fn find(path: &Path, wanted: u64) -> Result<Recalled, Failure> {
        let failed = |error| failure(path, error);
        let mut games = open(path).map_err(failed)?;
        let mut found = None;
        let mut seen = 0;
        while let Some((line, game)) = games.next_game().map_err(failed)? {
            seen += 1;
            match game.game {
                number if number > wanted => break,
                number if number == wanted => found = Some((line, game)),
                _ => {}
            }
        }
        let series = games.series().clone();
        found.map(|(line, game)| Recalled { series, line, game }).ok_or_else(|| {
            let problem = format!("{}: no game {wanted}, it holds {seen}", path.display());
            Failure::Usage(problem)
        })
    }

    /// The name of the player on a seat, safe to show.
    pub fn name(&self, seat: Seat) -> String {
        printable(self.game.seats.get(seat.index()).map_or("", String::as_str))
    }

    /// Derives the game again and gives every question that was answered.
    ///
    /// # Errors
    ///
    /// Fails where something in the record does not follow from its inputs.
    pub fn questions(&self, each: &mut EachQuestion<'_>) -> Result<(), NotVerified> {
        let setup = self.series.setup(&self.game, None);
        let mut asking = Asking { game: &self.game, asked: 0, each };
        replay_before(setup, &self.game, &mut asking)
            .map_err(|discrepancy| in_game(self.line, &self.game, discrepancy).into())
    }
}

struct Asking<'a, 'b> {
    game: &'a GameRecord,
    asked: usize,
    each: &'a mut EachQuestion<'b>,
}

impl Onlooker for Asking<'_, '_> {
    fn asked(&mut self, question: &Question<'_>, logged: &Answered) {
        let nothing = Measured::default();
        let measured = self.game.measured.get(self.asked).unwrap_or(&nothing);
        self.asked += 1;
        let moment =
            Moment { number: question.number(), retry: question.retry(), seat: question.seat() };
        (self.each)(moment, question, logged, measured);
    }
}

/// What is said of a log that cannot be recalled.
pub fn failure(path: &Path, error: NotVerified) -> Failure {
    let shown = path.display();
    match error {
        NotVerified::Unreadable(error) => {
            Failure::Usage(format!("{shown}: cannot be read: {error}"))
        }
        wrong => Failure::Verification(format!("{shown}: {wrong}")),
    }
}
