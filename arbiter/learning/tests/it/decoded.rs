//! The names of columns and actions say all of a request: from a row and its names alone, these tests write the
//! view of the request, and the texts of moves.

use std::collections::BTreeMap;

use learning::{Episode, RowBuffer};
use rules::{CardSet, Seat};

use crate::{GAMES, chance, episode, step};

/// A row with its names.
struct Row {
    columns: BTreeMap<String, i8>,
    seats: usize,
    own: usize,
}

impl Row {
    fn observe(episode: &dyn Episode, seat: Seat) -> Row {
        let layout = episode.layout();
        let mut row = vec![0; layout.columns.len()];
        episode.observe(seat, &mut row);
        let columns: BTreeMap<String, i8> = layout.columns.into_iter().zip(row).collect();
        let own = columns["seat"] as usize;
        assert_eq!(own, seat.index());
        Row { columns, seats: layout.seats, own }
    }

    fn number(&self, name: &str) -> i8 {
        self.columns[name]
    }

    /// The distance of a seat from the own one.
    fn distance(&self, seat: usize) -> usize {
        (seat + self.seats - self.own) % self.seats
    }

    /// The name of a column of a seat.
    fn at(&self, name: &str, seat: usize) -> String {
        format!("{name} +{}", self.distance(seat))
    }

    /// A number for each seat, in the order of seats.
    fn numbers(&self, name: &str) -> String {
        let number = |seat| self.number(&self.at(name, seat)).to_string();
        (0..self.seats).map(number).collect::<Vec<_>>().join(" ")
    }

    fn cards(&self, name: &str) -> CardSet {
        let holds = |card: &rules::Card| self.number(&format!("{name} {card}")) != 0;
        CardSet::PACK.iter().filter(holds).collect()
    }

    /// The cards of a list, by their places in it.
    fn list(&self, name: &str) -> Vec<String> {
        let placed = CardSet::PACK
            .iter()
            .map(|card| (self.number(&format!("{name} {card}")), card.to_string()));
        let mut placed: Vec<_> = placed.filter(|(place, _)| *place != 0).collect();
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, card)| card).collect()
    }

    /// The rest of the name of the one column with this beginning that is 1.
    fn chosen(&self, name: &str) -> Option<String> {
        let start = format!("{name} ");
        let chosen = self.columns.iter().filter(|(_, value)| **value == 1);
        let mut chosen = chosen.filter_map(|(column, _)| column.strip_prefix(&start));
        let first = chosen.next().map(str::to_owned);
        assert_eq!(chosen.next(), None, "one of {name}");
        first
    }

    /// The seat that a choice among distances names.
    fn seat(&self, name: &str) -> Option<String> {
        let distance = self.chosen(name)?;
        let distance: usize = distance.strip_prefix('+').expect("a distance").parse().expect("it");
        Some(((self.own + distance) % self.seats).to_string())
    }

    fn decisions(&self) -> i32 {
        let [rest, times] = ["decisions rest", "decisions 128s"].map(|name| self.number(name));
        i32::from(times) * 128 + i32::from(rest)
    }
}

fn or_none(text: Option<String>) -> String {
    text.unwrap_or_else(|| "none".to_owned())
}

/// A line as in a view: without a value it is the key and a blank, or the key alone.
fn line(key: &str, value: impl ToString) -> String {
    format!("{key} {}", value.to_string()).trim_end().to_owned()
}

fn tablic(row: &Row) -> Vec<String> {
    let last = or_none(row.seat("last"));
    let mut lines: Vec<String> =
        ["hand", "table", "taken"].map(|name| line(name, row.cards(name))).to_vec();
    lines.push(line("talon", row.number("talon")));
    lines.extend(["hands", "cards", "points", "tablas"].map(|name| line(name, row.numbers(name))));
    lines.push(line("last", last));
    lines
}

