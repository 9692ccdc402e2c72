//! How the comparison of answers is shown.

use std::io::{self, Write};

use rules::text::printable;
use rules::{Escaped, Measured, Verdict};
use serde::Serialize;

use super::Compared;
use crate::report::abridged::cut;

/// Whoever tells of answers that were compared.
pub trait Report {
    /// Tells of one.
    ///
    /// # Errors
    ///
    /// Fails where it cannot be written.
    fn compared(&mut self, compared: &Compared<'_>) -> io::Result<()>;
}

/// A line for people for every answer, or for those that differ alone.
pub struct TextReport<'a> {
    /// Where it is written.
    pub out: &'a mut dyn Write,
    /// Which answers are told.
    pub told: Told,
}

/// Which answers are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// All of them.
    All,
    /// Those that are not as they were.
    Differences,
}

impl Report for TextReport<'_> {
    fn compared(&mut self, compared: &Compared<'_>) -> io::Result<()> {
        let ((logged, then), (now, measured)) = (compared.logged, compared.now);
        let same = compared.are_same();
        if same && self.told == Told::Differences {
            return Ok(());
        }
        let moment = compared.moment;
        let chance = match moment.retry {
            0 => String::new(),
            retry => format!(", second chance {retry}"),
        };
        let place = format!(
            "game {}, move {}{chance}, seat {} {}",
            compared.game, moment.number, moment.seat, compared.name
        );
        let now_told = answer(&now.reply, now.ruling.verdict, &now.ruling.detail);
        let times = format!("{:.1} ms, logged {:.1} ms", measured.ms, then.ms);
        if same {
            return writeln!(self.out, "{place}: same, {now_told} in {times}");
        }
        let logged_told = answer(&logged.reply, logged.verdict, &logged.detail);
        writeln!(self.out, "{place}: DIFFERENT in {times}")?;
        writeln!(self.out, "  logged  {logged_told}")?;
        writeln!(self.out, "  now     {now_told}")
    }
}

fn answer(reply: &Escaped, verdict: Verdict, detail: &str) -> String {
    let reply = if reply.0.is_empty() { "nothing".to_owned() } else { format!("`{reply}`") };
    match detail {
        "" => format!("{} {verdict}", cut(&reply)),
        detail => format!("{} {verdict} ({})", cut(&reply), printable(detail)),
    }
}

/// A line of JSON for every answer.
pub struct JsonReport<'a>(pub &'a mut dyn Write);

#[derive(Serialize)]
struct JsonAnswer<'a> {
    reply: &'a Escaped,
    verdict: Verdict,
    detail: &'a str,
    ms: f64,
    cpu_ms: Option<f64>,
}

#[derive(Serialize)]
struct JsonCompared<'a> {
    game: u64,
    #[serde(rename = "move")]
    number: u32,
    retry: u32,
    seat: rules::Seat,
    name: &'a str,
    same: bool,
    logged: JsonAnswer<'a>,
    now: JsonAnswer<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonLine<'a> {
    Answer(JsonCompared<'a>),
}

impl Report for JsonReport<'_> {
    fn compared(&mut self, compared: &Compared<'_>) -> io::Result<()> {
        let ((logged, then), (now, measured)) = (compared.logged, compared.now);
        let json = |reply, verdict, detail, measured: &Measured| JsonAnswer {
            reply,
            verdict,
            detail,
            ms: measured.ms,
            cpu_ms: measured.cpu_ms,
        };
        let line = JsonLine::Answer(JsonCompared {
            game: compared.game,
            number: compared.moment.number,
            retry: compared.moment.retry,
            seat: compared.moment.seat,
            name: compared.name,
            same: compared.are_same(),
            logged: json(&logged.reply, logged.verdict, &logged.detail, then),
            now: json(&now.reply, now.ruling.verdict, &now.ruling.detail, measured),
        });
        serde_json::to_writer(&mut *self.0, &line)?;
        writeln!(self.0)
    }
}
