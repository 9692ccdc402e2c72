//! A request as a state of the game without the other hand, and what each of its moves comes to.

use rules::coup::{Action, Character, Coup, Hand, Move, Obligation, possible_hands};
use rules::{Request, Seat};

use crate::coup::expert::cards::{Card, PAIR, PAIR_CARDS, PAIRS, exchanges};
use crate::coup::expert::position::Position;
use crate::coup::expert::read::{ActorSituation, chosen};
use crate::coup::expert::situation::{Choice, NextStep, Situation, Stage, TurnSide};
use crate::coup::minimax::belief::{UnorderedHand, Weights};
use crate::coup::table::SeatStates;

const MOST_COINS: u32 = 12;

/// A decision with all its different moves.
#[derive(Debug)]
pub(in crate::coup) struct Decision {
    /// The moves, and how each begins.
    pub(in crate::coup) moves: Vec<(Move, MoveResult)>,
    /// The place of the move that was given to [`read`](Decision::read).
    pub(in crate::coup) played: usize,
    /// The state, without the hand of the other seat.
    position: Position,
    other: TurnSide,
}

/// What a move comes to.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::coup) enum MoveResult {
    /// This part of a win.
    Certain(f64),
    /// These choices, one after the other.
    Choices(Vec<Choice>),
}

impl Decision {
    /// Reads a request with one of its legal moves, which stands for all that come to the same;
    /// `None` if the request contradicts itself or the move is not legal in it.
    pub(in crate::coup) fn read(request: &Request<Coup>, played: &Move) -> Option<Decision> {
        if has_lost(request) {
            return Some(Decision::of_lost_seat(*played));
        }
        let asked = RequestSituation::read(request)?;
        let mut moves: Vec<(Move, MoveResult)> = Vec::new();
        let mut place_played = None;
        for mv in &request.legal {
            let course = asked.course(*mv)?;
            let same = moves.iter().position(|(_, other)| *other == course);
            let place = same.unwrap_or(moves.len());
            if same.is_none() {
                moves.push((*mv, course));
            }
            if mv == played {
                moves[place].0 = *mv;
                place_played = Some(place);
            }
        }
        let (position, other) = (asked.position(), asked.side.opposite());
        Some(Decision { moves, played: place_played?, position, other })
    }

    /// The decision of a seat that has lost already, so that all its moves are one.
    fn of_lost_seat(played: Move) -> Decision {
        let moves = vec![(played, MoveResult::Certain(0.0))];
        let position = Position::new([[0, 0], [0, 0]]);
        Decision { moves, played: 0, position, other: TurnSide::Other }
    }

    /// The moves with the part of a win that each is, if that is certain of all of them.
    pub(in crate::coup) fn certain(&self) -> Option<Vec<(Move, f64)>> {
        let certain = self.moves.iter().map(|(mv, course)| match course {
            MoveResult::Certain(share) => Some((*mv, *share)),
            MoveResult::Choices(_) => None,
        });
        certain.collect()
    }

    /// The state with this hand of the other seat.
    pub(in crate::coup) fn with_hand(&self, hand: u8) -> Position {
        let mut position = self.position;
        position.hands[self.other.index()] = hand;
        position
    }

    /// The hands that the other seat may hold by these weights: each by its number, with its weight.
    pub(in crate::coup) fn hands(&self, weights: Weights) -> impl Iterator<Item = (u8, f64)> {
        let pairs = self.position.situation.cards(self.other) == 2;
        let hands = UnorderedHand::all().zip(weights);
        hands.filter(move |(holding, weight)| *weight > 0.0 && (holding.size() == 2) == pairs).map(
            move |(holding, weight)| {
                let hand = if pairs { holding.index() } else { holding.index() - PAIRS };
                (hand as u8, weight)
            },
        )
    }

    /// The choices that the move played was, each with its situation and hand.
    pub(in crate::coup) fn played_choices(&self) -> Vec<(Situation, usize, Choice)> {
        let Some((_, MoveResult::Choices(choices))) = self.moves.get(self.played) else {
            return Vec::new();
        };
        let (mut situation, hand) = (self.position.situation, self.position.hand());
        let made = choices.iter().map(|choice| {
            let made = (situation, hand, *choice);
            if let NextStep::Same(next) = situation.after(*choice) {
                situation = next;
            }
            made
        });
        made.collect()
    }
}

/// A request that agrees with its history, as far as that is open.
struct RequestSituation<'a> {
    request: &'a Request<Coup>,
    reading: ActorSituation,
    side: TurnSide,
    /// The number of its hand; in an exchange, of all its cards.
    hand: usize,
}

