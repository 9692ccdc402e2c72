//! Players: typed where they think, text where they are asked.

use std::fmt;
use std::io;

use rules::request_text::{NotRequest, PlainRequest};
use rules::{Game, Request};
use text::system_error;

use crate::options::{BadOption, no_options};

/// A player of one game.
///
/// A player may remember things between requests, but must not need them: each request holds all
/// that its seat knows, and a program may be started afresh for every one.
pub trait Player<G: Game> {
    /// The move it makes when asked this.
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove>;

    /// The costly parts of a request that its choice depends on; all, unless it says otherwise.
    ///
    /// A player that is asked in the same process gets the others empty.
    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::History, RequestPart::LegalMoves]
    }

    /// Where a time limit cut its last choice short, so that it may choose otherwise when it is asked
    /// the same again; never, unless it says otherwise.
    fn cut(&self) -> Option<CutOff> {
        None
    }

    /// Where a limit of time or of work cut its last choice short; that of time, unless it says otherwise.
    fn short(&self) -> Option<CutOff> {
        self.cut()
    }
}

/// The work that was done when a limit cut a choice short, which is less than was to be done.
///
/// As text it is a key and a value, as those of a bot's note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutOff {
    /// What was counted, such as `worlds`.
    pub what: &'static str,
    pub number: u64,
}

impl fmt::Display for CutOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CutOff { what, number } = self;
        write!(f, "{what} {number}")
    }
}

/// Chooses one of the legal moves, each equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove> {
        let mut nature = request.heading.seed.nature();
        nature.choose(&request.legal).cloned().ok_or(NoMove)
    }

    fn reads(&self) -> &'static [RequestPart] {
        &[RequestPart::LegalMoves]
    }
}

pub fn without_options<G: Game>(
    player: impl Player<G> + Send + 'static,
    options: &[String],
) -> Result<AnyPlayer<G>, BadOption> {
    no_options(options).map(|()| Box::new(player) as AnyPlayer<G>)
}

/// A part of a request that takes time to make and that not every player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestPart {
    /// The history as the seat saw it.
    History,
    LegalMoves,
}

/// A player that may be of any kind.
pub type AnyPlayer<G> = Box<dyn Player<G> + Send>;

/// A game with its players: one of each program, and those that have no program.
///
/// The players of each program have a function of their own, so that a program holds what they have learned
/// and nothing of the others.
pub trait Players: Game {
    /// The player of the program `random`, with the options of its command line.
    fn random(options: &[String]) -> Result<AnyPlayer<Self>, BadOption>;

    /// The player of the program `greedy`, with the options of its command line.
    fn greedy(options: &[String]) -> Result<AnyPlayer<Self>, BadOption>;

    /// The player of the program `minimax`, with the options of its command line.
    fn minimax(options: &[String]) -> Result<AnyPlayer<Self>, BadOption>;

    /// The player of the program `expert`, with the options of its command line. There is none, unless
    /// a game has one.
    fn expert(options: &[String]) -> Result<AnyPlayer<Self>, BadOption> {
        let _ = options;
        Err(unknown::<Self>("expert"))
    }

    /// A player that has no program, by its name: others are measured against it. There is none,
    /// unless a game has some.
    fn yardstick(name: &str, options: &[String]) -> Option<Result<AnyPlayer<Self>, BadOption>> {
        let _ = (name, options);
        None
    }

    /// Why the player of this name does not play a game with these options, in one line; nothing where
    /// it does.
    fn refusal(name: &str, options: &Self::Options) -> Option<String> {
        let _ = (name, options);
        None
    }

    /// A new player of this name, with the options of its command line.
    fn player(name: &str, options: &[String]) -> Result<AnyPlayer<Self>, BadOption> {
        match name {
            "random" => Self::random(options),
            "greedy" => Self::greedy(options),
            "minimax" => Self::minimax(options),
            "expert" => Self::expert(options),
            _ => Self::yardstick(name, options).unwrap_or_else(|| Err(unknown::<Self>(name))),
        }
    }
}

fn unknown<G: Game>(name: &str) -> BadOption {
    let game = G::NAME;
    BadOption::Wrong(format!(
        "no player of {game} is called `{name}`, expected one such as `greedy`"
    ))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("found no move in this request")]
pub struct NoMove;

/// A player of any game, behind text.
pub trait AnyGamePlayer {
    /// The text of the move that answers the text of a request.
    fn answer(&mut self, request: &str) -> Result<String, PlayerError>;

    /// Where a time limit cut its last choice short; never, unless it says otherwise.
    fn cut(&self) -> Option<CutOff> {
        None
    }

    /// Where a limit of time or of work did; that of time, unless it says otherwise.
    fn short(&self) -> Option<CutOff> {
        self.cut()
    }
}

/// In a game that is not built in, likewise one of the moves that the request lists.
impl AnyGamePlayer for Random {
    fn answer(&mut self, request: &str) -> Result<String, PlayerError> {
        let request = PlainRequest::read(request)?;
        let chosen = request.heading.seed.nature().choose(&request.legal).copied();
        Ok(chosen.ok_or(NoMove)?.to_owned())
    }
}

/// Puts the player of this name of the game `G` behind text.
pub fn playing<G: Players>(name: &str, player: AnyPlayer<G>) -> Box<dyn AnyGamePlayer> {
    Box::new(TextPlayer { name: name.to_owned(), player })
}

/// A player whose requests are read from text.
struct TextPlayer<G> {
    name: String,
    player: AnyPlayer<G>,
}

impl<G: Players> AnyGamePlayer for TextPlayer<G> {
    fn answer(&mut self, request: &str) -> Result<String, PlayerError> {
        let request: Request<G> = request.parse()?;
        if let Some(refusal) = G::refusal(&self.name, &request.options) {
            return Err(PlayerError::Other(refusal));
        }
        Ok(self.player.choose(&request)?.to_string())
    }

    fn cut(&self) -> Option<CutOff> {
        self.player.cut()
    }

    fn short(&self) -> Option<CutOff> {
        self.player.short()
    }
}

/// Reason why a program gives no answer, in one line for its standard error.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// There is no such player, or its options are not as they must be.
    #[error(transparent)]
    BadOption(#[from] BadOption),
    /// The input, the game, the player or a stream is at fault.
    #[error("{0}")]
    Other(String),
}

impl From<NotRequest> for PlayerError {
    fn from(problem: NotRequest) -> PlayerError {
        PlayerError::Other(problem.to_string())
    }
}

impl From<NoMove> for PlayerError {
    fn from(problem: NoMove) -> PlayerError {
        PlayerError::Other(problem.to_string())
    }
}

impl From<io::Error> for PlayerError {
    fn from(error: io::Error) -> PlayerError {
        PlayerError::Other(format!("standard input or output failed: {}", system_error(&error)))
    }
}
