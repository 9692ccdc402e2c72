//! The strongest player: worlds that fit what it knows, weighed by what it believes.
//!
//! # The algorithm
//!
//! In the last deal between two seats nothing is hidden, and the expert searches it to the end as
//! [`minimax`](crate::tablic::minimax) does. At all other times it samples.
//!
//! - A *world* ([`DealKnowledge`]) gives every other seat a hand. The moves of a seat in this deal tell what
//!   it hardly holds: who has a king seldom leaves one on the table. So of several hands that are drawn
//!   for a seat one is chosen, the likelier the better it explains what the seat has
//!   played ([`Beliefs`]). How players choose is a conditional logit over features of moves, learned
//!   from games ([`beliefs`]). Between three seats or more, a world comes from the one before by cards that change
//!   places, as likely as all hands explain all moves (`chain.rs`), and a seat that has moved as
//!   greedy does all the time is taken for greedy, which holds nothing that it would rather have played
//!   (`manners.rs`).
//! - In every world every move is tried: it is made, and the deal is played out, all seats doing what
//!   greedy does. The same tables come up again and again, so most of it is looked up ([`position`]).
//!   Deeper searches with all hands in sight play worse: they count on seeing the hands.
//! - At the end of a deal each seat has a *share*: the part of a win that it can expect. At the end of
//!   the game that is the result. Before, it is a second conditional logit, between the seats, by
//!   points, cards, what lies on the table and who moves next ([`position`]), learned as well.
//! - The move with the greatest share on average is played. After 64 worlds and each time that there
//!   are twice as many, moves that have fallen far behind are given up ([`worlds`]), and where one is
//!   left the search is over.
//!
//! Its randomness comes from the request, so that a budget in worlds gives the same move on every
//! machine; all its arithmetic has the same bits everywhere. What it remembers between requests are tables and their best captures, which change
//! nothing but its speed.

pub mod beliefs;
mod chain;
mod manners;
pub mod position;
pub mod worlds;

pub use beliefs::Beliefs;
pub use worlds::DealKnowledge;

use rules::Request;
use rules::tablic::{Move, Tablic};
use search::Clock;

use crate::options::{BadOption, SearchSettings, TimeLimit, options_in};
use crate::player::{CutOff, NoMove, Player, RequestPart};
use crate::tablic::classes::captures::{TableCaptures, list};
use crate::tablic::classes::hide_suit;
use crate::tablic::expert::position::{DealEndValue, GreedyCache};
use crate::tablic::expert::worlds::{ChosenMove, Trials};
use crate::tablic::greedy::best_move;
use crate::tablic::minimax::{DealPlace, Minimax, SeatKnowledge};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Most sampled worlds in which it tries moves, at least 1.
    pub worlds: u32,
    pub time: TimeLimit,
}

const WORLDS: u32 = 2000;

/// Most worlds in which moves are tried if a time is given: more hardly change a
/// move.
const MOST_WORLDS: u32 = 100_000;

impl Default for Settings {
    fn default() -> Self {
        Settings { worlds: WORLDS, time: TimeLimit::HalfOfRequest }
    }
}

impl Settings {
    /// Reads the words of a command line: `--worlds 400` or `--worlds=400`.
    pub fn read(words: &[String]) -> Result<Settings, BadOption> {
        let (mut worlds, mut time) = (None, TimeLimit::HalfOfRequest);
        for given in options_in(words) {
            match given.name {
                "--worlds" => worlds = Some(given.number(u32::MAX)?.min(MOST_WORLDS)),
                "--time" => time = TimeLimit::from_option(given)?,
                _ => return Err(given.unknown()),
            }
        }
        let most = match time {
            TimeLimit::Fixed(_) => MOST_WORLDS,
            TimeLimit::HalfOfRequest | TimeLimit::None => WORLDS,
        };
        Ok(Settings { worlds: worlds.unwrap_or(most), time })
    }
}

/// Plays the move that comes to most in worlds that fit what it knows, and in the last deal between
/// two seats the best move there is, with the suit of its card drawn from the equivalent cards of the
/// hand; where the request contradicts itself, what greedy plays.
#[derive(Debug)]
pub struct Expert {
    settings: Settings,
    greed: GreedyCache,
    captures: TableCaptures,
    /// Search of the last deal between two seats.
    exact: Minimax,
    cut: Option<CutOff>,
}

/// A move, and the trials that it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpertMove {
    /// The move, before its suit is hidden.
    pub mv: Move,
    /// Result of the trials; `None` if there were none.
    pub found: Option<ChosenMove>,
}

impl Expert {
    pub fn new(settings: Settings) -> Expert {
        // The search of the last deal goes to its end at any depth.
        let exact = Minimax::new(SearchSettings { depth: 1, time: TimeLimit::None });
        let (greed, captures) = (GreedyCache::default(), TableCaptures::default());
        Expert { settings, greed, captures, exact, cut: None }
    }

    /// The move to play when asked this, thinking until the clock says stop.
    pub fn decide(
        &mut self,
        request: &Request<Tablic>,
        clock: &mut dyn Clock,
    ) -> Result<ExpertMove, NoMove> {
        self.cut = None;
        let (hand, table) = (request.view.hand, request.view.table);
        let start = SeatKnowledge::read(request);
        if let Some(start) = &start
            && start.deal == DealPlace::Last
            && start.points.len() == 2
        {
            let mv = self.exact.decide(request, clock)?.mv;
            self.cut = self.exact.cut();
            return Ok(ExpertMove { mv, found: None });
        }
        let found = start.and_then(|start| self.try_out(request, &start, clock));
        let cut = found.filter(|found| found.was_cut);
        self.cut = cut.map(|found| CutOff { what: "worlds", number: u64::from(found.worlds) });
        match found.and_then(|found| found.best.with_cards(hand, table)) {
            Some(mv) => Ok(ExpertMove { mv, found }),
            None => Ok(ExpertMove { mv: best_move(hand, table).ok_or(NoMove)?, found: None }),
        }
    }

    fn try_out(
        &mut self,
        request: &Request<Tablic>,
        start: &SeatKnowledge,
        clock: &mut dyn Clock,
    ) -> Option<ChosenMove> {
        let Expert { settings, greed, captures, .. } = self;
        let known = DealKnowledge::from_request(request, start, greed)?;
        let mut moves = Vec::new();
        captures.set_table(start.table);
        list(start.hand.classes(), captures, &mut moves);
        let prospects = DealEndValue::new(request.view.talon, start.points.len());
        let mut trials = Trials { known: &known, prospects, greed };
        trials.best(&moves, settings.worlds, &mut request.heading.seed.nature(), clock)
    }
}

impl Player<Tablic> for Expert {
    fn choose(&mut self, request: &Request<Tablic>) -> Result<Move, NoMove> {
        let mut clock = self.settings.time.clock(request.heading.share());
        let mv = self.decide(request, &mut clock)?.mv;
        Ok(hide_suit(mv, request.view.hand, &mut request.heading.seed.nature()))
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::History]
    }

    fn cut(&self) -> Option<CutOff> {
        self.cut
    }
}
