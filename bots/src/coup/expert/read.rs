//! From a request to what the table is asked: the situation that its history leads to.

use rules::coup::{Action, Character, Coup, Event, Hand, Move};
use rules::{Request, Seat};

use crate::coup::expert::cards::{Card, PAIR, exchanges};
use crate::coup::expert::situation::{Choice, Found, Next, Side, Situation, Stage};

/// The open situation, and the roles of the seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The situation, as seen from the turn.
    pub situation: Situation,
    /// The seat whose turn it is.
    pub actor: Seat,
}

impl Reading {
    /// The situation that a request asks about; `None` if its history is none of a game that
    /// goes on.
    pub fn read(request: &Request<Coup>) -> Option<Reading> {
        Reading::from_events(&request.events())
    }

    /// The situation that these events lead to.
    pub fn from_events(events: &[Event]) -> Option<Reading> {
        let mut reading = Reading::start()?;
        let mut challenged = false;
        for event in events {
            challenged = matches!(event, Event::Move { mv: Move::Challenge, .. });
            reading.observe(event)?;
        }
        // A seat is asked after a challenge only where it cannot show the card.
        if challenged {
            reading.go_on(reading.situation.after_challenge(Found::Missing))?;
        }
        Some(reading)
    }

    /// The start of a game.
    pub fn start() -> Option<Reading> {
        Some(Reading { situation: Situation::START, actor: Seat::new(0)? })
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
            Move::Show(_) => situation.after_challenge(Found::There),
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
                self.go_on(self.situation.after_challenge(Found::Missing))
            }
            Some(_) => self.go_on(self.situation.after(Choice::Pass)),
            None => Some(()),
        }
    }

    /// The side that a seat is on.
    pub fn side(&self, seat: Seat) -> Side {
        if seat == self.actor { Side::Actor } else { Side::Other }
    }

    fn go_on(&mut self, next: Next) -> Option<()> {
        match next {
            Next::Won(_) => return None,
            Next::Same(situation) => self.situation = situation,
            Next::Turned(situation) | Next::Coup(situation) => {
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

/// The choice that an action is.
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
