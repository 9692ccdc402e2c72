//! A game of Durak as running text for people.

use crate::columns::{padded, widest};
use crate::durak::event::Event;
use crate::durak::game::Durak;
use crate::durak::moves::Move;
use crate::per_seat::PerSeat;
use crate::seat::Seat;

/// How wide a decision is written, so that the tables after it stand in line.
const MOVE_WIDTH: usize = 16;

impl Durak {
    /// An event in one line, decisions with the table as it is after them.
    pub(super) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names);
        let line = |seat: Seat, told: &str| format!("{}  {told}\n", padded(&names[seat], width));
        match event {
            Event::Deal { to, cards } => line(*to, &format!("is dealt {cards}")),
            Event::Trump(card) => format!("{:width$}  {card}\n", "trump"),
            Event::First { seat, card: Some(card) } => {
                line(*seat, &format!("shows {card}, the lowest trump, and attacks first"))
            }
            Event::First { seat, card: None } => {
                line(*seat, "attacks first, since no one holds a trump")
            }
            Event::Move { seat, mv } => line(*seat, &self.with_table(&told(mv))),
            Event::Discard(cards) => format!("{:width$}  {cards}\n\n", "beaten"),
            Event::PickUp { seat, cards } => line(*seat, &format!("picks up {cards}\n")),
            Event::Draw { to, cards } => line(*to, &format!("draws {cards}")),
            Event::Last { to, card } => line(*to, &format!("draws the trump card {card}")),
            Event::Gone(seat) => line(*seat, "has no cards left"),
            Event::Durak(Some(seat)) => line(*seat, "is the durak"),
            Event::Durak(None) => format!("{:width$}  no one is the durak\n", "draw"),
        }
    }

    fn with_table(&self, told: &str) -> String {
        let hands: Vec<String> =
            self.hands.values().iter().map(|hand| hand.len().to_string()).collect();
        let (hands, talon) = (hands.join(" "), self.talon().len());
        match self.bout() {
            Some(bout) if !bout.table().is_empty() => {
                let table = bout.table();
                format!("{told:MOVE_WIDTH$}  table {table}; hands {hands}, talon {talon}")
            }
            _ => told.to_owned(),
        }
    }
}

fn told(mv: &Move) -> String {
    match mv {
        Move::Lead(card) => format!("leads {card}"),
        Move::Beat(card) => format!("beats with {card}"),
        Move::Transfer(card) => format!("transfers {card}"),
        Move::Take => "takes".to_owned(),
        Move::Throw(card) => format!("throws {card}"),
        Move::Done => "is done".to_owned(),
    }
}
