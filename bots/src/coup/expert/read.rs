//! From a request to what the table is asked, the situation that its history leads to, and from choices to moves.

use rules::coup::{Action, Character, Coup, Event, Hand, Move};
use rules::{Request, Seat};

use crate::coup::expert::cards::{Card, PAIR, PAIR_CARDS, exchanges};
use crate::coup::expert::situation::{
    ChallengeResult, Choice, NextStep, Situation, Stage, TurnSide,
};

/// The open situation, and the roles of the seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActorSituation {
    /// The situation, as seen from the turn.
    pub situation: Situation,
    pub actor: Seat,
}

impl ActorSituation {
    /// The situation that a request asks about; `None` if its history is none of a game that
    /// goes on.
    pub fn read(request: &Request<Coup>) -> Option<ActorSituation> {
        ActorSituation::from_events(&request.events())
    }

    pub fn from_events(events: &[Event]) -> Option<ActorSituation> {
        let mut reading = ActorSituation::start()?;
        let mut challenged = false;
        for event in events {
            challenged = matches!(event, Event::Move { mv: Move::Challenge, .. });
            reading.observe(event)?;
        }
        // A seat is asked after a challenge only where it cannot show the card.
        if challenged {
            reading.go_on(reading.situation.after_challenge(ChallengeResult::Missing))?;
        }
        Some(reading)
    }

    pub fn start() -> Option<ActorSituation> {
        Some(ActorSituation { situation: Situation::START, actor: Seat::new(0)? })
    }

    /// Goes on with an event; `None` if the game is over with it, or it is none of this game.
    pub fn observe(&mut self, event: &Event) -> Option<()> {
        match *event {
            Event::Move { seat, mv } => self.learn(seat, mv),
            Event::KeepUnseen { .. } => self.go_on(self.situation.after_exchange()),
            Event::Deal { .. } | Event::Draw { .. } => Some(()),
            Event::Lost { .. } | Event::Winner(_) => None,
        }
    }

    fn learn(&mut self, seat: Seat, mv: Move) -> Option<()> {
        let situation = self.situation;
        let next = match mv {
            Move::End | Move::Challenge => return Some(()),
            // A coup that must be is made already.
            Move::Act(Action::Coup(_)) if situation.stage == Stage::OtherLoses => return Some(()),
            Move::Act(action) => situation.after(chosen(action)),
            Move::Pass => situation.after(Choice::Pass),
            Move::Block(card) => situation.after(Choice::Block(card as Card)),
            Move::Show(_) => situation.after_challenge(ChallengeResult::There),
            Move::Keep(_) => situation.after_exchange(),
            Move::Lose(card) => return self.lose(seat, card),
        };
        self.go_on(next)
    }

    /// A card is lost: to the challenge or to the assassin that the situation has, or that was
    /// settled before.
    fn lose(&mut self, seat: Seat, card: Character) -> Option<()> {
        self.owe(seat)?;
        self.go_on(self.situation.after_loss(card as Card))
    }

    /// Goes on to where a seat owes a card, which it is about to give up.
    pub fn owe(&mut self, seat: Seat) -> Option<()> {
        let loser = self.side(seat);
        match self.situation.stage.claim() {
            Some((claimer, _)) if claimer == loser => {
                self.go_on(self.situation.after_challenge(ChallengeResult::Missing))
            }
            Some(_) => self.go_on(self.situation.after(Choice::Pass)),
            None => Some(()),
        }
    }

    pub fn side(&self, seat: Seat) -> TurnSide {
        if seat == self.actor { TurnSide::Actor } else { TurnSide::Other }
    }

    fn go_on(&mut self, next: NextStep) -> Option<()> {
        match next {
            NextStep::Won(_) => return None,
            NextStep::Same(situation) => self.situation = situation,
            NextStep::Turned(situation) | NextStep::Coup(situation) => {
                self.situation = situation;
                self.actor = Seat::first(2).find(|seat| *seat != self.actor)?;
            }
        }
        Some(())
    }

