//! Instances of rules, those of a game that are idle, and the calls that others get in the place of lost ones.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use text::visible;

use super::fault::{NoAnswer, ProtocolError, RulesFault, is_key, is_word, score, split};
use super::{PROTOCOL, answer};
use crate::dyn_rules::{LONGEST_NAME, RENEWALS, RestartPolicy, RulesId, is_game_name};
use crate::kind::GameKind;
use crate::seat::{Score, Seat};
use crate::seed::Digest;
use crate::text::NotText;

/// One instance of rules, which holds the state of one game at a time.
pub trait RulesInstance: Send {
    /// Answers a call, a line without its line feed, by whole lines without the empty one at the end.
    ///
    /// # Errors
    ///
    /// Says why there is no answer. Then the instance is not asked again.
    fn call(&mut self, call: &str) -> Result<String, NoAnswer>;

    /// Returns true between two games if another one may take it beyond its limit of memory. Then another
    /// instance plays it.
    fn is_spent(&mut self) -> bool {
        false
    }
}

/// A way to start rules, as often as games are played side by side.
pub trait RulesSource: Send + Sync {
    /// Starts an instance.
    ///
    /// # Errors
    ///
    /// Says why none can be started.
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer>;
}

/// The rules of a game, which its tables share.
pub(super) struct OpenRules {
    pub(super) id: RulesId,
    pub(super) about: Description,
    /// Instances between two games, each of which answers as a new one would. They end before their source.
    pub(super) idle: Mutex<Vec<Box<dyn RulesInstance>>>,
    pub(super) source: Box<dyn RulesSource>,
}

impl OpenRules {
    /// Calls `new`: first an instance that has played before, if one is idle.
    pub(super) fn begin(&self, call: &str) -> Result<(Box<dyn RulesInstance>, String), RulesFault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut instance) = idle {
            match instance.call(call) {
                // It may have been ended between two games, and nothing was played yet.
                Err(NoAnswer::Machine(_)) => {}
                Err(why) => return Err(RulesFault::no_answer(call, why)),
                Ok(answer) => return Ok((instance, answer)),
            }
        }
        self.begin_anew(call)
    }

    /// Calls `new` of a new instance.
    fn begin_anew(&self, call: &str) -> Result<(Box<dyn RulesInstance>, String), RulesFault> {
        let mut instance = self.source.start().map_err(RulesFault::not_started)?;
        let answer = instance.call(call).map_err(|why| RulesFault::no_answer(call, why))?;
        Ok((instance, answer))
    }

    /// Keeps an instance after a game of so many inputs. What was only begun says nothing about the memory of a game.
    pub(super) fn keep(&self, mut instance: Box<dyn RulesInstance>, inputs: usize) {
        if inputs == 0 || !instance.is_spent() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(instance);
        }
    }
}

/// Starts rules, and asks for their description; other ones where the machine has ended them.
pub(super) fn described(
    source: &dyn RulesSource,
) -> Result<(Box<dyn RulesInstance>, String), RulesFault> {
    let mut renewals = 0..RENEWALS;
    loop {
        let described = source.start().map_err(RulesFault::not_started).and_then(|mut instance| {
            let answer =
                instance.call("about").map_err(|why| RulesFault::no_answer("about", why))?;
            Ok((instance, answer))
        });
        match described {
            Err(fault) if fault.is_of_machine() && renewals.next().is_some() => {}
            other => return other,
        }
    }
}

/// The calls that have led to the state of a game, with the digests of their answers. Other rules get them where the
/// machine has ended those that played the game.
pub(super) struct CallLog {
    renewal: RestartPolicy,
    made: Vec<(String, Digest)>,
    renewals: u32,
}

impl CallLog {
    /// The calls of a game before its first one.
    pub(super) fn new(renewal: RestartPolicy) -> CallLog {
        CallLog { renewal, made: Vec::new(), renewals: 0 }
    }

    /// Adds a call that has changed the state.
    pub(super) fn add(&mut self, call: &str, answer: &str) {
        if self.renewal == RestartPolicy::InGame {
            self.made.push((call.to_owned(), Digest::hash(answer.as_bytes())));
        }
    }

