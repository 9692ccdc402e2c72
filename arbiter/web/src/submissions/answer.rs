//! Answers: a page for browsers, JSON for programs.

use std::convert::Infallible;
use std::fmt::Display;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use text::printable;

use crate::client_address::wants_page;
use crate::page;
use crate::rate_limits::RateLimitExceeded;
use league::calendar::length;
use league::entry::queue::QueuePosition;
use league::refusal::{Refusal, RefusalKind};
use league::submissions::{Submission, SubmissionSummary, SubmissionVerdict, SummaryVerdict};
use text::terminal::say;

/// Seconds after which a full disk may have room again.
const NO_DISK: u64 = 300;

/// Who reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerFormat {
    /// A browser.
    Page,
    /// A program.
    Json,
}

impl<S: Sync> FromRequestParts<S> for AnswerFormat {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<AnswerFormat, Infallible> {
        Ok(if wants_page(&parts.headers) { AnswerFormat::Page } else { AnswerFormat::Json })
    }
}

/// A request that is refused. Handlers return it as an error, and [`write_refusals`] writes it for its reader.
#[derive(Debug, Clone)]
pub(crate) struct RefusedRequest {
    pub(crate) status: StatusCode,
    /// The reason, in one line.
    pub(crate) why: String,
    /// The seconds until another try is of use.
    retry_after: Option<u64>,
}

impl RefusedRequest {
    pub(crate) fn new(status: StatusCode, why: impl Into<String>) -> RefusedRequest {
        RefusedRequest { status, why: why.into(), retry_after: None }
    }

    /// A refusal that may not hold later.
    pub(crate) fn later(
        status: StatusCode,
        why: impl Into<String>,
        seconds: u64,
    ) -> RefusedRequest {
        RefusedRequest { retry_after: Some(seconds), ..RefusedRequest::new(status, why) }
    }

    /// A failure of the machine, which is no affair of the client: only the organiser learns the reason.
    pub(crate) fn ours(problem: impl Display) -> RefusedRequest {
        say(format!("warning: request failed: {}", printable(&problem.to_string())));
        let why = "server error (not your fault): try again later";
        RefusedRequest::later(StatusCode::INTERNAL_SERVER_ERROR, why, 30)
    }

