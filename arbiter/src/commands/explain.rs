//! `arbiter explain`: all details of an answer in a log.

mod answer;
mod json;
mod suspect;

use std::io::{self, Write};
use std::path::PathBuf;

use rules::{AnswerRecord, Verdict};
use text::printable;

pub(crate) use answer::ExplanationLength;

use crate::commands::request::nobody_was_asked;
use crate::disputes::faults::FaultSummary;
use crate::disputes::logged_game::{AskedMoment, GameOfLog, LoggedGame, failure};
use crate::output::OutputFormat;
use answer::ExplainedAnswer;
use text::failure::Failure;

/// The answers to explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhichAnswers {
    /// All answers that were not ok.
    Faults,
    /// The answers at a move: at every chance, or at one of them.
    Move {
        number: u32,
        /// 0 for the first answer, or the number of a second chance.
        retry: Option<u32>,
    },
}

impl WhichAnswers {
    fn is(self, moment: AskedMoment, answer: &AnswerRecord) -> bool {
        match self {
            WhichAnswers::Faults => answer.verdict != Verdict::Ok,
            WhichAnswers::Move { number, retry } => {
                moment.number == number && retry.is_none_or(|retry| retry == moment.retry)
            }
        }
    }
}

/// The options of `arbiter explain`.
#[derive(Debug)]
pub(crate) struct ExplainRequest {
    pub log: PathBuf,
    /// The game; by default, only the first answer of the log that was not ok is explained.
    pub game: Option<GameOfLog>,
    pub wanted: WhichAnswers,
    pub length: ExplanationLength,
    pub format: OutputFormat,
}

/// Explains the answers at a move, every answer of a game that was not ok, or the first one of a
/// log.
pub(crate) fn run(request: &ExplainRequest, out: &mut dyn Write) -> Result<(), Failure> {
    match &request.game {
        Some(game) => of_game(request, game, out),
        None => first_fault(request, out),
    }
}

fn of_game(request: &ExplainRequest, game: &GameOfLog, out: &mut dyn Write) -> Result<(), Failure> {
    let logged = LoggedGame::find(game)?;
    let (moments, explained) = explained(request, &logged)?;
    match (request.wanted, explained.len()) {
        (WhichAnswers::Move { number, .. }, 0) => {
            return Err(nobody_was_asked(game, number, &moments));
        }
        (WhichAnswers::Faults, 0) if request.format == OutputFormat::Text => {
            writeln!(out, "game {}: every answer was ok", game.game)?;
        }
        _ => write_all(&explained, request.format, out)?,
    }
    if request.format == OutputFormat::Json {
        json::result(out, explained.len(), None)?;
    }
    Ok(())
}

fn first_fault(request: &ExplainRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let faults = FaultSummary::find(&request.log, None)?;
    let mut all = match &faults {
        Some(faults) => explained(request, &faults.first)?.1,
        None => Vec::new(),
    };
    all.truncate(1);
    write_all(&all, request.format, out)?;
    match (request.format, faults) {
        (OutputFormat::Json, faults) => json::result(out, all.len(), faults.as_ref())?,
        (OutputFormat::Text, None) => {
            let log = printable(&request.log.display().to_string());
            writeln!(out, "{log}: every answer was ok")?;
        }
        (OutputFormat::Text, Some(faults)) => {
            if let Some(others) = faults.describe_others() {
                writeln!(out, "\n{others}")?;
            }
        }
    }
    Ok(())
}

fn write_all(explained: &[String], format: OutputFormat, out: &mut dyn Write) -> io::Result<()> {
    let between = if format == OutputFormat::Text { "\n" } else { "" };
    write!(out, "{}", explained.join(between))
}

/// Every moment of a game, and a text for each wanted answer.
fn explained(
    request: &ExplainRequest,
    logged: &LoggedGame,
) -> Result<(Vec<AskedMoment>, Vec<String>), Failure> {
    let mut moments = Vec::new();
    let mut texts = Vec::new();
    logged
        .questions(&mut |moment, question, answer, measured| {
            moments.push(moment);
            if request.wanted.is(moment, answer) {
                let length = request.length;
                let explaining = ExplainedAnswer { logged, length, answer, measured };
                texts.push(match request.format {
                    OutputFormat::Text => explaining.text(moment, question),
                    OutputFormat::Json => json::answer(&explaining, moment, question),
                });
            }
        })
        .map_err(|error| failure(&request.log, error))?;
    Ok((moments, texts))
}
