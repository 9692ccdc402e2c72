//! `arbiter explain`: all details of an answer in a log.

mod answer;

use std::io::{self, Write};
use std::path::PathBuf;

use bots::review::reviewer_of;
use clap::Args;
use rules::record::ClassicReply;
use rules::{AnswerRecord, Digest, Escaped, Listing, Notes, Question, Seat, TextDigest, Verdict};
use serde::Serialize;
use text::printable;

use crate::commands::request::nobody_was_asked;
use crate::disputes::faults::FaultSummary;
use crate::disputes::logged_game::{AskedMoment, GameOfLog, LoggedGame, failure, open};
use crate::options::game::{GameOfLogArgs, must_have_number};
use crate::options::logs::log_argument;
use crate::options::{number, report_format};
use crate::output::OutputFormat;
use crate::output::json::JsonLines;
use answer::{ExplainedAnswer, LateAnswerFacts, suspicion};
use sandbox::{Limits, in_header};
use series::Series;
use text::failure::Failure;

/// The answers to explain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WhichAnswers {
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

/// `arbiter explain`.
#[derive(Debug, Args)]
#[command(after_help = "Without --game, explains the first fault and counts the rest.

Examples:
  arbiter explain
  arbiter explain match.jsonl
  arbiter explain match.jsonl --game 3
  arbiter explain match.jsonl --game 3 --move 12 --full")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    game: GameOfLogArgs,
    /// Move number, from 0 [default: all with a fault]
    #[arg(long = "move", value_name = "K", requires = "game", value_parser = number::<u32>("the number of a move", 0..))]
    number: Option<u32>,
    /// 0 for the first answer, 1 for the first retry [default: all]
    #[arg(long, value_name = "R", requires = "number", value_parser = number::<u32>("the number of a chance", 0..))]
    retry: Option<u32>,
    /// Do not abridge the request, output and standard error
    #[arg(long)]
    full: bool,
    /// Print JSON lines: one per answer, one for the result
    #[arg(long, conflicts_with = "full")]
    json: bool,
}

impl ExplainArgs {
    /// Explains the answers at a move, every answer of a game that was not ok, or the first one of a
    /// log.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ExplainArgs { game, number, retry, full, json } = self;
        let (log, game) = game.found()?;
        must_have_number(game.as_ref().map(|of| of.game), &[("--move", number.is_some())])?;
        let wanted =
            number.map_or(WhichAnswers::Faults, |number| WhichAnswers::Move { number, retry });
        let request = ExplainRequest { log, wanted, is_full: full, format: report_format(json) };
        match &game {
            Some(game) => of_game(&request, game, out),
            None => first_fault(&request, out),
        }
    }
}

/// The answers to explain, and how.
#[derive(Debug)]
struct ExplainRequest {
    log: PathBuf,
    wanted: WhichAnswers,
    is_full: bool,
    format: OutputFormat,
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
            if has_review(&logged.series) {
                let log = log_argument(&request.log);
                writeln!(out, "next: arbiter review{log} --game {}", game.game)?;
            }
        }
        _ => write_all(&explained, request.format, out)?,
    }
    if request.format == OutputFormat::Json {
        json_result(out, explained.len(), None)?;
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
        (OutputFormat::Json, faults) => json_result(out, all.len(), faults.as_ref())?,
        (OutputFormat::Text, None) => {
            let log = printable(&request.log.display().to_string());
            writeln!(out, "{log}: every answer was ok")?;
            let games = open(&request.log).map_err(|error| failure(&request.log, error))?;
            if has_review(games.series()) {
                writeln!(out, "next: arbiter review{}", log_argument(&request.log))?;
            }
        }
        (OutputFormat::Text, Some(faults)) => {
            if let Some(others) = faults.describe_others() {
                writeln!(out, "\n{others}")?;
            }
        }
    }
    Ok(())
}

/// Returns true if its games can be reviewed; those of a custom game cannot.
fn has_review(series: &Series) -> bool {
    reviewer_of(series.kind(), &series.header().options).is_some()
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
                let is_full = request.is_full;
                let explaining = ExplainedAnswer { logged, is_full, answer, measured };
                texts.push(match request.format {
                    OutputFormat::Text => explaining.text(moment, question),
                    OutputFormat::Json => json_answer(&explaining, moment, question),
                });
            }
        })
        .map_err(|error| failure(&request.log, error))?;
    Ok((moments, texts))
}

/// A line, named by its only key.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Answer(Box<JsonAnswer<'a>>),
    Result { answers: usize, others: u64, games: &'a [u64] },
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    game: u64,
    attempt: u32,
    #[serde(rename = "move")]
    number: u32,
    retry: u32,
    seat: Seat,
    name: &'a str,
    command: &'a str,
    verdict: Verdict,
    detail: &'a str,
    reply: &'a Escaped,
    classic: Option<&'a ClassicReply>,
    legal: Vec<String>,
    /// True if these are all legal moves.
    all_legal: bool,
    ms: f64,
    cpu_ms: Option<f64>,
    waited_ms: Option<f64>,
    referee_waited_ms: Option<f64>,
    /// For an answer that was too late.
    suspicion: Option<LateAnswerFacts>,
    escaped: u32,
    stderr: Escaped,
    /// The digest of standard error that is not here.
    stderr_private: Option<TextDigest>,
    stderr_dropped: u64,
    notes: Notes,
    #[serde(with = "in_header")]
    limits: Limits,
    asked: Digest,
    request: String,
}

/// The line of one answer, with its line end.
fn json_answer(
    explaining: &ExplainedAnswer<'_>,
    AskedMoment { number, retry, seat }: AskedMoment,
    question: &Question<'_>,
) -> String {
    let ExplainedAnswer { logged, answer, measured, .. } = explaining;
    let player = logged.series.players(logged.game.game)[seat];
    let (legal, listing) = question.legal_moves();
    let line = JsonLine::Answer(Box::new(JsonAnswer {
        game: logged.game.game,
        attempt: logged.game.attempt,
        number,
        retry,
        seat,
        name: &player.name,
        command: &player.command,
        verdict: answer.verdict,
        detail: &answer.detail,
        reply: &answer.reply,
        classic: answer.classic.as_ref(),
        legal: legal.to_vec(),
        all_legal: listing == Listing::Complete,
        ms: measured.ms,
        cpu_ms: measured.cpu_ms,
        waited_ms: measured.waited_ms,
        referee_waited_ms: measured.referee_waited_ms,
        suspicion: suspicion(logged, answer),
        escaped: measured.escaped,
        stderr: Escaped(measured.stderr.bytes().to_vec()),
        stderr_private: measured.stderr.private(),
        stderr_dropped: measured.stderr_dropped,
        notes: measured.notes(),
        limits: player.limits,
        asked: answer.asked,
        request: String::from_utf8_lossy(&question.prompt().bytes()).into_owned(),
    }));
    // All of it has a form in JSON.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}

/// The line after all answers.
fn json_result(
    out: &mut dyn Write,
    answers: usize,
    faults: Option<&FaultSummary>,
) -> io::Result<()> {
    let others = faults.map_or(0, |faults| faults.others);
    let games = faults.map_or(&[][..], |faults| &faults.games);
    JsonLines::new(out).line(&JsonLine::Result { answers, others, games })
}
