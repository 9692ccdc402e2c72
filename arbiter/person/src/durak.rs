//! A person who plays Durak.
//!
//! A trump has a star behind it, so it can be seen at a glance, even without colours.

use bots::durak::Durak;
use rules::durak::{Bout, Move, View};
use rules::{Card, PerSeat, Request, Seat, Suit};
use text::columns::{padded, widest};
use text::counted;

use crate::picture::with_cards;
use crate::playable::{FinishedGame, Playable};

impl Playable for Durak {
    fn situation(view: &View, own: Seat, names: &PerSeat<String>) -> String {
        let width = widest(names.values()).max("trump".len());
        let trump = view.trump.map(Card::suit);
        let starred = |cards: &dyn ToString| starred(&cards.to_string(), trump);
        let shown = view.trump.map_or("none".to_owned(), |card| starred(&card));
        let mut text = format!("\n{:width$}  {shown}, talon {}\n", "trump", view.talon);
        let others = names.iter().filter(|(seat, _)| *seat != own);
        for (seat, name) in others {
            let known = match view.known[seat].is_empty() {
                true => String::new(),
                false => format!(", among them {}", starred(&view.known[seat])),
            };
            let held = match view.hands[seat] {
                0 => "no cards".to_owned(),
                count => counted(count, "card", "cards"),
            };
            text.push_str(&format!("{}  {held}{known}\n", padded(name, width)));
        }
        let table = view.bout().map(|bout| starred(bout.table())).unwrap_or_default();
        let table = if table.is_empty() { "empty".to_owned() } else { table };
        text.push_str(&format!("{:width$}  {table}\n", "table"));
        text.push_str(&format!("{:width$}  {}\n", "hand", starred(&view.hand)));
        text
    }

    fn in_words(mv: &Move, request: &Request<Durak>, names: &PerSeat<String>) -> String {
        let trump = request.view.trump.map(Card::suit);
        let starred = |card: &Card| starred(&card.to_string(), trump);
        let bout = request.view.bout();
        let defender = bout.map_or("the defender", |bout| names[bout.defender()].as_str());
        let attack = bout.and_then(|bout| bout.table().unbeaten());
        let attack = attack.map_or("the attack".to_owned(), |card| starred(&card));
        let is_taken = bout.is_some_and(Bout::is_taken);
        match mv {
            Move::Lead(card) => format!("attack {defender} with {}", starred(card)),
            Move::Beat(card) => format!("beat {attack} with {}", starred(card)),
            Move::Transfer(card) => {
                format!("pass the attack on to the next seat with {}", starred(card))
            }
            Move::Take => "take up all the cards".to_owned(),
            Move::Throw(card) if is_taken => {
                format!("make {defender} take {} as well", starred(card))
            }
            Move::Throw(card) => format!("throw in {}", starred(card)),
            Move::Done => "throw in nothing".to_owned(),
        }
    }

    fn reason(mv: &Move, _request: &Request<Durak>) -> String {
        let reason = match mv {
            Move::Lead(_) | Move::Throw(_) => "the hand is worth more without this card",
            Move::Beat(_) | Move::Transfer(_) => "it weakens the hand less than any other answer",
            Move::Take => "the hand is worth more with these cards than after beating them",
            Move::Done => "the hand is worth more with all of its cards than without one of them",
        };
        reason.to_owned()
    }

    fn revealed(ended: &FinishedGame<'_>) -> String {
        let names = &ended.names;
        let width = widest(names.values());
        let views = ended.views();
        let mut text = String::new();
        for (seat, name) in names.iter() {
            let Ok(view) = views[seat].parse::<View>() else { continue };
            if !view.hand.is_empty() {
                let hand = starred(&view.hand.to_string(), view.trump.map(|card| card.suit()));
                text.push_str(&format!("  {}  {hand}\n", padded(name, width)));
            }
        }
        text
    }
}

/// Cards as text, trumps with a star.
pub(crate) fn starred(cards: &str, trump: Option<Suit>) -> String {
    with_cards(cards, |card, text| (Some(card.suit()) == trump).then(|| format!("{text}*")))
}