    /// The number of a hand in this situation; in an exchange, of all its cards.
    pub fn hand(&self, hand: Hand) -> Option<usize> {
        let place = |card: &Character| *card as usize;
        match (self.situation.stage, hand.cards()) {
            (Stage::Exchange, cards) => {
                let (own, drawn) = cards.split_at_checked(cards.len().checked_sub(2)?)?;
                let [first, second] = drawn else { return None };
                let own = match own {
                    [card] => place(card),
                    [low, high] => usize::from(PAIR[place(low)][place(high)]),
                    _ => return None,
                };
                let drawn = usize::from(PAIR[place(first)][place(second)]);
                Some(usize::from(exchanges(cards.len() - 2).joined[own][drawn]))
            }
            (_, [card]) => Some(place(card)),
            (_, [first, second]) => Some(usize::from(PAIR[place(first)][place(second)])),
            _ => None,
        }
    }
}

pub fn chosen(action: Action) -> Choice {
    match action {
        Action::Income => Choice::Income,
        Action::ForeignAid => Choice::ForeignAid,
        Action::Coup(_) => Choice::Coup,
        Action::Tax => Choice::Tax,
        Action::Assassinate(_) => Choice::Assassinate,
        Action::Steal(_) => Choice::Steal,
        Action::Exchange => Choice::Exchange,
    }
}

/// The move that a way to choose comes to, given the situation and the number of the hand; nothing
/// where the request makes no sense to it.
///
/// A coup that wins is made without asking.
pub fn answer(
    request: &Request<Coup>,
    mut choose: impl FnMut(&Situation, usize) -> Option<Choice>,
) -> Option<Move> {
    let other = Seat::first(2).find(|seat| *seat != request.heading.seat)?;
    let coup = Move::Act(Action::Coup(other));
    let reading = ActorSituation::read(request)?;
    let situation = reading.situation;
    if situation.stage == Stage::Act
        && situation.cards(TurnSide::Other) == 1
        && request.legal.contains(&coup)
    {
        return Some(coup);
    }
    let hand = reading.hand(request.view.hand)?;
    let choice = choose(&situation, hand)?;
    let mv = if choice == Choice::Pass && situation.stage == Stage::AnswerAssassinate {
        // To pass is to give up a card, and the rules ask at once for which.
        let lost = match situation.after(choice) {
            NextStep::Same(loses) => lost_card(choose(&loses, hand)?, hand)?,
            _ => hand as Card,
        };
        Move::Lose(character(lost)?)
    } else {
        spoken(choice, &situation, hand, other)?
    };
    request.legal.contains(&mv).then_some(mv)
}

fn spoken(choice: Choice, situation: &Situation, hand: usize, other: Seat) -> Option<Move> {
    Some(match choice {
        Choice::Income => Move::Act(Action::Income),
        Choice::ForeignAid => Move::Act(Action::ForeignAid),
        Choice::Coup => Move::Act(Action::Coup(other)),
        Choice::Tax => Move::Act(Action::Tax),
        Choice::Assassinate => Move::Act(Action::Assassinate(other)),
        Choice::Steal => Move::Act(Action::Steal(other)),
        Choice::Exchange => Move::Act(Action::Exchange),
        Choice::Pass => Move::Pass,
        Choice::Challenge => Move::Challenge,
        Choice::Block(card) => Move::Block(character(card)?),
        Choice::LoseLow | Choice::LoseHigh => Move::Lose(character(lost_card(choice, hand)?)?),
        Choice::Keep(place) => {
            let cards = situation.cards(TurnSide::Actor);
            let kept = *exchanges(cards).keeps.get(hand)?.get(usize::from(place))?;
            let kept = match cards {
                1 => Hand::new(&[character(kept)?])?,
                _ => {
                    let [low, high] = *PAIR_CARDS.get(usize::from(kept))?;
                    Hand::new(&[character(low)?, character(high)?])?
                }
            };
            Move::Keep(kept)
        }
    })
}

fn character(card: Card) -> Option<Character> {
    Character::ALL.get(usize::from(card)).copied()
}

/// The card of a pair that a choice gives up.
fn lost_card(choice: Choice, hand: usize) -> Option<Card> {
    let [low, high] = *PAIR_CARDS.get(hand)?;
    Some(if choice == Choice::LoseHigh { high } else { low })
}
