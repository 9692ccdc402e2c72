//! The description of a custom game: the answer to `about`.

use std::fmt::Write;
use std::ops::RangeInclusive;

use text::visible;

use crate::kind::GameKind;
use crate::score::Score;
use crate::seat::Seat;
use crate::text::NotText;

use super::fault::{BrokenRule, is_key, is_word, score, split};
use super::{PROTOCOL, answer};
use crate::dyn_rules::{LONGEST_NAME, is_game_name};

/// The most options of a game.
const MOST_OPTIONS: usize = 32;

/// The most lines of help.
const MOST_HELP: usize = 100;

/// The game that some rules are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The name in requests, logs and commands.
    pub name: String,
    /// The name in headings.
    pub title: String,
    /// The description in one line.
    pub about: String,
    /// The numbers of seats that a game can have.
    pub seats: RangeInclusive<usize>,
    /// The options beside the number of seats.
    pub options: Vec<CustomOption>,
    /// The options in one line for a list.
    pub(super) options_line: String,
    /// The most that a seat can score, where the rules bound it.
    pub most: Option<Score>,
    /// The rules in short, in whole lines.
    pub help: String,
}

/// An option of a custom game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomOption {
    /// Its key.
    pub key: String,
    /// Its value where none is given.
    pub default: String,
    /// Its meaning, for people.
    pub meaning: String,
}

impl Description {
    /// Reads the answer to `about`.
    ///
    /// # Errors
    ///
    /// [`BrokenRule`]
    pub fn read(text: &str) -> Result<Description, BrokenRule> {
        answer::check_text(text)?;
        let (mut name, mut title, mut about, mut seats, mut most) = (None, None, None, None, None);
        let mut options: Vec<CustomOption> = Vec::new();
        let mut help = String::new();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        if first != format!("rules {PROTOCOL}") {
            let expected = format!("expected `rules {PROTOCOL}` in the first line");
            return Err(BrokenRule::of_line(first, expected));
        }
        for line in lines {
            let (key, value) = split(line);
            match key {
                "name" => set(&mut name, read_name(line, value)?, line)?,
                "title" => set(&mut title, visible(value), line)?,
                "about" => set(&mut about, visible(value), line)?,
                "seats" => set(&mut seats, read_seats(line, value)?, line)?,
                "option" => options.push(read_option(line, value, &options)?),
                "most" => {
                    let score = score(value).filter(|score| *score > Score::ZERO);
                    let expected = || BrokenRule::of_line(line, "expected a score above 0");
                    set(&mut most, score.ok_or_else(expected)?, line)?;
                }
                "help" => {
                    help.push_str(&visible(value));
                    help.push('\n');
                }
                _ => return Err(BrokenRule::of_line(line, "expected a line of a description")),
            }
        }
        if options.len() > MOST_OPTIONS || help.lines().count() > MOST_HELP {
            let problem =
                format!("expected at most {MOST_OPTIONS} options and {MOST_HELP} lines of help");
            return Err(BrokenRule::of_answer(problem));
        }
        let missing = |key| BrokenRule::of_answer(format!("expected a line `{key}`"));
        let name = name.ok_or_else(|| missing("name"))?;
        let seats = seats.ok_or_else(|| missing("seats"))?;
        Ok(Description {
            title: title.unwrap_or_else(|| name.clone()),
            about: about.ok_or_else(|| missing("about"))?,
            options_line: options_line(&seats, &options),
            name,
            seats,
            options,
            most,
            help,
        })
    }

