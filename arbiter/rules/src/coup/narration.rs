//! A game of Coup as running text for people.

use crate::columns::{padded, widest};
use crate::coup::action::Action;
use crate::coup::event::Event;
use crate::coup::game::Coup;
use crate::coup::moves::Move;
use crate::per_seat::PerSeat;
use crate::seat::Seat;

/// How wide a decision is written, so that the coins after it stand in line.
const MOVE_WIDTH: usize = 36;

impl Coup {
    /// An event in one line, decisions with the coins as they are after it.
    pub(super) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names);
        let line = |seat: Seat, told: &str| format!("{}  {told}\n", padded(&names[seat], width));
        match event {
            Event::Deal { to, cards } => line(*to, &format!("is dealt {cards}")),
            Event::Draw { to, cards } => line(*to, &format!("draws {cards}")),
            Event::Move { seat, mv: Move::End } | Event::KeepUnseen { seat, .. } => {
                line(*seat, &self.with_coins("ends the turn", names))
            }
            Event::Move { seat, mv } => line(*seat, &self.with_coins(&told(mv, names), names)),
            Event::Lost { seat, card } => line(*seat, &format!("loses {card} with it")),
            Event::Winner(Some(seat)) => line(*seat, "wins"),
            Event::Winner(None) => "no one wins\n".to_owned(),
        }
    }

    fn with_coins(&self, told: &str, names: &PerSeat<String>) -> String {
        let coins = names.seats().map(|seat| self.coins(seat).to_string());
        format!("{told:MOVE_WIDTH$}  coins {}", coins.collect::<Vec<String>>().join(" "))
    }
}

fn told(mv: &Move, names: &PerSeat<String>) -> String {
    match mv {
        Move::Act(Action::Income) => "takes income".to_owned(),
        Move::Act(Action::ForeignAid) => "asks for foreign aid".to_owned(),
        Move::Act(Action::Coup(seat)) => format!("launches a coup against {}", names[*seat]),
        Move::Act(Action::Tax) => "claims duke and takes tax".to_owned(),
        Move::Act(Action::Assassinate(seat)) => {
            format!("claims assassin against {}", names[*seat])
        }
        Move::Act(Action::Steal(seat)) => format!("claims captain against {}", names[*seat]),
        Move::Act(Action::Exchange) => "claims ambassador to exchange".to_owned(),
        Move::Pass => "lets it pass".to_owned(),
        Move::Challenge => "challenges".to_owned(),
        Move::Block(character) => format!("claims {character} and blocks"),
        Move::Show(character) => format!("shows {character}"),
        Move::Lose(character) => format!("loses {character}"),
        Move::Keep(cards) => format!("keeps {cards}"),
        Move::End => "ends the turn".to_owned(),
    }
}