fn coup(row: &Row) -> Vec<String> {
    let hand = |name: &str, slots: usize| {
        let cards = (0..slots).filter_map(|slot| row.chosen(&format!("{name} {slot}")));
        cards.collect::<Vec<_>>().join(" ")
    };
    let mut lines = vec![line("hand", hand("hand", 4))];
    lines.extend(["hands", "coins"].map(|name| line(name, row.numbers(name))));
    for seat in 0..row.seats {
        lines.push(line(&format!("lost {seat}"), hand(&row.at("lost", seat), 2)));
    }
    let action = row.columns.iter().find_map(|(name, value)| {
        let action = name.strip_prefix("action ").filter(|it| !it.starts_with("at "))?;
        (*value == 1).then(|| action.to_owned())
    });
    let target = row.seat("action at").map(|seat| format!(" {seat}")).unwrap_or_default();
    lines.push(line("action", or_none(action.map(|action| action + &target))));
    let owed = (0..).map_while(|slot| {
        let verb = row.chosen(&format!("owed {slot}"))?;
        let seat = row.seat(&format!("owed by {slot}")).expect("a debtor");
        let card = row.chosen(&format!("owed card {slot}"));
        Some(format!("{verb} {seat} {}", card.unwrap_or_default()).trim_end().to_owned())
    });
    // Slots beyond the last have no columns.
    let slots = row.columns.keys().filter(|name| name.ends_with(" act")).count();
    let owed: Vec<String> = owed.take(slots).collect();
    lines.push(line("owed", if owed.is_empty() { "none".into() } else { owed.join(", ") }));
    lines.push(line("decisions", row.decisions()));
    lines
}

fn durak(row: &Row) -> Vec<String> {
    let trump = row.cards("trump").first().map(|card| card.to_string());
    let mut lines = vec![line("hand", row.cards("hand")), line("trump", or_none(trump))];
    lines.push(line("talon", row.number("talon")));
    lines.push(line("hands", row.numbers("hands")));
    for seat in 0..row.seats {
        lines.push(line(&format!("known {seat}"), row.cards(&row.at("known", seat))));
    }
    let gone = (0..row.seats).map(|seat| (row.number(&row.at("gone", seat)), seat));
    let mut gone: Vec<_> = gone.filter(|(place, _)| *place != 0).collect();
    gone.sort_unstable();
    let gone: Vec<String> = gone.into_iter().map(|(_, seat)| seat.to_string()).collect();
    lines.push(line("gone", gone.join(" ")));
    lines.push(line("discards", row.cards("discards")));
    lines.extend(["first", "attacker", "defender"].map(|name| line(name, or_none(row.seat(name)))));
    let (attacks, beats) = (row.list("attack"), row.list("beaten by"));
    let pair = |(place, attack): (usize, &String)| match beats.get(place) {
        Some(beat) => format!("{attack} {beat}"),
        None => attack.clone(),
    };
    let table: Vec<String> = attacks.iter().enumerate().map(pair).collect();
    lines.push(line("table", table.join(", ")));
    lines.push(line("left", row.number("left")));
    lines.push(line("taking", if row.number("taking") == 1 { "yes" } else { "no" }));
    let asked =
        ["lead", "defend", "throw"].into_iter().find(|it| row.number(&format!("asked {it}")) == 1);
    let turn = match (row.seat("turn"), row.number("asked nature")) {
        (Some(seat), _) => format!("{seat} {}", asked.expect("what is asked for")),
        (None, 1) => "nature".to_owned(),
        (None, _) => "none".to_owned(),
    };
    lines.push(line("turn", turn));
    lines.push(line("decisions", row.decisions()));
    lines
}

