//! A program of this package: its name, its players, its command line.

use std::ffi::OsString;
use std::io::{self, Write};
use std::marker::PhantomData;
use std::process::ExitCode;

use rules::GameKind;

use crate::options::BadOption;
use crate::player::{Answers, AnyPlayer, Failure, Players, playing};
use crate::programs::{PlayersVisitor, plays, visit};
use crate::serve::serve;

/// A program of this package, as data.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its name, as of its binary.
    pub name: &'static str,
    /// Way of playing, in one line.
    pub about: &'static str,
    /// Its options, for its help: texts of one line or more, each line after a line break; none
    /// where it has no options.
    pub options: &'static [&'static str],
}

impl Program {
    /// The names of the games that it plays, as a list for people.
    pub fn games(&self) -> String {
        self.games_played().collect::<Vec<_>>().join(", ")
    }

    /// The names of the games that it plays.
    pub fn games_played(&self) -> impl Iterator<Item = &'static str> {
        games_of(|kind| plays(self, kind))
    }

    /// The option that a word of a command line gives, with or without a value, if the help has it.
    pub fn option<'a>(&self, word: &'a str) -> Option<&'a str> {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let mut lines = self.options.iter().flat_map(|help| help.lines());
        lines.any(|line| line.split_whitespace().next() == Some(name)).then_some(name)
    }

    /// Says of an unknown option whether the program has it for another game.
    ///
    /// A player knows the options of its own game only, so it cannot tell.
    pub fn placed(&self, bad: BadOption) -> BadOption {
        match bad {
            BadOption::Unknown(word) => match self.option(&word) {
                Some(option) => BadOption::Elsewhere(option.to_owned()),
                None => BadOption::Unknown(word),
            },
            bad => bad,
        }
    }

    /// Its options after the word `options:`, on lines of their own where there are any.
    pub fn options_text(&self) -> String {
        if self.options.is_empty() { " none".to_owned() } else { self.options.concat() }
    }
}

/// The players of one program: it holds no others.
pub trait Runs {
    /// Its name and its help.
    const PROGRAM: Program;

    /// Its player of a game.
    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption>;

    /// Its player of any game that is not built in, if it can play without knowing the rules.
    fn of_any_game() -> Option<Box<dyn Answers>> {
        None
    }

    /// Its player of a game, behind text.
    fn answering(kind: &GameKind, options: &[String]) -> Result<Box<dyn Answers>, BadOption> {
        struct Make<'a, P: ?Sized>(&'a [String], PhantomData<P>);
        impl<P: Runs + ?Sized> PlayersVisitor for Make<'_, P> {
            type Output = Result<Box<dyn Answers>, BadOption>;
            fn visit<G: Players>(self) -> Self::Output {
                let player = P::player::<G>(self.0).map_err(|bad| P::PROGRAM.placed(bad))?;
                Ok(playing(P::PROGRAM.name, player))
            }
        }
        visit(kind, Make::<Self>(options, PhantomData))?
    }
}

/// The exit code for arguments that are not understood, as is usual.
const MISUSED: u8 = 2;

/// Runs a program on the arguments and the standard streams of this process.
pub fn run<P: Runs>() -> ExitCode {
    run_as::<P>(P::PROGRAM.name, std::env::args_os().skip(1).collect())
}

/// Runs a program on these arguments and the standard streams of this process. `call` is how its user
/// starts it, for its help.
///
/// The arguments are read by hand: a bot that is started for every move must start fast.
pub fn run_as<P: Runs>(call: &str, arguments: Vec<OsString>) -> ExitCode {
    let program = &P::PROGRAM;
    let Program { name, about, .. } = program;
    let arguments: Vec<String> =
        arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let asks_for = |option: &str| arguments.iter().any(|argument| argument == option);
    let text = if asks_for("-h") || asks_for("--help") {
        format!(
            "{name}: {about}\n\n\
             Usage: {call} [OPTIONS] < REQUEST\n\n\
             Reads requests from standard input, each ending with the line `end`, and prints\n\
             one move per request.\n\n\
             Options:{}\n\
             Games: {}",
            program.options_text(),
            games_of(|kind| P::answering(kind, &[]).is_ok()).collect::<Vec<_>>().join(", ")
        )
    } else if asks_for("--version") {
        format!("{name} {}", env!("CARGO_PKG_VERSION"))
    } else {
        return answer::<P>(&arguments);
    };
    // A closed output leaves no way to report it.
    let _ = writeln!(io::stdout(), "{text}");
    ExitCode::SUCCESS
}

fn answer<P: Runs>(options: &[String]) -> ExitCode {
    let name = P::PROGRAM.name;
    // Options that no game knows are refused before anything is read.
    let refusals = GameKind::ALL.iter().map(|kind| P::answering(kind, options).err());
    let all: Option<Vec<BadOption>> = refusals.collect();
    // A game that has the option says best what is wrong with its value.
    let known = |all: &[BadOption]| all.iter().position(|bad| matches!(bad, BadOption::Wrong(_)));
    if let Some(bad) = all.and_then(|all| all.get(known(&all).unwrap_or(0)).cloned()) {
        complain(name, &format!("{bad}, try --help"));
        return ExitCode::from(MISUSED);
    }
    match serve::<P>(options, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::BadOption(bad)) => {
            complain(name, &format!("{bad}, try --help"));
            ExitCode::from(MISUSED)
        }
        Err(failure) => {
            complain(name, &failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn games_of(plays: impl Fn(&GameKind) -> bool) -> impl Iterator<Item = &'static str> {
    GameKind::ALL.iter().filter(move |kind| plays(kind)).map(GameKind::name)
}

fn complain(name: &str, problem: &str) {
    let _ = writeln!(io::stderr(), "{name}: {problem}");
}
