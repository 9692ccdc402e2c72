//! A request without its game, and whether an answer to it is legal.
//!
//! A request tells everything that decides whether a move of its seat is legal. So a world is drawn
//! that the seat cannot tell from the real one, and the answer is tried there.

use crate::answer::{Answer, DetailedVerdict};
use crate::dialect::{Dialect, Prompt};
use crate::dyn_rules::RequestPosition;
use crate::kind::GameKind;
use crate::request_text;

pub use crate::dyn_rules::StandaloneRequestError;

/// A request that was asked somewhere, as text, with a world that it may be about.
///
/// ```
/// use rules::{Answer, Dialect, StandaloneRequest, Verdict};
///
/// let text = include_str!("../../../examples/requests/tablic/first-move.txt");
/// let sample = StandaloneRequest::read(text)?;
/// let first = format!("{}\n", sample.legal()[0]);
/// let rule = |output: &str| sample.rule(Dialect::Native, Answer::Output(output.into()));
/// assert_eq!(rule(&first).verdict, Verdict::Ok);
/// assert_eq!(rule("1S\n").verdict, Verdict::Malformed);
/// # Ok::<(), rules::sample::StandaloneRequestError>(())
/// ```
pub struct StandaloneRequest {
    kind: GameKind,
    text: String,
    position: RequestPosition,
}

impl StandaloneRequest {
    /// Reads a request, and draws a world that its seat cannot tell from the real one.
    ///
    /// # Errors
    ///
    /// [`StandaloneRequestError`], if no world asks this.
    pub fn read(text: &str) -> Result<StandaloneRequest, StandaloneRequestError> {
        let kind: GameKind = request_text::game_name(text)
            .ok_or_else(StandaloneRequestError::no_heading)?
            .parse()?;
        let position = kind.rules().position(text)?;
        Ok(StandaloneRequest { kind, text: text.to_owned(), position })
    }

    /// Prompt for a bot of a dialect; nothing if the game has no such dialect.
    pub fn prompt(&self, dialect: Dialect) -> Option<Prompt> {
        match dialect {
            Dialect::Native => Some(Prompt::Request(self.text.clone())),
            Dialect::Classic(_) => self.position.classic.as_deref().map(Prompt::classic),
        }
    }

    /// Rules on an answer of a bot of this dialect.
    pub fn rule(&self, dialect: Dialect, answer: Answer) -> DetailedVerdict {
        self.try_play(dialect, answer).1
    }

    /// The text of the move that an answer means, if it is a legal one.
    pub fn played(&self, dialect: Dialect, answer: Answer) -> Option<String> {
        self.try_play(dialect, answer).0
    }

    fn try_play(&self, dialect: Dialect, answer: Answer) -> (Option<String>, DetailedVerdict) {
        let mut played = None;
        let mut play = |line: &str| {
            played = Some((self.position.check)(line)?);
            Ok(())
        };
        let ruling = match (dialect, &self.position.classic) {
            (Dialect::Classic(reading), Some(call)) => {
                DetailedVerdict::of_classic(&**call, reading, answer, play).2
            }
            _ => DetailedVerdict::judge(answer, &mut play).1,
        };
        (played, ruling)
    }

    /// The game.
    pub fn kind(&self) -> &GameKind {
        &self.kind
    }

    /// The legal moves that the request lists, in canonical order.
    pub fn legal(&self) -> &[String] {
        &self.position.legal
    }
}
