//! A person who plays Tablić: the card to play, then the cards to take, one or more on a line; or the whole
//! move on one line.
//!
//! The choices follow the human player of Davor Penzar's public project *tablic*. If a card of the hand is
//! named only by its rank, one of the equivalent cards is drawn, so that its suit tells nothing; if the 2 of
//! clubs or the 10 of diamonds is one of them, the person is asked to name it. From the table these two are
//! taken first. The draw follows from the seed in the request, as for every built-in bot.

mod choice;

use std::io;

use bots::tablic::{Tablic, Worth};
use rules::tablic::{Event, Move, Place, View};
use rules::{PerSeat, Request, Seat};
use text::columns::{padded, widest};

use crate::command::PersonDecision;
use crate::playable::Playable;
use crate::reveal::FinishedGame;
use crate::screen::Screen;
use choice::choose;
use text::counted;

impl Playable for Tablic {
    fn situation(view: &View, _seat: Seat, names: &PerSeat<String>) -> String {
        let points = names.iter().zip(view.points.values());
        let points: Vec<String> =
            points.map(|((_, name), points)| format!("{name} {points}")).collect();
        let table = if view.table.is_empty() { "empty".to_owned() } else { view.table.to_string() };
        format!("\npoints  {}\ntable   {table}\nhand    {}\n", points.join(", "), view.hand)
    }

    fn in_words(mv: &Move, _request: &Request<Tablic>, _names: &PerSeat<String>) -> String {
        match mv.captured.is_empty() {
            true => format!("lay down {}", mv.card),
            false => format!("take {} with {}", mv.captured, mv.card),
        }
    }

    fn reason(mv: &Move, request: &Request<Tablic>) -> String {
        let Worth { tabla, points, captured, .. } = Worth::new(*mv, request.view.table);
        if mv.captured.is_empty() {
            return "you can take nothing, and this card is worth the least".to_owned();
        }
        let cards = counted(captured, "card", "cards");
        let points = match points {
            0 => String::new(),
            _ => format!("{} and ", counted(points, "point", "points")),
        };
        let tabla = if tabla { "a tabla, " } else { "" };
        format!("{tabla}{points}{cards}, more than any other move")
    }

    fn revealed(ended: &FinishedGame<'_>) -> String {
        let FinishedGame { game, own, names, .. } = ended;
        let width = widest(names.values());
        let mut deals = PerSeat::new(names.count(), |_| 0);
        let mut text = String::new();
        for event in &game.events {
            let Ok(Event::Deal { to: Place::Hand(seat), cards }) = event.parse() else {
                continue;
            };
            if !names.has(seat) {
                continue;
            }
            deals[seat] += 1;
            if seat != *own {
                let deal = deals[seat];
                text.push_str(&format!(
                    "  deal {deal}  {}  {cards}\n",
                    padded(&names[seat], width)
                ));
            }
        }
        text
    }

    fn decide(
        request: &Request<Tablic>,
        _text: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> io::Result<PersonDecision> {
        screen.present(&Self::situation(&request.view, request.heading.seat, names))?;
        choose(request, screen)
    }
}
