//! The player that looks ahead: what it knows, what it assumes, and how it searches.
//!
//! # The algorithm
//!
//! A seat does not see the hands of the others, and the hands to come are many. This player samples
//! no worlds. It is minimax over one tree, in which another seat may play whatever it may hold:
//!
//! - It *knows* which cards no other seat holds, and *assumes* that a seat does not hold what it
//!   would rather have played ([`Knowledge`]). In the last deal between two seats the unseen cards
//!   are the other hand, and the search is exact, but for tables from which one card has more than
//!   128 captures: of these it lists 128 or 129, among them the one that greedy takes.
//! - Cards that are worth the same are one *class*, and moves that differ only in such cards are one
//!   move ([`classes`](crate::tablic::classes)). The tree knows hands and table by counts of classes
//!   alone.
//! - It looks so far ahead that all seats have moved equally often, its own `depth` moves
//!   included; in the last deal to the end of the game ([`SeatKnowledge::plies`]). A line also ends
//!   where a seat has nothing left that it might hold.
//! - A line is worth its points, and where they are equal its cards: its own minus the mean of the
//!   others', who all play against it. Along a line a point card that is laid down counts against
//!   the seat that lays it ([`Rating::points`](crate::tablic::classes::Rating::points)),
//!   which the score of the game does not do, and without which the player would throw such cards
//!   away. At the end of the game the rest of the table and the points for the most cards are counted.
//! - Below the root, the moves on the way lead to the same assumptions as those of the game
//!   ([`SearchPosition`]), but not in the last deal.
//! - With one card left, and not in the last deal, it tries its moves in the order of greed only
//!   until one is worse than the best before it.
//!
//! The search itself is in the crate [`search`]. It goes deeper step by step, so that there is a good
//! move whenever time is up; a request whose search is not cut is always answered the same. It
//! remembers positions, since in the last deal the same cards are often played in another order:
//! between two seats that saves two thirds of its nodes, and in earlier deals one in sixteen.
//!
//! The algorithm comes from the class `MinimaxIgrac` in Davor Penzar's public project *tablic*.

mod knowledge;
mod position;

pub use knowledge::{DealPlace, Knowledge, SeatKnowledge};
pub use position::{SearchPosition, UndoState};

use rules::Request;
use rules::tablic::{Move, Tablic};
use search::alpha_beta::LookLimit;
use search::{Clock, Deepening, End, SearchOutcome};

use crate::options::{SearchSettings, TimeLimit};
use crate::player::{CutOff, NoMove, Player, RequestPart};
use crate::tablic::classes::captures::ClassMove;
use crate::tablic::classes::hide_suit;
use crate::tablic::greedy::best_move;

/// Number of looks at the clock after which a search of many seats ends where no time is given: about a
/// tenth of a second.
const LOOKS: u64 = 1000;

/// Number of looks for each millisecond of a time that is given: they take about half of it, so that the
/// move hangs on time only where the machine has other work to do.
const LOOKS_PER_MS: u64 = 3;

/// The fewest looks, which take longer than no time at all.
const FEWEST_LOOKS: u64 = 4;

/// Number of seats from which on most searches would take all time, and those of the last deal for ever.
const MANY_SEATS: usize = 4;

/// Plays the first move of the best line it finds, with the suit of its card drawn from the
/// equivalent cards of the hand; where the request contradicts itself, what greedy plays.
#[derive(Debug)]
pub struct Minimax {
    settings: SearchSettings,
    search: Deepening<SearchPosition>,
    situation: Option<SearchPosition>,
    /// How far the last search came, if not as far as was wanted.
    short: Option<CutOff>,
    /// True if work ended a search that did not come as far as was wanted, not time.
    is_out_of_work: bool,
}

/// Number of looks after which a search ends between this number of seats, with so many cards still to be
/// dealt; as good as none with few seats.
fn most_looks(time: TimeLimit, seats: usize, talon: u32) -> u64 {
    match time {
        _ if seats < MANY_SEATS => u64::MAX,
        TimeLimit::Fixed(time) => {
            let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            millis.saturating_mul(LOOKS_PER_MS).max(FEWEST_LOOKS)
        }
        TimeLimit::None if talon > 0 => u64::MAX,
        TimeLimit::HalfOfRequest | TimeLimit::None => LOOKS,
    }
}

