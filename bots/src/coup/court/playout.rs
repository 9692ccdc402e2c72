//! Games that are played out turn by turn: how each seat plays, and the rest of a turn by the rules.

use rules::coup::{Action, Coup, Move, Obligation};
use rules::{Game, Nature, Seat, Turn};

use crate::coup::court::table::{
    AMBASSADOR, ASSASSIN, CAPTAIN, Card, CourtState, DUKE, SEATS, SeatCards, worth,
};
use crate::coup::table::{FastRng, least_loss};

/// After this number of turns a game is given up as a draw: hardly any lasts so long.
const MOST_TURNS: usize = 200;

pub(super) struct CourtPlayout<'a> {
    pub(super) table: CourtState,
    pub(super) manners: &'a [BluffRates; SEATS],
    pub(super) luck: FastRng,
}

impl CourtPlayout<'_> {
    /// Plays on from the turn of a seat, or of the next that is in; returns the winner, if that is not clear
    /// to be another seat than `own` before.
    pub(super) fn run(&mut self, first: usize, own: usize) -> Option<usize> {
        let seats = usize::from(self.table.seats);
        let mut actor = first;
        for _ in 0..MOST_TURNS {
            if let Some(winner) = self.table.winner() {
                return Some(winner);
            }
            if !self.table.is_in(own) {
                return None;
            }
            if self.table.is_in(actor) {
                self.turn(actor);
            }
            actor = (actor + 1) % seats;
        }
        None
    }

    fn turn(&mut self, actor: usize) {
        let act = self.manners[actor].act(&self.table, actor, &mut self.luck);
        let coins = &mut self.table.coins[actor];
        *coins = coins.saturating_sub(act.cost() as u8);
        if self.is_stopped(actor, act) {
            return;
        }
        self.take_effect(actor, act);
    }

    /// Asks the others, and returns true if the action has no effect.
    fn is_stopped(&mut self, actor: usize, act: Action) -> bool {
        if act == Action::ForeignAid {
            let blocker = self.table.other_seats(actor).find_map(|other| {
                let block = self.manners[other].block(&self.table, other, act, &mut self.luck);
                block.map(|card| (other, card))
            });
            return blocker.is_some_and(|(other, card)| self.block_stands(actor, act, other, card));
        }
        let Some(claim) = act.claim() else { return false };
        let (claim, target) = (claim as Card, act.target().map(Seat::index));
        let doubting =
            self.table.other_seats(actor).filter(|other| Some(*other) != target).find(|other| {
                self.manners[*other].challenges(&self.table, *other, claim, &mut self.luck)
            });
        if let Some(doubting) = doubting {
            return self.falls(actor, act, claim, doubting)
                || target.is_some_and(|target| self.is_blocked(actor, act, target));
        }
        let Some(target) = target else { return false };
        let manner = self.manners[target];
        if manner.challenges(&self.table, target, claim, &mut self.luck) {
            return self.falls(actor, act, claim, target) || self.is_blocked(actor, act, target);
        }
        if let Some(card) = manner.block(&self.table, target, act, &mut self.luck) {
            return self.block_stands(actor, act, target, card);
        }
        let is_last = matches!(act, Action::Assassinate(_)) && self.table.hands[target].len() == 1;
        // A seat that is about to be gone has nothing to lose by a challenge.
        is_last && manner.doubts_the_last(&mut self.luck) && self.falls(actor, act, claim, target)
    }

    /// A target may block an action whose claim was proven.
    fn is_blocked(&mut self, actor: usize, act: Action, target: usize) -> bool {
        if !self.table.is_in(target) {
            return true;
        }
        let block = self.manners[target].block(&self.table, target, act, &mut self.luck);
        block.is_some_and(|card| self.block_stands(actor, act, target, card))
    }

    /// Settles a challenge of an action; returns true if its claim was false.
    fn falls(&mut self, actor: usize, act: Action, claim: Card, doubting: usize) -> bool {
        if self.is_proven(actor, claim) {
            self.give_up(doubting);
            return false;
        }
        if matches!(act, Action::Assassinate(_)) {
            self.table.coins[actor] = self.table.coins[actor].saturating_add(3);
        }
        self.give_up(actor);
        true
    }

    /// Settles a block; returns true if it stands.
    fn block_stands(&mut self, actor: usize, act: Action, blocker: usize, card: Card) -> bool {
        let doubting = self.table.other_seats(blocker).find(|other| {
            self.manners[*other].challenges(&self.table, *other, card, &mut self.luck)
        });
        if let Some(doubting) = doubting {
            if !self.is_proven(blocker, card) {
                self.give_up(blocker);
                return false;
            }
            self.give_up(doubting);
        }
        match act {
            Action::ForeignAid => self.table.guards |= 1 << blocker,
            Action::Steal(_) => self.table.thwarted[actor] |= 1 << blocker,
            _ => {}
        }
        true
    }

    /// Shows a card, if it is there, for another one.
    fn is_proven(&mut self, seat: usize, card: Card) -> bool {
        let holds = self.table.hands[seat].holds(card);
        if holds {
            let luck = &mut self.luck;
            self.table.replace(seat, card, |deck| luck.place(&deck) as Card);
        }
        holds
    }

    fn give_up(&mut self, seat: usize) {
        if let Some(card) = self.table.hands[seat].least() {
            self.table.lose(seat, card);
        }
    }

    fn take_effect(&mut self, actor: usize, act: Action) {
        let CourtState { coins, .. } = &mut self.table;
        match act {
            Action::Income => coins[actor] += 1,
            Action::ForeignAid => coins[actor] += 2,
            Action::Tax => coins[actor] += 3,
            Action::Coup(target) | Action::Assassinate(target) => self.give_up(target.index()),
            Action::Steal(target) => {
                let target = target.index();
                let booty = coins[target].min(2);
                coins[target] -= booty;
                coins[actor] += booty;
            }
            Action::Exchange => {
                let mut cards = [0; 4];
                let own = self.table.hands[actor];
                let mut deck = self.table.deck();
                for place in &mut cards[..2] {
                    let card = self.luck.place(&deck);
                    deck[card] = deck[card].saturating_sub(1);
                    *place = card as Card;
                }
                let count = own.cards().len();
                cards[2..2 + count].copy_from_slice(own.cards());
                self.table.hands[actor] = best_cards(&cards[..2 + count], count);
            }
        }
    }
}