    /// The options in their one spelling: the number of seats, then each option in the order of the
    /// description, with its default where it is left out.
    ///
    /// # Errors
    ///
    /// Names the option and what was expected.
    pub fn spelt_options(&self, text: &str) -> Result<String, NotText> {
        let mut seats = None;
        let mut values: Vec<Option<&str>> = vec![None; self.options.len()];
        for word in text.split_ascii_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let place = self.options.iter().position(|option| option.key == key);
            let slot = match place {
                Some(place) => &mut values[place],
                None if key == "seats" => &mut seats,
                None => {
                    return Err(NotText::new(format!("the options {}", self.options_line), word));
                }
            };
            if !is_word(value) {
                return Err(NotText::new("an option KEY=VALUE in printable ASCII", word));
            }
            if slot.replace(value).is_some() {
                return Err(NotText::new("each option once", word));
            }
        }
        let fewest = self.seats.start().to_string();
        let mut spelt = format!("seats={}", seats.unwrap_or(&fewest));
        for (option, value) in self.options.iter().zip(values) {
            // Writing to a string does not fail.
            let _ = write!(spelt, " {}={}", option.key, value.unwrap_or(&option.default));
        }
        self.seats_of(&spelt)?;
        Ok(spelt)
    }

    /// The number of seats in options that are spelt.
    ///
    /// # Errors
    ///
    /// Says which numbers the game can have.
    pub fn seats_of(&self, spelt: &str) -> Result<usize, NotText> {
        let value = spelt.split(' ').next().and_then(|word| word.strip_prefix("seats="));
        let value = value.unwrap_or_default();
        let seats = value.parse::<usize>().ok().filter(|seats| seats.to_string() == value);
        seats.filter(|seats| self.seats.contains(seats)).ok_or_else(|| {
            NotText::new(format!("a number of seats {}", range_text(&self.seats)), value)
        })
    }
}

fn set<T>(slot: &mut Option<T>, value: T, line: &str) -> Result<(), BrokenRule> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(BrokenRule::of_line(line, "expected this line once")),
    }
}

fn read_name(line: &str, name: &str) -> Result<String, BrokenRule> {
    if !is_game_name(name) {
        let expected =
            format!("expected a name of `a` to `z`, digits and `-`, up to {LONGEST_NAME}");
        return Err(BrokenRule::of_line(line, expected));
    }
    if GameKind::ALL.iter().any(|kind| kind.name() == name) {
        return Err(BrokenRule::of_line(
            line,
            "expected another name than that of a built-in game",
        ));
    }
    Ok(name.to_owned())
}

fn read_seats(line: &str, value: &str) -> Result<RangeInclusive<usize>, BrokenRule> {
    let (fewest, most) = value.split_once("..").unwrap_or((value, value));
    let number = |text: &str| text.parse().ok().filter(|number: &usize| number.to_string() == text);
    match (number(fewest), number(most)) {
        (Some(fewest), Some(most)) if 2 <= fewest && fewest <= most && most <= Seat::MOST => {
            Ok(fewest..=most)
        }
        _ => {
            let expected =
                format!("expected a number of seats from 2 to {}, or two with `..`", Seat::MOST);
            Err(BrokenRule::of_line(line, expected))
        }
    }
}

fn read_option(
    line: &str,
    value: &str,
    before: &[CustomOption],
) -> Result<CustomOption, BrokenRule> {
    let (key, rest) = split(value);
    let (default, meaning) = split(rest);
    let is_one = is_key(key) && key != "seats" && is_word(default) && !default.contains('=');
    if !is_one || before.iter().any(|option| option.key == key) {
        return Err(BrokenRule::of_line(
            line,
            "expected `option KEY DEFAULT MEANING`, each key once",
        ));
    }
    Ok(CustomOption { key: key.to_owned(), default: default.to_owned(), meaning: visible(meaning) })
}

fn range_text(seats: &RangeInclusive<usize>) -> String {
    match seats.start() == seats.end() {
        true => format!("of {}", seats.start()),
        false => format!("from {} to {}", seats.start(), seats.end()),
    }
}

fn options_line(seats: &RangeInclusive<usize>, options: &[CustomOption]) -> String {
    let mut line = match seats.start() == seats.end() {
        true => format!("seats={}", seats.start()),
        false => format!("seats={}..{}", seats.start(), seats.end()),
    };
    for CustomOption { key, default, .. } in options {
        // Writing to a string does not fail.
        let _ = write!(line, " {key}={default}");
    }
    line
}