#[test]
fn a_row_with_its_names_says_all_of_a_view() {
    for (game, options) in GAMES {
        for deal in 0..8 {
            let mut episode = episode(game, options, deal);
            let mut nature = chance(deal);
            loop {
                for seat in Seat::first(episode.layout().seats) {
                    let row = Row::observe(&*episode, seat);
                    let lines = match game {
                        "tablic" => tablic(&row),
                        "coup" => coup(&row),
                        _ => durak(&row),
                    };
                    let view = episode.view(seat);
                    // These two lines of Coup follow from the others.
                    let shown = view.lines().filter(|line| {
                        game != "coup" || !(line.starts_with("turn ") || line.starts_with("claim "))
                    });
                    let shown: Vec<&str> = shown.map(str::trim_end).collect();
                    assert_eq!(lines, shown, "{game} {options}, deal {deal}, seat {seat}");
                }
                if episode.to_move().is_none() {
                    break;
                }
                step(&mut *episode, &mut nature);
            }
        }
    }
}

#[test]
fn claims_count_what_the_history_tells() {
    for options in ["seats=2 rules=contest", "seats=4 rules=court"] {
        for deal in 0..8 {
            let mut episode = episode("coup", options, deal);
            let mut nature = chance(deal);
            while let Some(own) = episode.to_move() {
                let row = Row::observe(&*episode, own);
                let state = episode.information_state(own);
                for seat in 0..row.seats {
                    for character in ["ambassador", "assassin", "captain", "contessa", "duke"] {
                        let verb = match character {
                            "ambassador" => "exchange",
                            "assassin" => "assassinate",
                            "captain" => "steal",
                            "duke" => "tax",
                            _ => "-",
                        };
                        let claims = state.lines().filter(|line| {
                            let rest = line.strip_prefix(&format!("{seat} ")).unwrap_or_default();
                            rest.starts_with(verb) || rest == format!("block {character}")
                        });
                        let column = row.at(&format!("claims of {character}"), seat);
                        assert_eq!(row.number(&column) as usize, claims.count(), "{state}");
                    }
                }
                step(&mut *episode, &mut nature);
            }
        }
    }
}

/// The text of a move from the name of its action, with seats counted from 0.
fn absolute(name: &str, own: usize, seats: usize) -> String {
    let words = name.split(' ').map(|word| match word.strip_prefix('+') {
        Some(distance) => {
            ((own + distance.parse::<usize>().expect("a distance")) % seats).to_string()
        }
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_name_of_an_action_is_its_move() {
    for (game, options) in GAMES.into_iter().filter(|(game, _)| *game != "tablic") {
        for deal in 0..20 {
            let mut episode = episode(game, options, deal);
            let mut nature = chance(deal);
            let layout = episode.layout();
            while let Some(own) = episode.to_move() {
                let legal = episode.legal_actions();
                let mut different = legal.to_vec();
                different.sort_unstable();
                different.dedup();
                assert_eq!(different.len(), legal.len(), "each move has a number of its own");
                for action in legal.iter().map(|action| usize::from(*action)) {
                    let text = episode.text(action).expect("a legal action has a text");
                    assert_eq!(absolute(&layout.actions[action], own.index(), layout.seats), text);
                    assert_eq!(episode.number(&text), Some(action));
                }
                step(&mut *episode, &mut nature);
            }
        }
    }
}

#[test]
fn a_row_of_a_move_of_tablic_is_its_text() {
    for options in ["seats=2", "seats=3"] {
        for deal in 0..10 {
            let mut episode = episode("tablic", options, deal);
            let mut nature = chance(deal);
            let names = episode.layout().move_columns;
            while episode.to_move().is_some() {
                let mut rows = RowBuffer::default();
                episode.describe_moves(&mut rows);
                assert_eq!(rows.count, episode.legal_actions().len());
                for (place, row) in rows.values.chunks(names.len()).enumerate() {
                    let cards = |what: &str| {
                        let of = names.iter().zip(row).filter(|(_, value)| **value == 1);
                        let of = of.filter_map(|(name, _)| name.strip_prefix(what));
                        of.map(|card| format!(" {card}")).collect::<String>()
                    };
                    let text = format!("{}{}", cards("plays "), cards("takes ")).trim().to_owned();
                    assert_eq!(episode.text(place), Some(text), "{options}, deal {deal}");
                }
                step(&mut *episode, &mut nature);
            }
        }
    }
}
