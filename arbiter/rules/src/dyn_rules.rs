//! The rules of a game behind text, their identity, and custom games whose rules are not here.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::answer::Refusal;
use crate::dialect::{ClassicCall, Dialect};
use crate::game::{ListCompleteness, Request, Resample, Turn};
use crate::request_text::{NotRequest, PlainRequest};
use crate::seat::Score;
use crate::seed::{Digest, Nature};
use crate::table::Table;
use crate::text::NotText;

/// The rules of a game behind text.
pub(crate) trait Rules: Send + Sync {
    fn about(&self) -> GameInfo<'_>;
    /// The identity of rules that are not compiled in.
    fn rules_id(&self) -> Option<RulesId> {
        None
    }
    /// Returns true if these rules are only known by name.
    fn is_absent(&self) -> bool {
        false
    }
    fn dialects(&self) -> &[Dialect];
    /// The dialects of a game with these options, which are not all where the game says so.
    fn dialects_with(&self, _options: &str) -> &[Dialect] {
        self.dialects()
    }
    fn most_points(&self) -> Option<Score>;
    fn check_options(&self, options: &str) -> Result<String, NotText>;
    fn seats(&self, options: &str) -> Result<usize, NotText>;
    fn spelt(&self, text: &str) -> Option<String>;
    /// A new game, or what is wrong with the options. Rules that are compiled in need no renewal.
    fn open(&self, options: &str, renewal: RestartPolicy) -> Result<Box<dyn Table>, NotText>;
    /// A position in which a seat would be asked this request.
    fn position(&self, request: &str) -> Result<RequestPosition, StandaloneRequestError>;
}

/// A description of a game for a list.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo<'a> {
    /// Its name in commands.
    pub name: &'a str,
    /// Its name in headings.
    pub title: &'a str,
    /// Description in one line.
    pub about: &'a str,
    /// Its options with their values, one line.
    pub options: &'a str,
    /// The rules in short for a person who plays, in whole lines.
    pub rules: &'a str,
    /// Things that statistics count for each seat beside points.
    pub counts: &'a [&'a str],
}

/// The version of the protocol of rules.
pub const PROTOCOL: u32 = 1;

/// The kind of an instance of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CustomRulesKind {
    /// A program, which is run isolated as bots are.
    Program,
    /// A WebAssembly module.
    Module,
}

impl fmt::Display for CustomRulesKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CustomRulesKind::Program => "program",
            CustomRulesKind::Module => "module",
        })
    }
}

/// The identity of rules that are not compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesId {
    /// What they are.
    pub carrier: CustomRulesKind,
    /// The version of the protocol that they speak.
    pub protocol: u32,
    /// The digest of the module, or of a program's files.
    pub digest: Digest,
}

/// The rules of a game, as the header of a log names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesLine {
    /// The rules.
    #[serde(flatten)]
    pub id: RulesId,
    /// The number of seats with the options of the log, for readers who do not have the rules.
    pub seats: usize,
}

/// The longest name of a game, in characters.
pub(crate) const LONGEST_NAME: usize = 30;

/// Returns true for the name of a game: `a` to `z`, digits and `-`, a letter first, 30 characters at
/// most.
pub fn is_game_name(name: &str) -> bool {
    let is_letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_letter)
        && name.len() <= LONGEST_NAME
}

/// The most times that other rules take the place of those that the machine has ended in one game.
pub const RENEWALS: u32 = 3;

/// What becomes of a game whose rules are ended by the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestartPolicy {
    /// It is void: it is played.
    Never,
    /// Other rules get its calls again, and it goes on, up to [`RENEWALS`] times: it is derived from its inputs.
    InGame,
}

/// A custom game whose rules are not here: enough to read a log, but not to play or to derive it.
#[derive(Debug)]
pub(crate) struct AbsentGame {
    name: String,
    line: RulesLine,
}

impl AbsentGame {
    pub(crate) fn new(name: &str, line: RulesLine) -> AbsentGame {
        AbsentGame { name: name.to_owned(), line }
    }
}

