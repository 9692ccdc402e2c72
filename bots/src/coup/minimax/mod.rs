//! The player that looks ahead: what it believes, what it assumes, and how it searches.
//!
//! It has the name of the players that look ahead in all games, but what it does is *expectimax*:
//! the other side is not taken to find the best answer, but to give each answer as often as a model
//! of it says. It samples no worlds, since the other side has one of at most 20 holdings, and all
//! of them are weighed.
//!
//! # The algorithm
//!
//! All that a seat does not know is the other hand and how the other side plays, and all that is
//! to come depends on both. So the tree is one of *beliefs*: what one side knows and assumes.
//!
//! - Every [`UnorderedHand`] that the other side may have is carried along under every
//!   [`Style`](belief::Style) of play. What the history shows of claims, challenges and losses
//!   weighs them ([`belief`]).
//! - A [`BeliefState`] of the search holds a weight for each holding. A decision
//!   of its own is one for all of them, since it cannot know which is there: so it sees no further
//!   into the other hand than it will. A decision of the other side splits the weights, by what
//!   each holding makes likely; a card that is drawn moves them. What is worth most in the mean of
//!   all is played, and so it bluffs and challenges where that pays ([`search`]).
//! - It looks `depth` turns ahead, each with every claim, block and challenge in it. After
//!   them a position is worth what a [table](value::WinTable) says, in which the race for coins and
//!   cards is solved to the end for every pair of hands.
//!
//! It goes deeper turn by turn, so that there is a good move whenever time is up, and uses no
//! randomness: a request whose search is not cut is always answered the same.

pub mod belief;
pub mod observer;
pub mod search;
pub mod value;

use rules::Request;
use rules::coup::{Action, Counts, Coup, Move, Obligation};

use crate::coup::greedy::Greedy;
use crate::coup::minimax::belief::{Belief, UnorderedHand};
use crate::coup::minimax::search::{BeliefState, Search, SearchSide, TurnAction, TurnStep};
use crate::coup::table::SeatStates;
use crate::options::SearchSettings;
use crate::player::{CutOff, NoMove, Player};
use ::search::Clock;

/// Plays the move of the greatest expected value; where the request contradicts itself, what
/// greedy plays.
#[derive(Debug)]
pub struct Minimax {
    settings: SearchSettings,
    cut: Option<CutOff>,
}

impl Minimax {
    /// The settings where nothing else is said: two turns, its own and the next.
    pub const SETTINGS: SearchSettings = SearchSettings::of_depth(2);

    /// Meaning of `--depth`, for a help text.
    pub const HELP: &str = "
  --depth N        Coup: lookahead in turns of either side [default: 2]; at a court 100 N sampled
                   worlds";

    pub fn new(settings: SearchSettings) -> Minimax {
        Minimax { settings, cut: None }
    }

    /// The move to play when asked this, searching until the clock says stop; `None` if the
    /// request cannot be searched.
    pub fn decide(&mut self, request: &Request<Coup>, clock: &mut dyn Clock) -> Option<Move> {
        self.cut = None;
        let start = SearchRoot::read(request)?;
        let mut found = None;
        for turns in 1..=self.settings.depth {
            let (best, cut) = start.best(turns, clock);
            if cut {
                self.cut = Some(CutOff { what: "depth", number: u64::from(turns - 1) });
                break;
            }
            found = best;
        }
        found
    }
}

impl Player<Coup> for Minimax {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        self.cut = None;
        let mut clock = self.settings.time.clock(request.heading.share());
        let decided = match request.legal[..] {
            [only] => Some(only),
            _ => self.decide(request, &mut clock),
        };
        decided.map_or_else(|| Greedy.choose(request), Ok)
    }

    fn cut(&self) -> Option<CutOff> {
        self.cut
    }
}

/// More coins than a seat can have: what a request says beyond is not believed.
const MOST_COINS: u32 = 12;

#[derive(Debug)]
pub struct SearchRoot<'a> {
    request: &'a Request<Coup>,
    table: SeatStates,
    belief: Belief,
    /// The turn that is going on, if the seat is not asked to begin one.
    turn: Option<(SearchSide, Action)>,
    lost: Counts,
}

