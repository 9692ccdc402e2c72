//! The rest of a turn, played by the rules.

use rules::coup::{Action, Coup, Debt, Move};
use rules::{Game, Nature, Seat, Turn};

use crate::coup::court::manner::{Act, Manner};
use crate::coup::court::table::{Card, SEATS, Table};
use crate::coup::luck::Luck;
use crate::coup::worth::least_loss;

/// What a turn came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// It is this seat's turn.
    Turn(usize),
    /// The game is over, with its winner.
    Over(Option<usize>),
}

/// Plays a move, and then by manners to the end of the turn; `None` if that cannot be.
pub(super) fn play(
    game: &mut Coup,
    mv: Move,
    manners: &[Manner; SEATS],
    nature: &mut Nature,
    luck: &mut Luck,
) -> Option<After> {
    let mut events = Vec::new();
    game.play(&mv, &mut events).ok()?;
    loop {
        match game.turn() {
            Turn::Over(_) => return Some(After::Over(Table::from_game(game).winner())),
            Turn::Nature => {
                let chance = game.sample(nature)?;
                game.happen(&chance, &mut events).ok()?;
            }
            Turn::Seat(seat) => {
                if let Some(Debt::Act(_)) = game.due() {
                    return Some(After::Turn(seat.index()));
                }
                let mv = answer(game, seat, manners.get(seat.index())?, luck)?;
                game.play(&mv, &mut events).ok()?;
            }
        }
        events.clear();
    }
}

/// What a seat answers.
fn answer(game: &Coup, seat: Seat, manner: &Manner, luck: &mut Luck) -> Option<Move> {
    let mut legal = Vec::new();
    // A list that is cut has a move, too.
    let _ = game.legal_moves(&mut legal);
    let table = Table::from_game(game);
    let place = seat.index();
    let is_legal = |mv: Move| legal.contains(&mv).then_some(mv);
    let block = |luck: &mut Luck| {
        let act = act(game.action()?);
        let card = manner.block(&table, place, act, luck)?;
        legal.iter().copied().find(|mv| matches!(mv, Move::Block(other) if *other as Card == card))
    };
    let claim = game.view(seat).claim().map(|(_, card)| card as Card);
    let doubts = |luck: &mut Luck| {
        let doubts = claim.is_some_and(|card| manner.challenges(&table, place, card, luck));
        doubts.then(|| is_legal(Move::Challenge)).flatten()
    };
    let last = |luck: &mut Luck| {
        let is_last = table.hands[place].len() == 1 && manner.doubts_the_last(luck);
        is_last.then(|| is_legal(Move::Challenge)).flatten()
    };
    let show = legal.iter().copied().find(|mv| matches!(mv, Move::Show(_)));
    show.or_else(|| doubts(luck))
        .or_else(|| block(luck))
        .or_else(|| is_legal(Move::Pass))
        .or_else(|| last(luck))
        .or_else(|| least_loss(game.hand(seat), &legal))
        .or(legal.first().copied())
}

/// An action of the rules.
fn act(action: Action) -> Act {
    match action {
        Action::Income => Act::Income,
        Action::ForeignAid => Act::Aid,
        Action::Coup(seat) => Act::Coup(seat.index()),
        Action::Tax => Act::Tax,
        Action::Assassinate(seat) => Act::Assassinate(seat.index()),
        Action::Steal(seat) => Act::Steal(seat.index()),
        Action::Exchange => Act::Exchange,
    }
}