impl Rules for AbsentGame {
    fn about(&self) -> GameInfo<'_> {
        let name = &self.name;
        GameInfo { name, title: name, about: "", options: "", rules: "", counts: &[] }
    }

    fn rules_id(&self) -> Option<RulesId> {
        Some(self.line.id)
    }

    fn is_absent(&self) -> bool {
        true
    }

    fn dialects(&self) -> &[Dialect] {
        &[Dialect::Native]
    }

    fn most_points(&self) -> Option<Score> {
        None
    }

    fn check_options(&self, options: &str) -> Result<String, NotText> {
        Ok(options.to_owned())
    }

    fn seats(&self, _options: &str) -> Result<usize, NotText> {
        Ok(self.line.seats)
    }

    fn spelt(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn open(&self, _options: &str, _: RestartPolicy) -> Result<Box<dyn Table>, NotText> {
        let RulesId { carrier, digest, .. } = self.line.id;
        let name = &self.name;
        let expected =
            format!("the rules of {name} (--game GAME), a {carrier} with digest {digest}");
        Err(NotText::new(expected, ""))
    }

    fn position(&self, request: &str) -> Result<RequestPosition, StandaloneRequestError> {
        listed_position(request)
    }
}

/// Gives the text of the move that a line means, if the seat to move may play it.
pub(crate) type MoveCheck = dyn Fn(&str) -> Result<String, Refusal> + Send;

/// A position that a request may be about, behind text.
pub(crate) struct RequestPosition {
    pub(crate) classic: Option<Box<dyn ClassicCall>>,
    pub(crate) legal: Vec<String>,
    pub(crate) check: Box<MoveCheck>,
}

/// No game leads to a request, or it is not one of a game that this build knows; says why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StandaloneRequestError(String);

impl StandaloneRequestError {
    /// The request does not begin as one does.
    pub(crate) fn no_heading() -> StandaloneRequestError {
        StandaloneRequestError(
            "expected `arbiter VERSION` and `game NAME` in the first two lines of the request"
                .to_owned(),
        )
    }

    /// The request contradicts itself.
    fn no_game(why: &str) -> StandaloneRequestError {
        StandaloneRequestError(format!("no game leads to this request: {why}"))
    }
}

impl From<NotText> for StandaloneRequestError {
    fn from(unknown: NotText) -> StandaloneRequestError {
        StandaloneRequestError(unknown.to_string())
    }
}

impl From<NotRequest> for StandaloneRequestError {
    fn from(problem: NotRequest) -> StandaloneRequestError {
        StandaloneRequestError(problem.to_string())
    }
}

/// The position that a request of a custom game is about.
pub(crate) fn listed_position(request: &str) -> Result<RequestPosition, StandaloneRequestError> {
    let request = PlainRequest::read(request)?;
    let legal: Vec<String> = request.legal.iter().map(ToString::to_string).collect();
    let (moves, listing) = (legal.clone(), request.listing);
    let check = Box::new(move |line: &str| {
        let mv = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        // Where the list is cut, only the game itself can refuse a move.
        match moves.contains(&mv) || listing == ListCompleteness::Cut {
            true => Ok(mv),
            false => Err(Refusal::unlisted()),
        }
    });
    Ok(RequestPosition { classic: None, legal, check })
}

/// The position that a request of this game is about.
pub(crate) fn position<G: Resample>(
    request: &str,
) -> Result<RequestPosition, StandaloneRequestError> {
    let request: Request<G> = request.parse()?;
    let legal = request.legal.iter().map(ToString::to_string).collect();
    let classic = G::classic(&request);
    let world = world(request)?;
    let check = Box::new(move |line: &str| {
        let mv: G::Move = line.parse()?;
        match world.check(&mv) {
            Ok(()) => Ok(mv.to_string()),
            Err(illegal) => Err(Refusal::Illegal(illegal.to_string())),
        }
    });
    Ok(RequestPosition { classic, legal, check })
}

/// A state in which the seat would be asked just this.
fn world<G: Resample>(request: Request<G>) -> Result<G, StandaloneRequestError> {
    let events = request.events();
    let Request { options, heading, view, legal, listing, .. } = request;
    // Any of the worlds will do, but it must always be the same one.
    let mut nature: Nature = heading.seed.nature();
    let world = G::resample(&options, heading.seat, &view, &events, &mut nature)
        .ok_or_else(|| StandaloneRequestError::no_game("the history does not lead to the view"))?;
    if world.turn() != Turn::Seat(heading.seat) {
        return Err(StandaloneRequestError::no_game("the seat is not to move"));
    }
    if world.view(heading.seat) != view {
        return Err(StandaloneRequestError::no_game("the history leads to a different view"));
    }
    let mut moves = Vec::new();
    if world.legal_moves(&mut moves) != listing || moves != legal {
        return Err(StandaloneRequestError::no_game("the legal moves differ"));
    }
    Ok(world)
}
