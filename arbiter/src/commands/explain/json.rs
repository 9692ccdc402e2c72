//! An explanation as lines of JSON for programs.

use std::io::{self, Write};

use rules::record::ClassicReply;
use rules::{Escaped, Listing, Notes, Question, Verdict};
use serde::Serialize;

use super::answer::ExplainedAnswer;
use super::suspect::{LateAnswerFacts, suspicion};
use crate::disputes::faults::FaultSummary;
use crate::disputes::logged_game::AskedMoment;
use crate::output::json::JsonLines;
use sandbox::{Limits, in_header};

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
    seat: rules::Seat,
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
    stderr: &'a Escaped,
    stderr_dropped: u64,
    notes: Notes,
    #[serde(with = "in_header")]
    limits: Limits,
    asked: rules::Digest,
    request: String,
}

/// The line of one answer, with its line end.
pub(super) fn answer(
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
        stderr: &measured.stderr,
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
pub(super) fn result(
    out: &mut dyn Write,
    answers: usize,
    faults: Option<&FaultSummary>,
) -> io::Result<()> {
    let others = faults.map_or(0, |faults| faults.others);
    let games = faults.map_or(&[][..], |faults| &faults.games);
    JsonLines::new(out).line(&JsonLine::Result { answers, others, games })
}
