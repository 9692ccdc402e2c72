//! Answers: a page for browsers, JSON for programs.

use std::fmt::Display;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rules::text::printable;
use serde_json::{Value, json};

use crate::league::faults::ToldFault;
use crate::league::submissions::{Submission, Verdict};
use crate::serve::guest::wants_page;
use crate::serve::page;
use crate::serve::rates::TooOften;
use crate::text::notice::say;

/// Something that was not done, and why.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    why: String,
    /// How long it is until another try is of use, in seconds.
    retry_after: Option<u64>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, why: impl Into<String>) -> Refusal {
        Refusal { status, why: why.into(), retry_after: None }
    }

    /// It is of use later.
    pub(super) fn later(status: StatusCode, why: impl Into<String>, seconds: u64) -> Refusal {
        Refusal { retry_after: Some(seconds), ..Refusal::new(status, why) }
    }

    /// The machine has failed, which is no affair of the client: only the organiser learns why.
    pub(super) fn ours(problem: &dyn Display) -> Refusal {
        say(format!("warning: handing in: {}", printable(&problem.to_string())));
        let why = "the server has failed, which is no fault of yours: try again later";
        Refusal::later(StatusCode::INTERNAL_SERVER_ERROR, why, 30)
    }

    /// As the client reads it.
    pub(super) fn told(self, headers: &HeaderMap) -> Response {
        let Refusal { status, why, retry_after } = self;
        let mut response = match wants_page(headers) {
            true => page::message(status, "This was not done", &why),
            false => as_json(status, &json!({ "error": why })),
        };
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

impl From<TooOften> for Refusal {
    fn from(problem: TooOften) -> Refusal {
        let seconds = problem.wait.as_millis().div_ceil(1_000).max(1);
        let why = format!("too many requests, try again in {seconds} s");
        Refusal::later(StatusCode::TOO_MANY_REQUESTS, why, seconds as u64)
    }
}

/// A fault, for the participant whose bot made it.
pub(super) fn fault(fault: &ToldFault) -> Value {
    json!({
        "bot": fault.bot,
        "round": fault.round,
        "game": fault.game,
        "verdict": fault.verdict,
        "detail": fault.detail,
        "printed": fault.printed,
        "stderr": String::from_utf8_lossy(&fault.stderr),
    })
}

/// A line of JSON, which is no HTML either, even if something reads it as such: `<` stands in texts alone.
pub(super) fn as_json(status: StatusCode, value: &Value) -> Response {
    let kind = (header::CONTENT_TYPE, "application/json");
    (status, [kind], format!("{value}\n").replace('<', "\\u003c")).into_response()
}

/// What everyone may know of a submission.
pub(super) fn public(submission: &Submission) -> Value {
    let name = &submission.participant;
    match &submission.record.verdict {
        Verdict::Waiting => json!({ "participant": name, "verdict": "waiting" }),
        Verdict::Entered(bot) => {
            json!({ "participant": name, "verdict": "entered", "bot": bot.to_string() })
        }
        Verdict::Refused { step, .. } => {
            json!({ "participant": name, "verdict": "refused", "step": step })
        }
    }
}

/// What the participant may know of a submission, without its report.
pub(super) fn own(submission: &Submission, is_at_work: bool) -> Value {
    let mut told = public(submission);
    if let Value::Object(keys) = &mut told {
        keys.insert("number".to_owned(), json!(submission.number));
        keys.insert("file".to_owned(), json!(submission.record.file));
        keys.insert("received".to_owned(), json!(submission.record.received));
        match &submission.record.verdict {
            Verdict::Waiting if is_at_work => {
                keys.insert("verdict".to_owned(), json!("checking"));
            }
            Verdict::Refused { why, .. } => {
                keys.insert("why".to_owned(), json!(why));
            }
            Verdict::Waiting | Verdict::Entered(_) => {}
        }
    }
    told
}
