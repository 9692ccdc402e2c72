//! A game of Coup as running text for people.

use text::columns::{padded, widest};

use crate::coup::event::Event;
use crate::coup::game::Coup;
use crate::coup::moves::{Action, Move};
use crate::narrator::Narrator;
use crate::seat::{PerSeat, Seat};

/// Width of a decision, so that the coins after it stand in line.
const MOVE_WIDTH: usize = 36;

impl Coup {
    /// An event in one line, decisions with the coins as they are after it.
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
            Event::Draw { to, cards } => {
                line(*to, &format!("{} {cards}", narrator(*to).verb("draw")))
            }
            Event::KeepUnseen { seat, .. } => {
                line(*seat, &self.with_coins(&move_text(&Move::End, narrator(*seat), names), names))
            }
            Event::Move { seat, mv } => {
                line(*seat, &self.with_coins(&move_text(mv, narrator(*seat), names), names))
            }
            Event::Lost { seat, card } => {
                line(*seat, &format!("{} {card} with it", narrator(*seat).verb("lose")))
            }
            Event::Winner(Some(seat)) => line(*seat, &narrator(*seat).verb("win")),
            Event::Winner(None) => "no one wins\n".to_owned(),
        }
    }

    fn with_coins(&self, told: &str, names: &PerSeat<String>) -> String {
        let coins = names.seats().map(|seat| self.coins(seat).to_string());
        format!("{told:MOVE_WIDTH$}  coins {}", coins.collect::<Vec<String>>().join(" "))
    }
}

fn move_text(mv: &Move, narrator: Narrator<'_>, names: &PerSeat<String>) -> String {
    let verb = |infinitive| narrator.verb(infinitive);
    match mv {
        Move::Act(Action::Income) => format!("{} income", verb("take")),
        Move::Act(Action::ForeignAid) => format!("{} for foreign aid", verb("ask")),
        Move::Act(Action::Coup(seat)) => {
            format!("{} a coup against {}", verb("launch"), names[*seat])
        }
        Move::Act(Action::Tax) => format!("{} duke and {} tax", verb("claim"), verb("take")),
        Move::Act(Action::Assassinate(seat)) => {
            format!("{} assassin against {}", verb("claim"), names[*seat])
        }
        Move::Act(Action::Steal(seat)) => {
            format!("{} captain against {}", verb("claim"), names[*seat])
        }
        Move::Act(Action::Exchange) => format!("{} ambassador to exchange", verb("claim")),
        Move::Pass => format!("{} it pass", verb("let")),
        Move::Challenge => verb("challenge").into_owned(),
        Move::Block(character) => format!("{} {character} and {}", verb("claim"), verb("block")),
        Move::Show(character) => format!("{} {character}", verb("show")),
        Move::Lose(character) => format!("{} {character}", verb("lose")),
        Move::Keep(cards) => format!("{} {cards}", verb("keep")),
        Move::End => format!("{} the turn", verb("end")),
    }
}
