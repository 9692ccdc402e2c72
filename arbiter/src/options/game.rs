//! The options that choose a game, for every command that plays one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, Error};
use rules::GameKind;

use super::logs::or_last;
use super::number;
use crate::disputes::GameReference;
use contest::setup::{self, GameSpec};
use sandbox::isolation::Isolation;
use text::failure::Failure;
use text::shell::word;

/// The game and its options.
#[derive(Debug, Args)]
pub(crate) struct GameSetupArgs {
    /// Built-in or custom game: a name, a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", value_parser = GameNameParser)]
    game: String,
    /// Number of seats [default: number of bots]
    #[arg(long, value_name = "N", value_parser = number::<usize>("a number of seats", 2..))]
    seats: Option<usize>,
    /// Game options, such as "deck=24 transfer=on" (see `arbiter games`)
    #[arg(long, value_name = "OPTIONS", default_value = "", hide_default_value = true)]
    options: String,
}

impl GameSetupArgs {
    pub(crate) fn into_spec(self) -> Result<GameSpec, Failure> {
        let GameSetupArgs { game, seats, options } = self;
        Ok(GameSpec { kind: opened(&game)?, seats, options })
    }
}

/// The rules of a custom game, for commands that read logs.
#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    /// Custom game of stand-alone logs: a folder, a .wasm module or a command
    #[arg(long, value_name = "GAME", alias = "rules")]
    game: Option<String>,
}

impl RulesArgs {
    /// Opens the rules, so that logs find them.
    pub(crate) fn open(&self) -> Result<(), Failure> {
        open_rules(self.game.as_deref())
    }
}

/// Opens the rules of a custom game, so that logs find them.
fn open_rules(rules: Option<&str>) -> Result<(), Failure> {
    rules.map(opened).transpose().map(drop)
}

/// What `--game` names where a command reads one game of a log.
#[derive(Debug, Clone)]
pub(crate) enum LoggedGameName {
    /// A game of the log, from 0.
    Number(u64),
    /// The custom game that the log names.
    Rules(String),
}

/// Reads what `--game` names: what begins as a number is one.
pub(crate) fn of_log(text: &str) -> Result<LoggedGameName, String> {
    match text.starts_with(|first: char| first.is_ascii_digit() || "-+".contains(first)) {
        true => number("the number of a game", 0..)(text).map(LoggedGameName::Number),
        false => Ok(LoggedGameName::Rules(text.to_owned())),
    }
}

/// Takes the values of `--game` and of its older name for rules apart, and opens the rules: gives the number of the
/// game, and the options for the rules as words for a shell.
pub(crate) fn opened_of_log(
    given: Vec<LoggedGameName>,
    rules: Option<String>,
) -> Result<(Option<u64>, Vec<String>), Failure> {
    let (mut number, mut named) = (None, rules);
    let mut is_twice = false;
    for value in given {
        is_twice |= match value {
            LoggedGameName::Number(game) => number.replace(game).is_some(),
            LoggedGameName::Rules(game) => named.replace(game).is_some(),
        };
    }
    if is_twice {
        let problem =
            "--game names two games of the log, or two custom games: name at most one of each";
        return Err(Failure::Usage(problem.to_owned()));
    }
    open_rules(named.as_deref()).map_err(|error| match error {
        Failure::Usage(problem) => {
            Failure::Usage(format!("{problem}; --game N selects a game of the log by its number"))
        }
        other => other,
    })?;
    let option = |game: String| format!("--game {}", word(Path::new(&game)));
    Ok((number, named.map(option).into_iter().collect()))
}

/// One game of a log.
#[derive(Debug, Args)]
pub(crate) struct GameOfLogArgs {
    /// Log or tournament folder [default: the last match]
    #[arg(value_name = "LOG|DIR")]
    log: Option<PathBuf>,
    /// Game number, from 0, or the custom game of a stand-alone log (a folder, a .wasm module or a
    /// command) [default: the first game with a fault]
    #[arg(long, value_name = "N|GAME", value_parser = of_log)]
    game: Vec<LoggedGameName>,
    /// Attempt of a replayed game, from 0 [default: the last]
    #[arg(long, value_name = "A", requires = "game", value_parser = number::<u32>("the number of an attempt", 0..))]
    attempt: Option<u32>,
    #[arg(long, hide = true, value_name = "GAME")]
    rules: Option<String>,
}

impl GameOfLogArgs {
    /// The log, and the game of it that was asked for.
    pub(crate) fn locate(self) -> Result<(PathBuf, Option<GameReference>), Failure> {
        let (game, _) = opened_of_log(self.game, self.rules)?;
        must_have_number(game, &[("--attempt", self.attempt.is_some())])?;
        let (path, attempt) = (or_last(self.log)?, self.attempt);
        let game = game.map(|game| GameReference { log: path.clone(), game, attempt });
        Ok((path, game))
    }
}

/// Fails where an option is given that is about one game of a log, without the number of the game.
pub(crate) fn must_have_number(game: Option<u64>, options: &[(&str, bool)]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given && game.is_none()) {
        Some((option, _)) => {
            Err(Failure::Usage(format!("{option} is for one game of the log: add --game N")))
        }
        None => Ok(()),
    }
}

/// A built-in game by its name, or a custom game, which is opened by its folder, its module or its
/// command.
pub(crate) fn opened(game: &str) -> Result<GameKind, Failure> {
    match GameKind::ALL.iter().find(|kind| kind.name() == game) {
        Some(kind) => Ok(kind.clone()),
        None if game.is_empty() => {
            let problem = "--game is empty: see `arbiter games`";
            Err(Failure::Usage(problem.to_owned()))
        }
        None => games::open(game, setup::supervisor_with(Isolation::Auto)?),
    }
}

/// Returns true for the name of a built-in game.
pub(crate) fn is_built_in(game: &str) -> bool {
    GameKind::ALL.iter().any(|kind| kind.name() == game)
}

/// Takes any game, and knows the names of those that are built in for help and completions.
#[derive(Clone)]
pub(crate) struct GameNameParser;

impl TypedValueParser for GameNameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(GameKind::ALL.iter().map(|kind| PossibleValue::new(name_of(kind)))))
    }
}

/// The name of a built-in game, which is as old as the program.
fn name_of(kind: &'static GameKind) -> &'static str {
    kind.name()
}
