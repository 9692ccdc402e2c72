//! Answers: a page for browsers, JSON for programs.

use std::fmt::Display;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use text::printable;

use crate::guest::wants_page;
use crate::page;
use crate::rates::TooOften;
use contest::calendar::length;
use league::entry::queue::Standing;
use league::faults::FaultReport;
use league::submissions::{Brief, BriefVerdict, Submission, Verdict};
use text::terminal::say;

/// A request that is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    why: String,
    /// The seconds until another try is of use.
    retry_after: Option<u64>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, why: impl Into<String>) -> Refusal {
        Refusal { status, why: why.into(), retry_after: None }
    }

    /// A refusal that may not hold later.
    pub(crate) fn later(status: StatusCode, why: impl Into<String>, seconds: u64) -> Refusal {
        Refusal { retry_after: Some(seconds), ..Refusal::new(status, why) }
    }

    /// Returns true if the client was too slow.
    pub(crate) fn is_timeout(&self) -> bool {
        self.status == StatusCode::REQUEST_TIMEOUT
    }

    /// Returns true if the client has shown no valid token.
    pub(crate) fn is_unauthorised(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// A failure of the machine, which is no affair of the client: only the organiser learns the reason.
    pub(crate) fn ours(problem: &dyn Display) -> Refusal {
        say(format!("warning: handing in: {}", printable(&problem.to_string())));
        let why = "server error (not your fault): try again later";
        Refusal::later(StatusCode::INTERNAL_SERVER_ERROR, why, 30)
    }

    /// The refusal as the client reads it.
    pub(crate) fn told(self, headers: &HeaderMap) -> Response {
        let Refusal { status, why, retry_after } = self;
        let mut response = match wants_page(headers) {
            true => page::message(status, "Request failed", &why),
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
        let why = format!("too many requests: try again in {seconds} s");
        Refusal::later(StatusCode::TOO_MANY_REQUESTS, why, seconds as u64)
    }
}

/// A fault, for the participant whose bot made it.
pub(crate) fn fault(fault: &FaultReport) -> Value {
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

/// A line of JSON. `<` is escaped, so it is no HTML even for a reader that takes it for some.
pub(crate) fn as_json(status: StatusCode, value: &Value) -> Response {
    let kind = (header::CONTENT_TYPE, "application/json");
    (status, [kind], format!("{value}\n").replace('<', "\\u003c")).into_response()
}

/// The public part of a submission.
pub(crate) fn public(submission: &Brief, standing: Standing) -> Value {
    let mut told = told(&submission.participant, &submission.verdict);
    if let Standing::Checking { .. } = standing {
        told["verdict"] = json!("checking");
    }
    told
}

fn told(participant: &str, verdict: &BriefVerdict) -> Value {
    match verdict {
        BriefVerdict::Waiting => json!({ "participant": participant, "verdict": "waiting" }),
        BriefVerdict::Late => json!({ "participant": participant, "verdict": "late" }),
        BriefVerdict::Entered(bot) => {
            json!({ "participant": participant, "verdict": "entered", "bot": bot.to_string() })
        }
        BriefVerdict::Refused(step) => {
            json!({ "participant": participant, "verdict": "refused", "step": step })
        }
    }
}

/// What a participant learns of a late submission.
pub(crate) fn late(seconds: u64) -> String {
    format!("{} late: stored, and enters only if the organiser accepts it", length(seconds))
}

/// The part of a submission that its participant may know, without the report.
pub(crate) fn own(submission: &Submission, standing: Standing) -> Value {
    let Submission { participant, number, record } = submission;
    let mut told = told(participant, &BriefVerdict::from(&record.verdict));
    told["number"] = json!(number);
    told["file"] = json!(record.file);
    told["received"] = json!(record.received);
    match (&record.verdict, standing) {
        (Verdict::Waiting, Standing::Checking { place, of }) => {
            told["verdict"] = json!("checking");
            (told["place"], told["waiting"]) = (json!(place), json!(of));
        }
        (Verdict::Waiting, Standing::Waits { place, of }) => {
            (told["place"], told["waiting"]) = (json!(place), json!(of));
        }
        (Verdict::Refused { why, .. }, _) => told["why"] = json!(why),
        (Verdict::Late(seconds), _) => told["why"] = json!(late(*seconds)),
        (Verdict::Waiting, Standing::Decided) | (Verdict::Entered(_), _) => {}
    }
    told
}
