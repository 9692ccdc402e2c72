//! A request as the search sees it, and its moves with what they are worth.

use rules::Request;
use rules::coup::{Counts, Coup, Debt, Move};
use search::Clock;

use crate::coup::minimax::belief::Belief;
use crate::coup::minimax::holding::Holding;
use crate::coup::minimax::position::{Position, Side, Step, Turn};
use crate::coup::minimax::search::Search;
use crate::coup::table::Table;

/// More coins than a seat can have: what a request says beyond is not believed.
const MOST_COINS: u32 = 12;

/// A request as the search sees it.
#[derive(Debug)]
pub struct Start<'a> {
    request: &'a Request<Coup>,
    table: Table,
    belief: Belief,
    /// The turn that is going on, if the seat is not asked to begin one.
    turn: Option<Turn>,
    lost: Counts,
}

impl<'a> Start<'a> {
    /// Reads a request; `None` if it makes no sense.
    pub fn read(request: &'a Request<Coup>) -> Option<Start<'a>> {
        let table = Table::read(request)?;
        let side = |seat| if seat == table.own.seat { Side::Own } else { Side::Other };
        let actor = request.view.turn().map(side);
        let turn = actor.zip(request.view.action).map(|(actor, action)| Turn { actor, action });
        let lost = table.own.lost.into_iter().chain(table.other.lost).collect();
        Some(Start { request, table, belief: Belief::read(request)?, turn, lost })
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
            let at = self.position(Holding::new(kept)?, self.lost);
            return Some(search.before(&at, Side::Other, turns.saturating_sub(1)));
        }
        let own = Holding::new(view.hand)?;
        let at = self.position(own, self.lost);
        match (mv, debt, self.turn) {
            (Move::Act(action), Debt::Act(_), _) => Some(search.act(&at, action, turns)),
            (Move::Pass, Debt::Answer(_), Some(turn)) => Some(search.let_pass(&at, turn, turns)),
            (Move::Challenge, Debt::Answer(_), Some(turn)) => {
                Some(search.challenge(&at, turn, turns))
            }
            (Move::Block(card), Debt::Answer(_), Some(turn)) => {
                Some(search.block(&at, turn, card, turns))
            }
            (Move::Pass, Debt::Accept(..), Some(turn)) => {
                Some(search.run(&at, turn, &[Step::Blocked], turns))
            }
            (Move::Challenge, Debt::Accept(_, card), Some(turn)) => {
                Some(search.challenge_block(&at, turn, card, turns))
            }
            (Move::Lose(card), _, Some(turn)) => {
                let Some(left) = own.without(card) else { return Some(0.0) };
                let at = self.position(left, self.lost.with(card));
                Some(search.run(&at, turn, &[self.rest(debt, turn)], turns))
            }
            _ => None,
        }
    }

    fn position(&self, own: Holding, lost: Counts) -> Position {
        let coins = [self.table.own, self.table.other].map(|seated| seated.coins.min(MOST_COINS));
        Position { own, lost, coins, hands: self.belief.hands }
    }

    /// Rest of the turn once a card is given up.
    fn rest(&self, debt: Debt, turn: Turn) -> Step {
        let goes_on = |debt: &Debt| matches!(debt, Debt::End(_) | Debt::Draw(_) | Debt::Keep(_));
        match debt {
            Debt::Prove(..) if turn.actor == Side::Own => Step::Undone,
            // A false block has fallen.
            Debt::Prove(..) => Step::Done,
            _ if self.request.view.owed.iter().any(goes_on) => Step::Done,
            _ => Step::Blocked,
        }
    }
}
