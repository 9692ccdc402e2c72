//! From an answer that is wrong to what its author should see.

use rules::{Escaped, Ruling, Sample, Verdict};

use crate::check::asking::Exchange;
use crate::check::{Evidence, Step};
use crate::process::Limits;

/// How many legal moves an expectation names.
const NAMED: usize = 5;

/// How much of an answer a note tells, in characters.
const TOLD: usize = 40;

/// A step in which an answer was wrong.
pub(super) fn fault(
    name: &str,
    place: &str,
    (exchange, ruling): (&Exchange, &Ruling),
    sample: Option<&Sample>,
    limits: &Limits,
) -> Step {
    let evidence = evidence(expected(ruling.verdict, sample, limits), exchange);
    let note = format!("{place}{}: {}", ruling.verdict, ruling.detail);
    Step::failed(name, note, Some(evidence)).taking(exchange.observed.wall)
}

/// A step in which another answer was expected, though this one is legal.
pub(super) fn unlike(name: &str, note: String, exchange: &Exchange, expected: &str) -> Step {
    let evidence = evidence(format!("`{}`, as before", shortened(expected)), exchange);
    Step::failed(name, note, Some(evidence)).taking(exchange.observed.wall)
}

/// An answer in a note: not too long.
pub(super) fn shortened(answer: &str) -> String {
    let mut text: String = answer.chars().take(TOLD).collect();
    if text.len() < answer.len() {
        text.push('…');
    }
    text
}

fn evidence(expected: String, exchange: &Exchange) -> Evidence {
    Evidence {
        expected,
        request: Some(exchange.request()),
        stdout: Escaped(exchange.observed.stdout.clone()),
        stderr: Escaped(exchange.observed.stderr.clone()),
    }
}

/// What would have been right.
fn expected(verdict: Verdict, sample: Option<&Sample>, limits: &Limits) -> String {
    match verdict {
        Verdict::Timeout => {
            let time = limits.time.as_millis();
            format!("one line and an exit with code 0 within {time} ms")
        }
        Verdict::Crash => "one line and an exit with code 0".to_owned(),
        Verdict::OutputLimit => format!("one line of at most {} bytes", limits.answer_bytes),
        Verdict::Memory => format!("at most {} bytes of memory", limits.memory),
        Verdict::StartFailed => "a program that starts".to_owned(),
        Verdict::Illegal | Verdict::Malformed | Verdict::NoAnswer | Verdict::Ok | Verdict::Void => {
            sample.map_or_else(|| "a legal move".to_owned(), one_of)
        }
    }
}

fn one_of(sample: &Sample) -> String {
    let legal = sample.legal();
    let named: Vec<&str> = legal.iter().take(NAMED).map(String::as_str).collect();
    let more = if legal.len() > NAMED { ", …" } else { "" };
    match legal.len() {
        1 => format!("the only legal move: {}", named.join(", ")),
        count => format!("one of {count} listed moves: {}{more}", named.join(", ")),
    }
}