    fn written(self, format: AnswerFormat) -> Response {
        let RefusedRequest { status, why, retry_after } = self;
        let mut response = match format {
            AnswerFormat::Page => page::message(status, "Request failed", &why),
            AnswerFormat::Json => as_json(status, &json!({ "error": why })),
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

/// Only the status is sent by a router without the layer [`write_refusals`].
impl IntoResponse for RefusedRequest {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes the refusal of a request, where it was refused.
pub(crate) async fn write_refusals(format: AnswerFormat, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<RefusedRequest>() {
        Some(refusal) => refusal.written(format),
        None => response,
    }
}

impl From<Refusal> for RefusedRequest {
    fn from(refusal: Refusal) -> RefusedRequest {
        let (kind, why) = match refusal {
            Refusal::Request { kind, message } => (kind, message),
            Refusal::Failed(failure) => return RefusedRequest::ours(failure),
        };
        let (status, retry_after) = match kind {
            RefusalKind::Invalid => (StatusCode::BAD_REQUEST, None),
            RefusalKind::Unauthorised => (StatusCode::UNAUTHORIZED, None),
            RefusalKind::Forbidden | RefusalKind::Closed => (StatusCode::FORBIDDEN, None),
            RefusalKind::Missing => (StatusCode::NOT_FOUND, None),
            RefusalKind::Conflict => (StatusCode::CONFLICT, None),
            RefusalKind::DailyLimit { wait } => (StatusCode::TOO_MANY_REQUESTS, Some(wait)),
            RefusalKind::Busy { wait } => (StatusCode::SERVICE_UNAVAILABLE, Some(wait)),
            RefusalKind::NoDisk => (StatusCode::SERVICE_UNAVAILABLE, Some(NO_DISK)),
        };
        RefusedRequest { status, why, retry_after }
    }
}

impl From<RateLimitExceeded> for RefusedRequest {
    fn from(problem: RateLimitExceeded) -> RefusedRequest {
        let seconds = problem.wait.as_millis().div_ceil(1_000).max(1);
        let why = format!("too many requests: try again in {seconds} s");
        RefusedRequest::later(StatusCode::TOO_MANY_REQUESTS, why, seconds as u64)
    }
}

/// The refusal of the file of a submission that was removed.
pub(super) fn not_stored() -> RefusedRequest {
    let why = "the file of this submission is no longer stored";
    RefusedRequest::new(StatusCode::NOT_FOUND, why)
}

/// A line of JSON. `<` is escaped, so it is no HTML even for a reader that takes it for some.
pub(crate) fn as_json(status: StatusCode, value: &Value) -> Response {
    let kind = (header::CONTENT_TYPE, "application/json");
    (status, [kind], format!("{value}\n").replace('<', "\\u003c")).into_response()
}

/// The public part of a submission.
pub(crate) fn public_json(submission: &SubmissionSummary, standing: QueuePosition) -> Value {
    let mut told = summary_json(&submission.participant, &submission.verdict);
    told["received"] = json!(submission.received);
    if let QueuePosition::Checking { .. } = standing {
        told["verdict"] = json!("checking");
    }
    told
}

fn summary_json(participant: &str, verdict: &SummaryVerdict) -> Value {
    match verdict {
        SummaryVerdict::Waiting => json!({ "participant": participant, "verdict": "waiting" }),
        SummaryVerdict::Late => json!({ "participant": participant, "verdict": "late" }),
        SummaryVerdict::Entered(bot) => {
            json!({ "participant": participant, "verdict": "entered", "bot": bot.to_string() })
        }
        SummaryVerdict::Replaced => json!({ "participant": participant, "verdict": "replaced" }),
        SummaryVerdict::Withdrawn => json!({ "participant": participant, "verdict": "withdrawn" }),
        SummaryVerdict::Refused(step) => {
            json!({ "participant": participant, "verdict": "refused", "step": step })
        }
    }
}

/// What a participant learns of a late submission.
pub(crate) fn lateness_text(seconds: u64) -> String {
    format!("{} late: stored, and enters only if the organiser accepts it", length(seconds))
}

/// The part of a submission that its participant may know, without the report.
pub(crate) fn submission_json(submission: &Submission, standing: QueuePosition) -> Value {
    let Submission { participant, number, record } = submission;
    let mut told = summary_json(participant, &SummaryVerdict::from(&record.verdict));
    told["number"] = json!(number);
    (told["file"], told["member"]) = (json!(record.file), json!(record.member));
    told["received"] = json!(record.received);
    match (&record.verdict, standing) {
        (SubmissionVerdict::Waiting, QueuePosition::Checking { place, of }) => {
            told["verdict"] = json!("checking");
            (told["place"], told["waiting"]) = (json!(place), json!(of));
        }
        (SubmissionVerdict::Waiting, QueuePosition::Waits { place, of }) => {
            (told["place"], told["waiting"]) = (json!(place), json!(of));
        }
        (SubmissionVerdict::Refused { why, .. }, _) => told["why"] = json!(why),
        (SubmissionVerdict::Late(seconds), _) => told["why"] = json!(lateness_text(*seconds)),
        (SubmissionVerdict::Replaced(by), _) => told["by"] = json!(by),
        (SubmissionVerdict::Waiting, QueuePosition::Decided)
        | (SubmissionVerdict::Entered(_) | SubmissionVerdict::Withdrawn, _) => {}
    }
    told
}

/// Reads or writes files in a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RefusedRequest> + Send + 'static,
) -> Result<T, RefusedRequest> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|it| Err(RefusedRequest::ours(it)))
}