/// How often a seat claims what it does not hold, and doubts what can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BluffRates {
    /// Rate of claiming a character that it lacks for an action, each time that it looks for one.
    pub(super) claims: f64,
    /// Rate of blocking without the card.
    pub(super) blocks: f64,
    /// Rate of challenging a claim that can be true.
    pub(super) doubts: f64,
}

/// Claims what it holds and believes what can be: the manner of `greedy`.
pub(super) const HONEST: BluffRates = BluffRates { claims: 0.0, blocks: 0.0, doubts: 0.0 };

pub(super) const BLUFFER: BluffRates = BluffRates { claims: 0.35, blocks: 0.35, doubts: 0.15 };

/// The seat that thinks: as it hopes to go on.
pub(super) const OWN: BluffRates = BluffRates { claims: 0.5, blocks: 0.5, doubts: 0.05 };

impl BluffRates {
    /// The action of a turn: the first of the order of `greedy` that it dares.
    pub(super) fn act(self, table: &CourtState, seat: usize, luck: &mut FastRng) -> Action {
        let coins = table.coins[seat];
        let target = |rank: &dyn Fn(usize) -> u32| {
            // Of equals, the next in the order of turns.
            let mut best: Option<(u32, usize)> = None;
            for other in table.other_seats(seat) {
                let rank = rank(other);
                if best.is_none_or(|(most, _)| rank > most) {
                    best = Some((rank, other));
                }
            }
            best.map(|(_, other)| other)
        };
        let strength =
            |other: usize| u32::from(table.hands[other].len()) << 8 | u32::from(table.coins[other]);
        let strongest = || target(&strength).and_then(Seat::new);
        let hand = table.hands[seat];
        let mut dares = |card| {
            hand.holds(card)
                || (self.claims > 0.0 && !table.sees_all(seat, card) && luck.unit() < self.claims)
        };
        if coins >= 7
            && let Some(other) = strongest()
        {
            return Action::Coup(other);
        }
        if coins >= 3
            && dares(ASSASSIN)
            && let Some(other) = strongest()
        {
            return Action::Assassinate(other);
        }
        if dares(DUKE) {
            return Action::Tax;
        }
        let booty = |other: usize| match table.thwarted[seat] >> other & 1 {
            0 => u32::from(table.coins[other].min(2)) << 16 | strength(other),
            _ => 0,
        };
        if let Some(other) = target(&booty)
            && booty(other) >> 16 > 0
            && dares(CAPTAIN)
            && let Some(other) = Seat::new(other)
        {
            return Action::Steal(other);
        }
        if hand.holds(AMBASSADOR) {
            return Action::Exchange;
        }
        if table.aid_is_guarded(seat) { Action::Income } else { Action::ForeignAid }
    }

