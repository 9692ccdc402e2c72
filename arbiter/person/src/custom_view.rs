//! The view of a custom game at a terminal: laid out by the keys that its `game.toml` names, and otherwise as it is.

use std::iter;

use games::ViewKeys;
use rules::{PerSeat, Seat};
use text::columns::{aligned, padded, width};
use text::counted;

/// The widest key that values are aligned behind, in cells.
const WIDEST_KEY: usize = 16;

/// All that a seat knows of a custom game.
pub(crate) struct SeenGame<'a> {
    pub(crate) view: Vec<&'a str>,
    /// The lines of the history as it saw them.
    pub(crate) history: Vec<&'a str>,
}

#[derive(Clone, Copy)]
struct ViewLine<'a> {
    key: &'a str,
    value: &'a str,
}

impl<'a> ViewLine<'a> {
    fn read(line: &'a str) -> ViewLine<'a> {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        ViewLine { key, value }
    }

    /// The seat that it names, if it begins with one.
    fn seat(self, seats: usize) -> Option<usize> {
        let seat = self.value.split(' ').next()?.parse().ok();
        seat.filter(|seat| *seat < seats)
    }

    fn is(self, keys: &[String]) -> bool {
        keys.iter().any(|key| key == self.key)
    }
}

/// The players by seat, and the lines of a view with their values one below the other. The cards of a hand come last.
pub(crate) fn laid_out(
    seen: &SeenGame<'_>,
    keys: &ViewKeys,
    own: Seat,
    names: &PerSeat<String>,
) -> String {
    let lines: Vec<ViewLine<'_>> = seen.view.iter().map(|line| ViewLine::read(line)).collect();
    let (beside, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| {
        keys.is_of_seats(line.key) && (!line.is(&keys.mark) || line.seat(names.count()).is_some())
    });
    let (hand, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|line| line.is(&keys.hand));
    let mut rows = seats(&beside, keys, own, names);
    rows.extend(others.iter().chain(&hand).map(|line| {
        let value = if line.is(&keys.table) {
            played(line.value, &seen.history, names)
        } else if line.is(&keys.pile) {
            pile(line.value)
        } else {
            line.value.to_owned()
        };
        (line.key, value)
    }));
    let widths = rows.iter().map(|(key, _)| width(key)).filter(|width| *width <= WIDEST_KEY);
    let width = widths.max().unwrap_or(0);
    let mut text = String::from("\n");
    for (key, value) in &rows {
        text.push_str(format!("{}  {value}", padded(key, width)).trim_end());
        text.push('\n');
    }
    text
}

/// A row for each seat with all that the view says of it, or one row where it says nothing.
fn seats<'a>(
    beside: &[ViewLine<'_>],
    keys: &ViewKeys,
    own: Seat,
    names: &PerSeat<String>,
) -> Vec<(&'a str, String)> {
    let seated = |(seat, name): (Seat, &String)| match seat == own {
        true => format!("{seat} {name} (your seat)"),
        false => format!("{seat} {name}"),
    };
    let seated: Vec<String> = names.iter().map(seated).collect();
    if beside.is_empty() {
        return vec![("seats", seated.join(", "))];
    }
    let mut rows: Vec<Vec<String>> = seated.into_iter().map(|seated| vec![seated]).collect();
    let mut marks = vec![Vec::new(); rows.len()];
    for ViewLine { key, value } in beside.iter().filter(|line| !line.is(&keys.mark)) {
        let mut words = value.split(' ').filter(|word| !word.is_empty());
        for row in &mut rows {
            row.push(format!("{key} {}", words.next().unwrap_or("-")));
        }
    }
    for line in beside.iter().filter(|line| line.is(&keys.mark)) {
        let ViewLine { key, value } = line;
        let rest = value.split_once(' ').map_or("", |(_, rest)| rest);
        if let Some(marks) = line.seat(names.count()).and_then(|seat| marks.get_mut(seat)) {
            marks.push(format!("{key} {rest}").trim_end().to_owned());
        }
    }
    for (row, marks) in rows.iter_mut().zip(marks) {
        row.push(marks.join(", "));
    }
    let text = aligned(&rows, usize::MAX);
    text.lines()
        .zip(iter::once("seats").chain(iter::repeat("")))
        .map(|(row, key)| (key, row.to_owned()))
        .collect()
}

/// Cards on the table, each with the name of the seat that has played it, if the history tells.
fn played(cards: &str, history: &[&str], names: &PerSeat<String>) -> String {
    let player = |card: &str| {
        history.iter().rev().find_map(|event| {
            let (first, words) = event.split_once(' ')?;
            let seat = Seat::first(names.count()).find(|seat| seat.to_string() == first)?;
            words.split(' ').any(|word| word == card).then(|| names[seat].as_str())
        })
    };
    let cards = cards.split(' ').map(|card| (card, player(card)));
    let cards: Vec<(&str, Option<&str>)> = cards.collect();
    let between = if cards.iter().any(|(_, player)| player.is_some()) { ", " } else { " " };
    let told = cards.iter().map(|(card, player)| match player {
        Some(player) => format!("{card} {player}"),
        None => (*card).to_owned(),
    });
    told.collect::<Vec<_>>().join(between)
}

/// A pile by its number of cards, of which the last one lies on top.
fn pile(cards: &str) -> String {
    let words: Vec<&str> = cards.split(' ').filter(|word| !word.is_empty()).collect();
    match words[..] {
        [] => "none".to_owned(),
        [number] if number.parse::<u32>().is_ok() => counted(number, "card", "cards"),
        [.., top] => format!("{}, {top} on top", counted(words.len(), "card", "cards")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &[(&str, &[&str])]) -> ViewKeys {
        let of = |kind: &str| -> Vec<String> {
            let found = text.iter().filter(|(name, _)| *name == kind).flat_map(|(_, keys)| *keys);
            found.map(|key| (*key).to_owned()).collect()
        };
        ViewKeys {
            hand: of("hand"),
            table: of("table"),
            pile: of("pile"),
            back: of("back"),
            seat: of("seat"),
            mark: of("mark"),
            number: of("number"),
        }
    }

    fn lines_of(view: &[&str], history: &[&str], keys: &ViewKeys) -> String {
        let names = PerSeat::from(["Ana", "李", "careful"].map(str::to_owned).to_vec());
        let seen = SeenGame { view: view.to_vec(), history: history.to_vec() };
        laid_out(&seen, keys, Seat::new(1).expect("a seat"), &names)
    }

    /// A table of Hearts was a list of lines at a terminal, whatever its manifest said of the view.
    #[test]
    fn a_view_is_laid_out_by_the_keys_of_its_manifest() {
        let keys = keys(&[
            ("hand", &["hand"]),
            ("table", &["trick"]),
            ("pile", &["stock", "tricks"]),
            ("back", &["cards"]),
            ("seat", &["tricks", "bids"]),
            ("mark", &["leader", "turn"]),
        ]);
        let view = [
            "hand 3D TS",
            "cards 12 2 13",
            "turn 1 play",
            "leader 0",
            "trick 4C QC",
            "stock 2C 3C",
            "tricks 0 11",
            "bids 3 10 2",
            "hearts unbroken",
        ];
        let history = ["deal 1 3D TS", "2 pass ? ?", "0 play 4C", "2 play QC", "trick 0 4C"];
        let expected = "
seats   0 Ana             cards 12  tricks 0   bids 3   leader
        1 李 (your seat)  cards 2   tricks 11  bids 10  turn play
        2 careful         cards 13  tricks -   bids 2
trick   4C Ana, QC careful
stock   2 cards, 3C on top
hearts  unbroken
hand    3D TS
";
        assert_eq!(lines_of(&view, &history, &keys), expected);
    }

    #[test]
    fn lines_that_no_key_names_stand_as_they_are() {
        let view = ["card Q", "pot 3 5", "empty", "a-very-long-name-of-a-key 1"];
        let expected = "
seats  0 Ana, 1 李 (your seat), 2 careful
card   Q
pot    3 5
empty
a-very-long-name-of-a-key  1
";
        assert_eq!(lines_of(&view, &[], &ViewKeys::default()), expected);
    }

    /// Rules are strangers: their lines may say anything.
    #[test]
    fn lines_that_do_not_fit_their_keys_are_shown_without_a_fault() {
        let keys = keys(&[
            ("hand", &["x"]),
            ("table", &["t"]),
            ("pile", &["p"]),
            ("seat", &["s"]),
            ("mark", &["m"]),
        ]);
        let view =
            ["x", "t", "p", "s", "m", "m 99999999999999999999", "m 3 a", "s 1 2 3 4 5", "p 1"];
        let expected = "
seats  0 Ana             s -  s 1
       1 李 (your seat)  s -  s 2
       2 careful         s -  s 3
t
p      none
m
m      99999999999999999999
m      3 a
p      1 card
x
";
        assert_eq!(lines_of(&view, &["9 t", "", "0", "x y"], &keys), expected);
    }
}