impl<'a> RequestSituation<'a> {
    fn read(request: &'a Request<Coup>) -> Option<RequestSituation<'a>> {
        let SeatStates { own, other } = SeatStates::read(request)?;
        let reading = ActorSituation::read(request)?;
        let situation = &reading.situation;
        let side = reading.side(own.seat);
        let hand = reading.hand(request.view.hand)?;
        let has_moved = is_loss(situation.stage);
        for (side, seated) in [(side, own), (side.opposite(), other)] {
            let coins = u32::from(situation.coins[side.index()]);
            let lost = situation.lost[side.index()].checked_sub(1);
            let lost_there: Vec<Card> = seated.lost.into_iter().map(|card| card as Card).collect();
            let agrees = (has_moved || coins == seated.coins)
                && coins.max(seated.coins) <= MOST_COINS
                && lost.into_iter().eq(lost_there);
            if !agrees {
                return None;
            }
        }
        let drawn = usize::from(situation.stage == Stage::Exchange && side == TurnSide::Actor) * 2;
        let cards = request.view.hand.len() == situation.cards(side) + drawn
            && other.cards as usize == situation.cards(side.opposite());
        // A coup that must be is made already where it is read.
        let is_forced = situation.stage == Stage::OtherLoses && side == TurnSide::Actor;
        let is_asked = situation.stage.decides() == side || is_forced;
        let goes_on = request.view.decisions < 200 && is_asked && cards;
        goes_on.then_some(RequestSituation { request, reading, side, hand })
    }

    /// What a move comes to; `None` if it is none of this situation.
    fn course(&self, mv: Move) -> Option<MoveResult> {
        let (situation, hand) = (&self.reading.situation, self.hand);
        let other = opponent(self.request.heading.seat)?;
        let choice = match mv {
            Move::Act(action) if action.target().is_some_and(|target| target != other) => {
                return None;
            }
            Move::Act(Action::Coup(_)) if situation.stage == Stage::OtherLoses => {
                return (self.side == TurnSide::Actor).then_some(MoveResult::Choices(Vec::new()));
            }
            Move::Act(Action::Coup(_)) if situation.cards(TurnSide::Other) == 1 => {
                let can = situation.choices().contains(&Choice::Coup);
                return can.then_some(MoveResult::Certain(1.0));
            }
            Move::Act(action) => chosen(action),
            Move::Pass if situation.stage == Stage::AnswerAssassinate => return None,
            Move::Pass => Choice::Pass,
            Move::Challenge => Choice::Challenge,
            Move::Block(card) => Choice::Block(card as Card),
            Move::Lose(card) => return self.loss(card),
            Move::Keep(kept) => self.keep(kept)?,
            Move::Show(_) | Move::End => return None,
        };
        let options = situation.choices().get(..situation.options(hand))?;
        options.contains(&choice).then(|| MoveResult::Choices(vec![choice]))
    }

    fn loss(&self, card: Character) -> Option<MoveResult> {
        let (situation, hand) = (&self.reading.situation, self.hand);
        let passes = situation.stage == Stage::AnswerAssassinate;
        if situation.cards(self.side) == 1 {
            let held = passes && self.request.view.hand.contains(card);
            return held.then_some(MoveResult::Certain(0.0));
        }
        let [low, high] = *PAIR_CARDS.get(hand)?;
        let choice = match card as Card {
            card if card == low => Choice::LoseLow,
            card if card == high => Choice::LoseHigh,
            _ => return None,
        };
        let choices = if passes { vec![Choice::Pass, choice] } else { vec![choice] };
        (passes || is_loss(situation.stage)).then_some(MoveResult::Choices(choices))
    }

    /// Hands of the same cards are one.
    fn keep(&self, kept: Hand) -> Option<Choice> {
        let kept = match *kept.cards() {
            [card] => card as u8,
            [one, other] => PAIR[one as usize][other as usize],
            _ => return None,
        };
        let cards = self.reading.situation.cards(TurnSide::Actor);
        let keeps = exchanges(cards).keeps.get(self.hand)?;
        let place = keeps.iter().position(|other| *other == kept)?;
        Some(Choice::Keep(u8::try_from(place).ok()?))
    }

    /// The state, without the hand of the other seat.
    fn position(&self) -> Position {
        let ActorSituation { situation, actor } = self.reading;
        let mut position = Position::new([[0, 0], [0, 0]]);
        position.situation = situation;
        position.actor = actor.index();
        position.decisions = self.request.view.decisions;
        match situation.stage {
            Stage::Exchange => position.together = self.hand as u8,
            _ => position.hands[self.side.index()] = self.hand as u8,
        }
        position
    }
}

/// Returns true if the seat that is asked owes all its cards, and only says which it gives up first.
fn has_lost(request: &Request<Coup>) -> bool {
    let Request { heading, view, legal, .. } = request;
    let costs = |debt: &Obligation| match debt {
        // The assassin comes for another one.
        Obligation::Prove(seat, Character::Contessa) if *seat == heading.seat => 2,
        Obligation::Prove(seat, _) | Obligation::Lose(seat) if *seat == heading.seat => 1,
        _ => 0,
    };
    let gives_up = |mv: &Move| matches!(mv, Move::Lose(card) if view.hand.contains(*card));
    let owed: usize = view.owed.iter().map(costs).sum();
    owed >= view.hand.len().max(1)
        && legal.iter().all(gives_up)
        && !possible_hands(heading.seat, &request.events()).is_empty()
}

/// Returns true if a card is to be given up, and coins of the turn have moved.
fn is_loss(stage: Stage) -> bool {
    matches!(stage, Stage::ActorLoses | Stage::OtherLoses | Stage::OtherLosesThenExchange)
}

fn opponent(seat: Seat) -> Option<Seat> {
    Seat::first(2).find(|other| *other != seat)
}