    pub(super) fn challenges(
        self,
        table: &CourtState,
        seat: usize,
        card: Card,
        luck: &mut FastRng,
    ) -> bool {
        table.sees_all(seat, card) || (self.doubts > 0.0 && luck.unit() < self.doubts)
    }

    /// The card with which the seat blocks an action, if it does.
    pub(super) fn block(
        self,
        table: &CourtState,
        seat: usize,
        act: Action,
        luck: &mut FastRng,
    ) -> Option<Card> {
        let hand = table.hands[seat];
        let blockers = act.blockers().iter().map(|card| *card as Card);
        let held = blockers.clone().filter(|card| hand.holds(*card));
        if let Some(card) = held.min_by_key(|card| worth(*card)) {
            return Some(card);
        }
        if self.blocks <= 0.0 || (act == Action::ForeignAid && luck.unit() < 0.5) {
            return None;
        }
        let can = blockers.into_iter().find(|card| !table.sees_all(seat, *card));
        can.filter(|_| luck.unit() < self.blocks)
    }

    /// Returns true if the seat challenges an assassination that would take its last card, for which it
    /// has no contessa: else it blocks in a bluff.
    pub(super) fn doubts_the_last(self, luck: &mut FastRng) -> bool {
        self.blocks <= 0.0 || luck.unit() < 0.5
    }
}

/// The cards that a seat keeps of four or three: different ones of the greatest worth.
fn best_cards(cards: &[Card], count: usize) -> SeatCards {
    let mut left: Vec<Card> = cards.to_vec();
    left.sort_by_key(|card| std::cmp::Reverse(worth(*card)));
    let mut different = left.clone();
    different.dedup();
    if different.len() >= count {
        return SeatCards::new(different.into_iter().take(count));
    }
    SeatCards::new(left.into_iter().take(count))
}

/// What a turn came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnResult {
    /// It is this seat's turn.
    Turn(usize),
    /// The game is over, with its winner.
    Over(Option<usize>),
}

/// Plays a move, and then by manners to the end of the turn; `None` if that cannot be.
pub(super) fn play(
    game: &mut Coup,
    mv: Move,
    manners: &[BluffRates; SEATS],
    nature: &mut Nature,
    luck: &mut FastRng,
) -> Option<TurnResult> {
    let mut events = Vec::new();
    game.play(&mv, &mut events).ok()?;
    loop {
        match game.turn() {
            Turn::Over(_) => return Some(TurnResult::Over(CourtState::from_game(game).winner())),
            Turn::Nature => {
                let chance = game.sample(nature)?;
                game.happen(&chance, &mut events).ok()?;
            }
            Turn::Seat(seat) => {
                if let Some(Obligation::Act(_)) = game.current_debt() {
                    return Some(TurnResult::Turn(seat.index()));
                }
                let mv = answer(game, seat, manners.get(seat.index())?, luck)?;
                game.play(&mv, &mut events).ok()?;
            }
        }
        events.clear();
    }
}

fn answer(game: &Coup, seat: Seat, manner: &BluffRates, luck: &mut FastRng) -> Option<Move> {
    let mut legal = Vec::new();
    // A list that is cut has a move, too.
    let _ = game.legal_moves(&mut legal);
    let table = CourtState::from_game(game);
    let place = seat.index();
    let is_legal = |mv: Move| legal.contains(&mv).then_some(mv);
    let block = |luck: &mut FastRng| {
        let card = manner.block(&table, place, game.action()?, luck)?;
        legal.iter().copied().find(|mv| matches!(mv, Move::Block(other) if *other as Card == card))
    };
    let claim = game.view(seat).claim().map(|(_, card)| card as Card);
    let doubts = |luck: &mut FastRng| {
        let doubts = claim.is_some_and(|card| manner.challenges(&table, place, card, luck));
        doubts.then(|| is_legal(Move::Challenge)).flatten()
    };
    let last = |luck: &mut FastRng| {
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
