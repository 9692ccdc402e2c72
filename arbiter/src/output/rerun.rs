//! The comparison of answers as text and JSON.

use std::io::{self, Write};

use check::report::cut;
use rules::{EscapedBytes, Measurements, Verdict};
use serde::Serialize;
use text::{counted, printable};

use crate::disputes::rerun::{AnswerComparison, AnswerPlace, ComparisonCounts, Repetition};
use crate::output::named_json_line;

/// The comparison of answers, as it is written.
pub(crate) enum RerunReport<'a> {
    /// A line of text for every answer, or only for those that differ.
    Text { out: &'a mut dyn Write, shows_all: bool },
    /// A line of JSON for every answer.
    Json(&'a mut dyn Write),
}

impl RerunReport<'_> {
    pub(crate) fn compared(&mut self, compared: &AnswerComparison<'_>) -> io::Result<()> {
        match self {
            RerunReport::Text { out, shows_all } if *shows_all || !compared.are_same() => {
                text_comparison(*out, compared)
            }
            RerunReport::Text { .. } => Ok(()),
            RerunReport::Json(out) => json_comparison(*out, compared),
        }
    }

    /// Shows the result, with each game asked this number of times.
    pub(crate) fn finish(&mut self, count: &ComparisonCounts, times: u32) -> io::Result<()> {
        match self {
            RerunReport::Text { out, .. } => text_result(*out, count, times),
            RerunReport::Json(out) => json_result(*out, count, times),
        }
    }
}

fn text_comparison(out: &mut dyn Write, compared: &AnswerComparison<'_>) -> io::Result<()> {
    let ((logged, then), (now, measured)) = (compared.logged, compared.now);
    let moment = compared.moment;
    let time = match compared.time {
        Repetition { of: 1, .. } => String::new(),
        Repetition { number, .. } => format!(", time {number}"),
    };
    let place = format!(
        "{}{time}, seat {} {}",
        describe_place(compared.place()),
        moment.seat,
        compared.name
    );
    let now_told = answer(&now.reply, now.ruling.verdict, &now.ruling.detail);
    let times = format!("{:.1} ms, logged {:.1} ms", measured.ms, then.ms);
    if compared.are_same() {
        return writeln!(out, "{place}: same, {now_told} in {times}");
    }
    let logged_told = answer(&logged.reply, logged.verdict, &logged.detail);
    writeln!(out, "{place}: DIFFERENT in {times}")?;
    writeln!(out, "  logged  {logged_told}")?;
    writeln!(out, "  now     {now_told}")
}

fn text_result(out: &mut dyn Write, count: &ComparisonCounts, times: u32) -> io::Result<()> {
    if times > 1 {
        for (place, different) in &count.places {
            let (place, seat) = (describe_place(*place), place.seat);
            writeln!(out, "{place}, seat {seat}: different {different} of {times} times")?;
        }
    }
    if count.different == 0 && count.answers > 0 {
        writeln!(out, "{}, no differences", counted(count.answers, "answer", "answers"))?;
    }
    Ok(())
}

fn describe_place(AnswerPlace { game, number, retry, .. }: AnswerPlace) -> String {
    match retry {
        0 => format!("game {game}, move {number}"),
        retry => format!("game {game}, move {number}, retry {retry}"),
    }
}

fn answer(reply: &EscapedBytes, verdict: Verdict, detail: &str) -> String {
    let reply = if reply.0.is_empty() { "nothing".to_owned() } else { format!("`{reply}`") };
    match detail {
        "" => format!("{}, {verdict}", cut(&reply)),
        detail => format!("{}, {verdict} ({})", cut(&reply), printable(detail)),
    }
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    reply: &'a EscapedBytes,
    verdict: Verdict,
    detail: &'a str,
    ms: f64,
    cpu_ms: Option<f64>,
}

#[derive(Serialize)]
struct JsonAnswerComparison<'a> {
    #[serde(flatten)]
    place: AnswerPlace,
    time: u32,
    name: &'a str,
    same: bool,
    logged: JsonAnswer<'a>,
    now: JsonAnswer<'a>,
}

#[derive(Serialize)]
struct JsonRerunResult {
    answers: u64,
    different: u64,
    first: Option<AnswerPlace>,
    /// The number of differences at each place, if each was asked several times.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<JsonDifference>>,
}

#[derive(Serialize)]
struct JsonDifference {
    #[serde(flatten)]
    place: AnswerPlace,
    different: u64,
    times: u32,
}

fn json_comparison(out: &mut dyn Write, compared: &AnswerComparison<'_>) -> io::Result<()> {
    let ((logged, then), (now, measured)) = (compared.logged, compared.now);
    let json = |reply, verdict, detail, measured: &Measurements| JsonAnswer {
        reply,
        verdict,
        detail,
        ms: measured.ms,
        cpu_ms: measured.cpu_ms,
    };
    let comparison = JsonAnswerComparison {
        place: compared.place(),
        time: compared.time.number,
        name: compared.name,
        same: compared.are_same(),
        logged: json(&logged.reply, logged.verdict, &logged.detail, then),
        now: json(&now.reply, now.ruling.verdict, &now.ruling.detail, measured),
    };
    named_json_line(out, "answer", &comparison)
}

fn json_result(out: &mut dyn Write, count: &ComparisonCounts, times: u32) -> io::Result<()> {
    let place = |(place, different): (&AnswerPlace, &u64)| JsonDifference {
        place: *place,
        different: *different,
        times,
    };
    let result = JsonRerunResult {
        answers: count.answers,
        different: count.different,
        first: count.first,
        places: (times > 1).then(|| count.places.iter().map(place).collect()),
    };
    named_json_line(out, "result", &result)
}
