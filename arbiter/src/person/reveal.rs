//! What a person could not see of a game, shown from its record when it is over.

use rules::columns::{padded, widest};
use rules::replay::replay;
use rules::{GameKind, GameRecord, PerSeat, Seat, coup, durak, tablic};

use crate::person::durak::starred;
use crate::series::Series;

/// The cards that were hidden in a game from the person on a seat, in whole lines; nothing if none
/// were.
pub fn revealed(series: &Series, game: &GameRecord, own: Seat) -> String {
    let names = PerSeat::from(game.seats.clone());
    let lines = match series.kind() {
        GameKind::Tablic => dealt_hands(game, own, &names),
        GameKind::Coup => characters(series, game, &names),
        GameKind::Durak => hands_left(series, game, &names),
    };
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nall cards, now that the game is over\n{lines}"),
    }
}

/// In Tablić, the hands of the others as they were dealt.
fn dealt_hands(game: &GameRecord, own: Seat, names: &PerSeat<String>) -> String {
    let width = width(names);
    let mut deals = PerSeat::new(names.count(), |_| 0);
    let mut text = String::new();
    for event in &game.events {
        let Ok(tablic::Event::Deal { to: tablic::Place::Hand(seat), cards }) = event.parse() else {
            continue;
        };
        if !names.has(seat) {
            continue;
        }
        deals[seat] += 1;
        if seat != own {
            let deal = deals[seat];
            text.push_str(&format!("  deal {deal}  {}  {cards}\n", padded(&names[seat], width)));
        }
    }
    text
}

/// In Coup, what every seat was dealt and drew, and what it still holds.
fn characters(series: &Series, game: &GameRecord, names: &PerSeat<String>) -> String {
    let width = width(names);
    let mut got: PerSeat<Vec<String>> = PerSeat::new(names.count(), |_| Vec::new());
    for event in &game.events {
        let (to, told) = match event.parse() {
            Ok(coup::Event::Deal { to, cards }) => (to, format!("was dealt {cards}")),
            Ok(coup::Event::Draw { to, cards }) => (to, format!("drew {cards}")),
            _ => continue,
        };
        if names.has(to) {
            got[to].push(told);
        }
    }
    let views = last_views(series, game, names);
    let holds = |seat: Seat| {
        let view = views[seat].parse::<coup::View>().ok()?;
        Some(view.hand.to_string()).filter(|hand| !hand.is_empty())
    };
    let line = |(seat, name): (Seat, &String)| {
        let holds =
            holds(seat).map_or("has no card left".to_owned(), |hand| format!("holds {hand}"));
        format!("  {}  {holds} ({})\n", padded(name, width), got[seat].join(", "))
    };
    names.iter().map(line).collect()
}

/// In Durak, the hands that are left.
fn hands_left(series: &Series, game: &GameRecord, names: &PerSeat<String>) -> String {
    let width = width(names);
    let views = last_views(series, game, names);
    let mut text = String::new();
    for (seat, name) in names.iter() {
        let Ok(view) = views[seat].parse::<durak::View>() else { continue };
        if !view.hand.is_empty() {
            let hand = starred(&view.hand.to_string(), view.trump.map(|card| card.suit()));
            text.push_str(&format!("  {}  {hand}\n", padded(name, width)));
        }
    }
    text
}

/// The views of all seats in the end.
fn last_views(series: &Series, game: &GameRecord, names: &PerSeat<String>) -> PerSeat<String> {
    let mut views = names.map(|_, _| String::new());
    // It was played just now; what a replay could find is for `verify`.
    let _ = replay(series.setup(game, None), game, |referee| {
        if referee.told() == game.events.len() {
            views = names.map(|seat, _| referee.view(seat));
        }
    });
    views
}

fn width(names: &PerSeat<String>) -> usize {
    widest(names)
}
