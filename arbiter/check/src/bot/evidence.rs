//! Evidence of a wrong answer, for the author of a bot.

use std::borrow::Cow;

use rules::dialect::Reading;
use rules::{Answer, Cause, Dialect, Escaped, Prompt, Ruling, Sample, Stop, Verdict};

use crate::bot::asking::{Check, Exchange, Hints};
use crate::bot::step::{Step, StepName};
use crate::step::Evidence;
use ::bot::Contender;
use ::bot::advice::SeenFault;
use ::bot::sandboxed::{hint, hint_for_author};
use sandbox::Limits;
use sandbox::launchers::{Launcher, UNORDERED};

/// Number of legal moves that an expectation names.
const NAMED: usize = 5;

/// Longest answer in a note, in characters.
const TOLD: usize = 40;

/// Makes the step of a wrong answer.
pub(super) fn fault(
    name: &StepName,
    place: &str,
    (exchange, ruling): (&Exchange, &Ruling),
    sample: Option<&Sample>,
    check: &Check<'_>,
) -> Step {
    let mut evidence = evidence(expected(ruling, sample, check.limits()), exchange);
    let dialect = match exchange.prompt {
        Prompt::Request(_) => Dialect::Native,
        Prompt::Classic { .. } => Dialect::Classic(Reading::Strict),
    };
    let (printed, stderr) = (&evidence.stdout.0, &evidence.stderr.0);
    let cause = ruling.cause();
    let seen =
        SeenFault { verdict: ruling.verdict, dialect, printed, stderr, cause: cause.as_ref() };
    // Pitfalls are in the bot's own files, so its author learns them even where the machine stays hidden.
    let pitfall = check.contender.pitfalls.hint(seen.stderr).map(Cow::Owned);
    evidence.hint = pitfall.or_else(|| match &check.hints {
        Hints::User(sandboxed) => hint(Some(sandboxed.as_ref()), seen),
        Hints::Author(barriers) => hint_for_author(*barriers, seen).map(Cow::Borrowed),
    });
    let note = format!("{place}{}: {}", ruling.verdict, ruling.detail);
    Step::failed(name, note, Some(evidence)).taking(exchange.measured.ms)
}

/// Makes the step of an answer that is legal, but not the expected one.
pub(super) fn mismatch_step(
    name: &StepName,
    note: String,
    exchange: &Exchange,
    expected: &str,
) -> Step {
    let evidence = evidence(format!("`{}`, as before", shortened(expected)), exchange);
    Step::failed(name, note, Some(evidence)).taking(exchange.measured.ms)
}

/// Asks for the likely reason why a bot does not repeat its answer.
pub(super) fn why_not_repeated(contender: &Contender) -> String {
    let launcher = contender.kind.and_then(Launcher::named);
    let order = launcher.map_or(UNORDERED, |launcher| launcher.unordered);
    format!("is it random numbers without the `seed` of the request, a clock, or {order}?")
}

/// Cuts an answer for a note.
pub(super) fn shortened(answer: &str) -> String {
    let mut text: String = answer.chars().take(TOLD).collect();
    if text.len() < answer.len() {
        text.push('…');
    }
    text
}

fn evidence(expected: String, exchange: &Exchange) -> Evidence {
    let request = match &exchange.prompt {
        Prompt::Request(request) => request.clone(),
        Prompt::Classic { file, arguments } => {
            // A line without a value is just its key.
            let blank = if file.is_empty() { "" } else { " " };
            let file = Escaped(file.clone().into_bytes());
            let arguments = Escaped(arguments.join(" ").into_bytes());
            format!("file{blank}{file}\narguments {arguments}\n")
        }
    };
    let file = match &exchange.answer {
        Answer::Classic { file, .. } => Some(Escaped(file.clone())),
        Answer::Output(_) | Answer::Stopped { .. } | Answer::Void(_) => None,
    };
    let (stdout, stderr) = (exchange.output(), Escaped(exchange.measured.stderr.bytes().to_vec()));
    Evidence { expected, request: Some(request), file, stdout, stderr, hint: None }
}

/// Says what would have been right.
fn expected(ruling: &Ruling, sample: Option<&Sample>, limits: &Limits) -> String {
    match ruling.verdict {
        Verdict::Timeout if matches!(ruling.cause(), Some(Cause::Stopped(Stop::NoLine(_)))) => {
            format!("a line within {} ms", limits.time.as_millis())
        }
        Verdict::Timeout if matches!(ruling.cause(), Some(Cause::Stopped(Stop::GameTime(_)))) => {
            "all answers of the game within its time bank".to_owned()
        }
        Verdict::Timeout => {
            let time = limits.time.as_millis();
            format!("an answer and an exit with code 0 within {time} ms")
        }
        Verdict::Crash => "an answer and an exit with code 0".to_owned(),
        Verdict::OutputLimit => format!("at most {} bytes of output", limits.answer_bytes),
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