impl<'a> SearchRoot<'a> {
    /// Reads a request; `None` if it makes no sense.
    pub fn read(request: &'a Request<Coup>) -> Option<SearchRoot<'a>> {
        let table = SeatStates::read(request)?;
        let side = |seat| if seat == table.own.seat { SearchSide::Own } else { SearchSide::Other };
        let turn = request.view.turn().map(side).zip(request.view.action);
        let lost = table.own.lost.into_iter().chain(table.other.lost).collect();
        Some(SearchRoot { request, table, belief: Belief::read(request)?, turn, lost })
    }

    /// The best move, looking a number of turns ahead, and whether time was up before it was found.
    pub fn best(&self, turns: u32, clock: &mut dyn Clock) -> (Option<Move>, bool) {
        let mut search = Search::new(&self.belief, clock);
        let mut best: Option<(Move, f64)> = None;
        for mv in &self.request.legal {
            let Some(value) = self.value(&mut search, *mv, turns) else { return (None, false) };
            if search.was_cut() {
                return (None, true);
            }
            if best.is_none_or(|(_, least)| value > least + 1e-9) {
                best = Some((*mv, value));
            }
        }
        (best.map(|(mv, _)| mv), false)
    }

    /// Value of a move; `None` if it does not answer the question.
    fn value(&self, search: &mut Search<'_>, mv: Move, turns: u32) -> Option<f64> {
        let view = &self.request.view;
        let debt = *view.owed.last()?;
        if let Move::Keep(kept) = mv {
            let at = self.position(UnorderedHand::new(kept)?, self.lost);
            return Some(search.value_before(&at, SearchSide::Other, turns.saturating_sub(1)));
        }
        let own = UnorderedHand::new(view.hand)?;
        let at = self.position(own, self.lost);
        let turn = self.turn.map(|(actor, action)| TurnAction { actor, action, turns });
        match (mv, debt, turn) {
            (Move::Act(action), Obligation::Act(_), _) => Some(search.act(&at, action, turns)),
            (Move::Pass, Obligation::Answer(_), Some(turn)) => Some(search.let_pass(&at, turn)),
            (Move::Challenge, Obligation::Answer(_), Some(turn)) => {
                Some(search.challenge(&at, turn))
            }
            (Move::Block(card), Obligation::Answer(_), Some(turn)) => {
                Some(search.block(&at, turn, card))
            }
            (Move::Pass, Obligation::Accept(..), Some(turn)) => {
                Some(search.run(&at, turn, &[TurnStep::Blocked]))
            }
            (Move::Challenge, Obligation::Accept(_, card), Some(turn)) => {
                Some(search.challenge_block(&at, turn, card))
            }
            (Move::Lose(card), _, Some(turn)) => {
                let Some(left) = own.without(card) else { return Some(0.0) };
                let at = self.position(left, self.lost.with(card));
                Some(search.run(&at, turn, &[self.rest_of_turn(debt, turn)]))
            }
            _ => None,
        }
    }

    fn position(&self, own: UnorderedHand, lost: Counts) -> BeliefState {
        let coins = [self.table.own, self.table.other].map(|seated| seated.coins.min(MOST_COINS));
        BeliefState { own, lost, coins, hands: self.belief.hands }
    }

    /// Rest of the turn once a card is given up.
    fn rest_of_turn(&self, debt: Obligation, turn: TurnAction) -> TurnStep {
        let goes_on = |debt: &Obligation| {
            matches!(debt, Obligation::End(_) | Obligation::Draw(_) | Obligation::Keep(_))
        };
        match debt {
            Obligation::Prove(..) if turn.actor == SearchSide::Own => TurnStep::Undone,
            // A false block has fallen.
            Obligation::Prove(..) => TurnStep::Done,
            _ if self.request.view.owed.iter().any(goes_on) => TurnStep::Done,
            _ => TurnStep::Blocked,
        }
    }
}
