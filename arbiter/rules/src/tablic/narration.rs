//! A game of Tablić as running text for people.

use text::columns::{padded, widest};

use crate::game::Game;
use crate::narrator::Narrator;
use crate::seat::PerSeat;
use crate::tablic::event::{Event, Place, Tally};
use crate::tablic::game::{HAND, Tablic};
use crate::tablic::points::MOST_CARDS;

/// Width of a move, so that the tables after it stand in line.
const MOVE_WIDTH: usize = 24;

/// Number of cards dealt to hands in a game, for any number of seats.
const FOR_HANDS: usize = 48;

impl Tablic {
    /// An event in one or two lines, told with the table as it is after it.
    pub(crate) fn tell(&self, event: &Event, names: &PerSeat<String>) -> String {
        let width = widest(names.values()).max("table".len());
        match event {
            Event::Deal { to: Place::Table, cards } => {
                format!("{}\n  {:width$}  {cards}\n", self.which_deal(), "table")
            }
            Event::Deal { to: Place::Hand(seat), cards } => {
                let heading = match (seat.index(), self.deal_number()) {
                    (0, 2..) => format!("\n{}\n", self.which_deal()),
                    _ => String::new(),
                };
                format!("{heading}  {}  {cards}\n", padded(&names[*seat], width))
            }
            Event::Move { seat, mv } => {
                let played = match mv.captured.is_empty() {
                    true => mv.card.to_string(),
                    false => format!("{} takes {}", mv.card, mv.captured),
                };
                let table = match self.table().is_empty() {
                    true => "table empty".to_owned(),
                    false => format!("table {}", self.table()),
                };
                let name = padded(&names[*seat], width);
                format!("{name}  {played:MOVE_WIDTH$}  {table}\n")
            }
            Event::Tabla(seat) => format!("{}  tabla!\n", padded(&names[*seat], width)),
            Event::Rest { to: Some(seat), cards } => {
                let narrator = Narrator::of(&names[*seat]);
                let (name, get) = (padded(narrator.subject(), width), narrator.verb("get"));
                format!("\n{name}  captured last and {get} the rest: {cards}\n")
            }
            Event::Rest { to: None, cards } => {
                format!("\nno one captured, so no one gets the rest: {cards}\n")
            }
            Event::Score { seat, tally } => {
                format!("{}  {}\n", padded(&names[*seat], width), tally_text(tally))
            }
        }
    }

    fn which_deal(&self) -> String {
        let deals = FOR_HANDS.div_ceil(HAND * self.seats());
        format!("deal {} of {deals}", self.deal_number())
    }

    /// The number of the deal going on, from 1.
    fn deal_number(&self) -> usize {
        let dealt = FOR_HANDS - self.talon().len().min(FOR_HANDS);
        dealt.div_ceil(HAND * self.seats()).max(1)
    }
}

fn tally_text(tally: &Tally) -> String {
    let many = |count: u32, one: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    };
    let most = match tally.most {
        true => format!(" (the most: {MOST_CARDS} points)"),
        false => String::new(),
    };
    format!(
        "{}, {}{most}, {}",
        many(tally.points, "point"),
        many(tally.cards, "card"),
        many(tally.tablas, "tabla")
    )
}
