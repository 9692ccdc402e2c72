//! A program of this package: its name, its options and its players.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::marker::PhantomData;
use std::process::ExitCode;

use rules::request_text::{NotRequest, game_name};
use rules::{GameKind, NotText};

use crate::options::BadOption;
use crate::player::{AnyGamePlayer, AnyPlayer, PlayerError, Players, playing};

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
pub trait ProgramPlayers {
    const PROGRAM: Program;

    fn player<G: Players>(options: &[String]) -> Result<AnyPlayer<G>, BadOption>;

    /// Its player of any game that is not built in, if it can play without knowing the rules.
    fn of_any_game() -> Option<Box<dyn AnyGamePlayer>> {
        None
    }

    fn answering(kind: &GameKind, options: &[String]) -> Result<Box<dyn AnyGamePlayer>, BadOption> {
        struct PlayerMaker<'a, P: ?Sized>(&'a [String], PhantomData<P>);
        impl<P: ProgramPlayers + ?Sized> PlayersVisitor for PlayerMaker<'_, P> {
            type Output = Result<Box<dyn AnyGamePlayer>, BadOption>;
            fn visit<G: Players>(self) -> Self::Output {
                let player = P::player::<G>(self.0).map_err(|bad| P::PROGRAM.placed(bad))?;
                Ok(playing(P::PROGRAM.name, player))
            }
        }
        visit(kind, PlayerMaker::<Self>(options, PhantomData))?
    }
}

pub(crate) fn games_of(plays: impl Fn(&GameKind) -> bool) -> impl Iterator<Item = &'static str> {
    GameKind::ALL.iter().filter(move |kind| plays(kind)).map(GameKind::name)
}

/// The exit code for arguments that are not understood, as is usual.
const MISUSED: u8 = 2;

/// Runs a program on the arguments and the standard streams of this process.
pub(crate) fn run<P: ProgramPlayers>() -> ExitCode {
    run_as::<P>(P::PROGRAM.name, std::env::args_os().skip(1).collect())
}

/// Runs a program on these arguments and the standard streams of this process. `call` is how its user
/// starts it, for its help.
///
/// The arguments are read by hand: a bot that is started for every move must start fast.
pub(crate) fn run_as<P: ProgramPlayers>(call: &str, arguments: Vec<OsString>) -> ExitCode {
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

fn answer<P: ProgramPlayers>(options: &[String]) -> ExitCode {
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
    match serve::<P>(options, io::stdin().lock(), io::stdout().lock(), io::stderr().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(PlayerError::BadOption(bad)) => {
            complain(name, &format!("{bad}, try --help"));
            ExitCode::from(MISUSED)
        }
        Err(failure) => {
            complain(name, &failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn complain(name: &str, problem: &str) {
    let _ = writeln!(io::stderr(), "{name}: {problem}");
}

/// The longest request that is read, in bytes: several times what any game will ask.
const LONGEST_REQUEST: usize = 4 << 20;

const END: &[u8] = b"end";

/// Answers one request after another, each with one line, until the input ends.
///
/// So the same program works when it is started for one request and when it is kept alive. The
/// output is flushed after every answer, since the next request comes only after it. An input
/// that ends before the first line of a request is a normal end. Where a limit cut a choice short,
/// a note before the answer says how far it came.
pub fn serve<P: ProgramPlayers>(
    options: &[String],
    mut input: impl BufRead,
    mut output: impl Write,
    mut notes: impl Write,
) -> Result<(), PlayerError> {
    let mut players: Vec<(String, Box<dyn AnyGamePlayer>)> = Vec::new();
    let mut request = Vec::new();
    while read_request(&mut input, &mut request)? {
        let request = text(&request)?;
        let name = name(request)?;
        let place = match players.iter().position(|(game, _)| game == name) {
            Some(place) => place,
            None => {
                let player = match (name.parse::<GameKind>(), P::of_any_game()) {
                    (Ok(kind), _) => P::answering(&kind, options)?,
                    (Err(_), Some(player)) => player,
                    (Err(problem), None) => return Err(NotRequest { line: 2, problem }.into()),
                };
                players.push((name.to_owned(), player));
                players.len() - 1
            }
        };
        let player = &mut players[place].1;
        let answer = player.answer(request)?;
        if let Some(cut) = player.short() {
            // A note is worth no answer.
            let _ = writeln!(notes, "note {cut}");
        }
        output.write_all((answer + "\n").as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// Reads up to the line `end` or the end of the input, whichever is first; says whether there was
/// anything to read.
fn read_request(input: &mut impl BufRead, request: &mut Vec<u8>) -> Result<bool, PlayerError> {
    request.clear();
    loop {
        let start = request.len();
        let left = (LONGEST_REQUEST + 1).saturating_sub(start) as u64;
        input.by_ref().take(left).read_until(b'\n', request)?;
        if request.len() > LONGEST_REQUEST {
            return Err(PlayerError::Other(format!(
                "the request has more than {LONGEST_REQUEST} bytes, expected a line `end` before"
            )));
        }
        let line = &request[start..];
        if line.is_empty() || line.trim_ascii_end() == END {
            return Ok(!request.is_empty());
        }
    }
}

fn text(request: &[u8]) -> Result<&str, NotRequest> {
    std::str::from_utf8(request).map_err(|error| {
        let before = &request[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        NotRequest { line, problem: NotText::new("text in ASCII", "other bytes") }
    })
}

/// The name of the game that a request is about, or what is wrong with its first two lines.
fn name(request: &str) -> Result<&str, NotRequest> {
    game_name(request).ok_or_else(|| {
        let mut lines = request.lines();
        let first = lines.next().unwrap_or_default();
        if first.starts_with("arbiter ") {
            let second = lines.next().unwrap_or_default();
            NotRequest { line: 2, problem: NotText::new("`game NAME`", second) }
        } else {
            NotRequest { line: 1, problem: NotText::new("`arbiter VERSION`", first) }
        }
    })
}

/// Something to be done with the players of a game, whichever it is.
pub trait PlayersVisitor {
    type Output;

    fn visit<G: Players>(self) -> Self::Output;
}

pub fn visit<V: PlayersVisitor>(kind: &GameKind, visitor: V) -> Result<V::Output, NoPlayersError> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Ok(visitor.visit::<$game>());
            })*
        };
    }
    rules::games!(find);
    Err(NoPlayersError(kind.clone()))
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no built-in player plays {0}")]
pub struct NoPlayersError(pub GameKind);

impl From<NoPlayersError> for BadOption {
    fn from(none: NoPlayersError) -> BadOption {
        BadOption::Wrong(none.to_string())
    }
}
