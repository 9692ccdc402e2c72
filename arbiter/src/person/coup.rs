//! A person who plays Coup.

use bots::coup::Coup;
use rules::columns::{padded, widest};
use rules::coup::{Action, Character, Debt, Move, View};
use rules::{PerSeat, Request, Seat};

use crate::person::listed::Listed;

impl Listed for Coup {
    fn situation(view: &View, own: Seat, names: &PerSeat<String>) -> String {
        let width = widest(names);
        let mut text = String::from("\n");
        for (seat, name) in names.iter() {
            let hand = match seat == own {
                true => view.hand.to_string(),
                false => vec!["??"; view.hands[seat] as usize].join(" "),
            };
            let lost = match view.lost[seat].is_empty() {
                true => String::new(),
                false => format!(", lost {}", view.lost[seat]),
            };
            let coins = coins(view.coins[seat]);
            text.push_str(&format!("{}  {coins}, {hand}{lost}\n", padded(name, width)));
        }
        text
    }

    fn question(request: &Request<Coup>, names: &PerSeat<String>) -> String {
        question(request, names)
    }

    fn in_words(mv: &Move, request: &Request<Coup>, names: &PerSeat<String>) -> String {
        let claim = claim_of(mv).map_or("", |character| {
            if request.view.hand.contains(character) { "" } else { " (a bluff)" }
        });
        format!("{}{claim}", told(mv, request, names))
    }
}

/// What the person is asked for, in a line.
fn question(request: &Request<Coup>, names: &PerSeat<String>) -> String {
    let claim = request.view.claim().map(|(seat, character)| (&names[seat], character));
    match (request.view.owed.last(), claim) {
        (Some(Debt::Act(_)), _) => "your turn:\n".to_owned(),
        (Some(Debt::Answer(_)), Some((name, character))) => {
            format!("{name} claims {character}:\n")
        }
        (Some(Debt::Answer(_)), None) => "your answer to the action:\n".to_owned(),
        (Some(Debt::Accept(..)), Some((name, character))) => {
            format!("{name} claims {character} and blocks:\n")
        }
        (Some(Debt::Prove(_, character)), _) => {
            format!("you are challenged to show {character}:\n")
        }
        (Some(Debt::Keep(_)), _) => "which cards do you keep:\n".to_owned(),
        (Some(Debt::Lose(_)), _) => "which card do you give up:\n".to_owned(),
        _ => String::new(),
    }
}

/// The character that a move claims.
fn claim_of(mv: &Move) -> Option<Character> {
    match mv {
        Move::Act(action) => action.claim(),
        Move::Block(character) => Some(*character),
        _ => None,
    }
}

fn told(mv: &Move, request: &Request<Coup>, names: &PerSeat<String>) -> String {
    let purse = |seat: Seat| request.view.coins[seat];
    match mv {
        Move::Act(Action::Income) => "take 1 coin".to_owned(),
        Move::Act(Action::ForeignAid) => "take 2 coins, unless a duke blocks it".to_owned(),
        Move::Act(Action::Coup(seat)) => format!("pay 7 coins: {} loses a card", names[*seat]),
        Move::Act(Action::Tax) => "claim duke: take 3 coins".to_owned(),
        Move::Act(Action::Assassinate(seat)) => {
            format!("claim assassin and pay 3 coins: {} loses a card", names[*seat])
        }
        Move::Act(action @ Action::Steal(seat)) => {
            let stolen = coins(action.brings(purse(*seat)));
            format!("claim captain: take {stolen} from {}", names[*seat])
        }
        Move::Act(Action::Exchange) => "claim ambassador: exchange cards with the deck".to_owned(),
        Move::Pass => "let it pass".to_owned(),
        Move::Challenge => "challenge it: the player who is wrong loses a card".to_owned(),
        Move::Block(character) => format!("claim {character}: block it"),
        Move::Show(character) => format!("show {character}, and draw another card for it"),
        Move::Lose(character) => format!("give up {character}"),
        Move::Keep(cards) => format!("keep {cards}"),
        Move::End => "end the turn".to_owned(),
    }
}

fn coins(count: u32) -> String {
    if count == 1 { "1 coin".to_owned() } else { format!("{count} coins") }
}