    /// Makes all calls anew, and then this one, which was not answered; gives its answer and the new instance.
    ///
    /// # Errors
    ///
    /// The fault, if other rules may not or cannot mend it.
    pub(super) fn answer_after_restart(
        &mut self,
        game: &OpenRules,
        call: &str,
        fault: RulesFault,
    ) -> Result<(Box<dyn RulesInstance>, String), RulesFault> {
        let mut fault = fault;
        while self.renewal == RestartPolicy::InGame
            && fault.is_of_machine()
            && self.renewals < RENEWALS
        {
            self.renewals += 1;
            match self.restarted(game, call) {
                Ok(answered) => return Ok(answered),
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }

    fn restarted(
        &self,
        game: &OpenRules,
        call: &str,
    ) -> Result<(Box<dyn RulesInstance>, String), RulesFault> {
        let Some(((begin, begun), later)) = self.made.split_first() else {
            return game.begin_anew(call);
        };
        let same = |call: &str, digest: &Digest, answer: &str| match Digest::hash(answer.as_bytes())
            == *digest
        {
            true => Ok(()),
            false => Err(RulesFault::other_answer(call)),
        };
        let (mut instance, answer) = game.begin_anew(begin)?;
        same(begin, begun, &answer)?;
        let mut answered =
            |call: &str| instance.call(call).map_err(|why| RulesFault::no_answer(call, why));
        for (call, digest) in later {
            same(call, digest, &answered(call)?)?;
        }
        let answer = answered(call)?;
        Ok((instance, answer))
    }
}

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
    /// [`ProtocolError`]
    pub fn read(text: &str) -> Result<Description, ProtocolError> {
        answer::check_text(text)?;
        let (mut name, mut title, mut about, mut seats, mut most) = (None, None, None, None, None);
        let mut options: Vec<CustomOption> = Vec::new();
        let mut help = String::new();
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        if first != format!("rules {PROTOCOL}") {
            let expected = format!("expected `rules {PROTOCOL}` in the first line");
            return Err(ProtocolError::of_line(first, expected));
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
                    let expected = || ProtocolError::of_line(line, "expected a score above 0");
                    set(&mut most, score.ok_or_else(expected)?, line)?;
                }
                "help" => {
                    help.push_str(&visible(value));
                    help.push('\n');
                }
                _ => return Err(ProtocolError::of_line(line, "expected a line of a description")),
            }
        }
        if options.len() > MOST_OPTIONS || help.lines().count() > MOST_HELP {
            let problem =
                format!("expected at most {MOST_OPTIONS} options and {MOST_HELP} lines of help");
            return Err(ProtocolError::of_answer(problem));
        }
        let missing = |key| ProtocolError::of_answer(format!("expected a line `{key}`"));
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

fn set<T>(slot: &mut Option<T>, value: T, line: &str) -> Result<(), ProtocolError> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(ProtocolError::of_line(line, "expected this line once")),
    }
}

fn read_name(line: &str, name: &str) -> Result<String, ProtocolError> {
    if !is_game_name(name) {
        let expected =
            format!("expected a name of `a` to `z`, digits and `-`, up to {LONGEST_NAME}");
        return Err(ProtocolError::of_line(line, expected));
    }
    if GameKind::ALL.iter().any(|kind| kind.name() == name) {
        return Err(ProtocolError::of_line(
            line,
            "expected another name than that of a built-in game",
        ));
    }
    Ok(name.to_owned())
}

fn read_seats(line: &str, value: &str) -> Result<RangeInclusive<usize>, ProtocolError> {
    let (fewest, most) = value.split_once("..").unwrap_or((value, value));
    let number = |text: &str| text.parse().ok().filter(|number: &usize| number.to_string() == text);
    match (number(fewest), number(most)) {
        (Some(fewest), Some(most)) if 2 <= fewest && fewest <= most && most <= Seat::MOST => {
            Ok(fewest..=most)
        }
        _ => {
            let expected =
                format!("expected a number of seats from 2 to {}, or two with `..`", Seat::MOST);
            Err(ProtocolError::of_line(line, expected))
        }
    }
}

fn read_option(
    line: &str,
    value: &str,
    before: &[CustomOption],
) -> Result<CustomOption, ProtocolError> {
    let (key, rest) = split(value);
    let (default, meaning) = split(rest);
    let is_one = is_key(key) && key != "seats" && is_word(default) && !default.contains('=');
    if !is_one || before.iter().any(|option| option.key == key) {
        return Err(ProtocolError::of_line(
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
