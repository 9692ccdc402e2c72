//! The player that claims what it holds and believes what can be, but for its last card.

use std::cmp::Reverse;

use rules::coup::{
    Action, Character, Counts, Coup, CoupRules, Event, Hand, Move, Obligation, possible_hands,
};
use rules::{Request, Seat};

use crate::coup::table::{least_loss, worth};
use crate::player::{NoMove, Player};

/// Plays by hand and coins alone, and never claims what it does not hold.
///
/// - Its turn: the first that it can of coup, assassinate with the assassin, tax with the duke,
///   steal with the captain, exchange with the ambassador, and else foreign aid.
/// - It blocks whatever it holds a card against, of two the one of less
///   [worth](crate::coup::table::worth), since the card that is shown goes back.
/// - It challenges a claim that the cards it has seen make impossible. An assassination that would
///   take its last card it challenges although the claim is possible, where it has no contessa:
///   there is nothing left to lose.
/// - It gives up the card of the least worth, and keeps different cards of the greatest.
///
/// With several seats to choose from, it attacks the one of the most cards, then of the most coins, then
/// the next in the order of turns, and steals where there is most to take. At a court it steals no more
/// from a seat that has blocked a theft of its own, and takes income once a seat that is still in has
/// blocked foreign aid. If an assassin that was proven
/// comes for its last card, it blocks even without a contessa: the only claim that it does not hold. At a
/// court a claim is impossible where all three cards lie open or are its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Greedy;

impl Player<Coup> for Greedy {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let (hand, legal) = (request.view.hand, &request.legal);
        let honest_block = legal.iter().copied().filter_map(|mv| match mv {
            Move::Block(card) if hand.contains(card) => Some((worth(card), mv)),
            _ => None,
        });
        let is_legal = |mv| legal.contains(&mv).then_some(mv);
        let challenge = |reason: fn(&Request<Coup>) -> bool| {
            is_legal(Move::Challenge).filter(|_| reason(request))
        };
        action(request)
            .or_else(|| challenge(is_impossible))
            .or(honest_block.min().map(|(_, mv)| mv))
            .or_else(|| challenge(is_last_chance))
            .or_else(|| is_legal(Move::Pass))
            .or_else(|| last_block(request))
            .or_else(|| least_loss(hand, legal))
            .or(legal.first().copied())
            .ok_or(NoMove)
    }
}

/// The first action that is legal and that it holds the card for, against the best target.
fn action(request: &Request<Coup>) -> Option<Move> {
    let holds = |character| request.view.hand.contains(character);
    let wary = ExpectedBlocks::read(request);
    let rank = |action: Action| match action {
        Action::Coup(_) => Some(0),
        Action::Assassinate(_) if holds(Character::Assassin) => Some(1),
        Action::Tax if holds(Character::Duke) => Some(2),
        Action::Steal(target) if holds(Character::Captain) && !wary.thefts.contains(&target) => {
            Some(3)
        }
        Action::Exchange if holds(Character::Ambassador) => Some(4),
        Action::ForeignAid if !wary.aid => Some(5),
        Action::Income => Some(6),
        _ => None,
    };
    let actions = request.legal.iter().filter_map(|mv| match mv {
        Move::Act(action) => Some((rank(*action)?, Reverse(attraction(*action, request)), *mv)),
        _ => None,
    });
    actions.min().map(|(.., mv)| mv)
}

/// How much the target of an action invites it: what a theft takes, then cards, coins and nearness.
fn attraction(action: Action, request: &Request<Coup>) -> Option<(u32, u32, u32, Reverse<usize>)> {
    let (view, own) = (&request.view, request.heading.seat);
    let (target, seats) = (action.target()?, view.coins.count());
    if !view.coins.has(target) || !view.hands.has(target) {
        return None;
    }
    let (coins, cards) = (view.coins[target], view.hands[target]);
    let ahead = (target.index() + seats).saturating_sub(own.index()) % seats;
    let taken = if matches!(action, Action::Steal(_)) { action.brings(coins) } else { 0 };
    Some((taken, cards, coins, Reverse(ahead)))
}

/// The block of an assassination that would take its last card, where nothing else can stop it.
fn last_block(request: &Request<Coup>) -> Option<Move> {
    let is_last = request.view.hand.len() == 1;
    let block = |mv: &&Move| matches!(mv, Move::Block(_));
    request.legal.iter().find(block).copied().filter(|_| is_last)
}

/// Returns true if the claim that can be challenged now is false for certain.
pub(super) fn is_impossible(request: &Request<Coup>) -> bool {
    let Some((_, card)) = request.view.claim() else { return false };
    if let CoupRules::Court(_) = request.options.rules {
        let lost = request.view.lost.values().iter().copied().flatten();
        let seen = lost.chain(request.view.hand).filter(|other| *other == card);
        return seen.count() as u32 == Counts::PACK.count(card);
    }
    let hands: Vec<(Hand, f64)> = possible_hands(request.heading.seat, &request.events());
    !hands.is_empty() && hands.iter().all(|(hand, _)| !hand.contains(card))
}

/// Returns true if nothing is lost by a wrong challenge: an assassin is coming for the last card.
pub(super) fn is_last_chance(request: &Request<Coup>) -> bool {
    let view = &request.view;
    let answers = matches!(view.owed.last(), Some(Obligation::Answer(_)));
    answers && view.hand.len() == 1 && !request.legal.contains(&Move::Pass)
}

/// The blocks of a game so far that are likely to come again; none by the rules of the contest, where a
/// turn spent on them costs little.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct ExpectedBlocks {
    /// The seats that have blocked a theft of its own.
    thefts: Vec<Seat>,
    /// True if another seat that is still in has blocked foreign aid.
    aid: bool,
}

impl ExpectedBlocks {
    fn read(request: &Request<Coup>) -> ExpectedBlocks {
        let mut wary = ExpectedBlocks::default();
        if request.options.rules == CoupRules::Contest {
            return wary;
        }
        let own = request.heading.seat;
        let hands = &request.view.hands;
        let mut current = None;
        for event in request.events() {
            match event {
                Event::Move { seat, mv: Move::Act(action) } => current = Some((seat, action)),
                Event::Move { seat, mv: Move::Block(_) } => match current {
                    Some((thief, Action::Steal(_))) if thief == own => wary.thefts.push(seat),
                    Some((_, Action::ForeignAid)) if seat != own && hands.has(seat) => {
                        wary.aid |= hands[seat] > 0;
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        wary
    }
}