/// A move, and the search it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MinimaxMove {
    /// The move, before its suit is hidden.
    pub mv: Move,
    /// Result of the search; `None` if there was none.
    pub outcome: Option<SearchOutcome<ClassMove>>,
}

impl Minimax {
    /// The settings where nothing else is said: three of its own moves.
    pub const SETTINGS: SearchSettings = SearchSettings::of_depth(3);

    /// Meaning of `--depth`, for a help text.
    pub const HELP: &str = "
  --depth N        Tablić: lookahead in own moves [default: 3]; searches the last deal to the end;
                   with four or more seats, a search is limited to work for about half of --time
                   DURATION (without --time: a tenth of a second; with --time none: only in the
                   last deal)";

    pub fn new(settings: SearchSettings) -> Minimax {
        Minimax {
            settings,
            search: Deepening::new(),
            situation: None,
            short: None,
            is_out_of_work: false,
        }
    }

    /// The move to play when asked this, searching until the clock says stop.
    pub fn decide(
        &mut self,
        request: &Request<Tablic>,
        clock: &mut dyn Clock,
    ) -> Result<MinimaxMove, NoMove> {
        let (hand, table) = (request.view.hand, request.view.table);
        let searched = SeatKnowledge::read(request).and_then(|start| self.search(&start, clock));
        let cut = searched.filter(|outcome| outcome.end == End::Cut);
        self.is_out_of_work = false;
        self.short =
            cut.map(|outcome| CutOff { what: "plies", number: u64::from(outcome.complete) });
        let found = searched.and_then(|outcome| {
            let mv = outcome.best.with_cards(hand, table)?;
            Some(MinimaxMove { mv, outcome: Some(outcome) })
        });
        match found {
            Some(decision) => Ok(decision),
            None => Ok(MinimaxMove { mv: best_move(hand, table).ok_or(NoMove)?, outcome: None }),
        }
    }

    fn search(
        &mut self,
        start: &SeatKnowledge,
        clock: &mut dyn Clock,
    ) -> Option<SearchOutcome<ClassMove>> {
        let situation = self.situation.get_or_insert_with(|| SearchPosition::new(start));
        situation.start(start);
        self.search.best(situation, start.growing_plies(self.settings.depth), clock)
    }
}

impl Default for Minimax {
    fn default() -> Self {
        Minimax::new(Minimax::SETTINGS)
    }
}

impl Player<Tablic> for Minimax {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        let mut clock = self.settings.time.clock(request.heading.share());
        let left = most_looks(self.settings.time, request.options.seats.get(), request.view.talon);
        let mut looks = LookLimit { left, clock: &mut clock };
        let decision = self.decide(request, &mut looks)?;
        if looks.left == 0 {
            // Another run ends in the same place.
            self.is_out_of_work = true;
        }
        Ok(hide_suit(decision.mv, request.view.hand, &mut request.heading.seed.nature()))
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::History]
    }

    fn cut(&self) -> Option<CutOff> {
        self.short.filter(|_| !self.is_out_of_work)
    }

    fn short(&self) -> Option<CutOff> {
        self.short
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A mended fault: with many seats a time that was given ended nearly all searches.
    #[test]
    fn a_time_that_is_given_is_work_with_many_seats() {
        let given = |millis| TimeLimit::Fixed(Duration::from_millis(millis));
        for talon in [0, 12] {
            assert_eq!(most_looks(given(50), 4, talon), 150);
            assert_eq!(most_looks(given(0), 6, talon), FEWEST_LOOKS);
            assert_eq!(most_looks(given(50), 3, talon), u64::MAX);
            assert_eq!(most_looks(TimeLimit::HalfOfRequest, 4, talon), LOOKS);
        }
        assert_eq!(most_looks(TimeLimit::None, 4, 12), u64::MAX);
        assert_eq!(most_looks(TimeLimit::None, 4, 0), LOOKS);
    }
}
