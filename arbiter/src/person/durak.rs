//! A person who plays Durak.

use bots::durak::Durak;
use rules::durak::{Bout, Move};
use rules::{PerSeat, Request};

use crate::person::listed::Listed;

impl Listed for Durak {
    fn situation(request: &Request<Durak>, names: &PerSeat<String>) -> String {
        let view = &request.view;
        let width = names.values().iter().map(String::len).max().unwrap_or(0).max("trump".len());
        let trump = view.trump.map_or("none".to_owned(), |card| card.to_string());
        let mut text = format!("\n{:width$}  {trump}, talon {}\n", "trump", view.talon);
        let others = names.iter().filter(|(seat, _)| *seat != request.heading.seat);
        for (seat, name) in others {
            let known = match view.known[seat].is_empty() {
                true => String::new(),
                false => format!(", among them {}", view.known[seat]),
            };
            let held = match view.hands[seat] {
                1 => "1 card".to_owned(),
                count => format!("{count} cards"),
            };
            text.push_str(&format!("{name:width$}  {held}{known}\n"));
        }
        let table = view.bout().map(|bout| bout.table().to_string()).unwrap_or_default();
        let table = if table.is_empty() { "empty".to_owned() } else { table };
        text.push_str(&format!("{:width$}  {table}\n", "table"));
        text.push_str(&format!("{:width$}  {}\n", "hand", view.hand));
        text
    }

    fn in_words(mv: &Move, request: &Request<Durak>, names: &PerSeat<String>) -> String {
        let bout = request.view.bout();
        let defender = bout.map_or("the defender", |bout| names[bout.defender()].as_str());
        let attack = bout.and_then(|bout| bout.table().unbeaten());
        let attack = attack.map_or("the attack".to_owned(), |card| card.to_string());
        let is_taken = bout.is_some_and(Bout::is_taken);
        match mv {
            Move::Lead(card) => format!("attack {defender} with {card}"),
            Move::Beat(card) => format!("beat {attack} with {card}"),
            Move::Transfer(card) => format!("pass the attack on to the next seat with {card}"),
            Move::Take => "take up all the cards".to_owned(),
            Move::Throw(card) if is_taken => format!("make {defender} take {card} as well"),
            Move::Throw(card) => format!("throw in {card}"),
            Move::Done => "throw in nothing".to_owned(),
        }
    }
}
