//! A game of Durak as running text for people.

use text::columns::{padded, widest};

use crate::durak::event::Event;
use crate::durak::game::Durak;
use crate::durak::moves::Move;
use crate::narrator::Narrator;
use crate::seat::{PerSeat, Seat};

/// Width of a decision, so that the tables after it stand in line.
const MOVE_WIDTH: usize = 16;

impl Durak {
    /// An event in one line, decisions with the table as it is after them.
    pub(super) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names.values());
        let narrator = |seat: Seat| Narrator::of(&names[seat]);
        let line = |seat: Seat, told: &str| {
            format!("{}  {told}\n", padded(narrator(seat).subject(), width))
        };
        match event {
            Event::Deal { to, cards } => {
                line(*to, &format!("{} dealt {cards}", narrator(*to).verb("be")))
            }
            Event::Trump(card) => format!("{:width$}  {card}\n", "trump"),
            Event::First { seat, card } => {
                let (show, attack) = (narrator(*seat).verb("show"), narrator(*seat).verb("attack"));
                let told = match card {
                    Some(card) => format!("{show} {card}, the lowest trump, and {attack} first"),
                    None => format!("{attack} first, since no one holds a trump"),
                };
                line(*seat, &told)
            }
            Event::Move { seat, mv } => {
                line(*seat, &self.with_table(&move_text(mv, narrator(*seat))))
            }
            Event::Discard(cards) => format!("{:width$}  {cards}\n\n", "beaten"),
            Event::PickUp { seat, cards } => {
                line(*seat, &format!("{} up {cards}\n", narrator(*seat).verb("pick")))
            }
            Event::Draw { to, cards } => {
                line(*to, &format!("{} {cards}", narrator(*to).verb("draw")))
            }
            Event::Last { to, card } => {
                line(*to, &format!("{} the trump card {card}", narrator(*to).verb("draw")))
            }
            Event::Gone(seat) => {
                line(*seat, &format!("{} no cards left", narrator(*seat).verb("have")))
            }
            Event::Durak(Some(seat)) => {
                line(*seat, &format!("{} the durak", narrator(*seat).verb("be")))
            }
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

fn move_text(mv: &Move, narrator: Narrator<'_>) -> String {
    let verb = |infinitive| narrator.verb(infinitive);
    match mv {
        Move::Lead(card) => format!("{} {card}", verb("lead")),
        Move::Beat(card) => format!("{} with {card}", verb("beat")),
        Move::Transfer(card) => format!("{} {card}", verb("transfer")),
        Move::Take => verb("take").into_owned(),
        Move::Throw(card) => format!("{} {card}", verb("throw")),
        Move::Done => format!("{} done", verb("be")),
    }
}
