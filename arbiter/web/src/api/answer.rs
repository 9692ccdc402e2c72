//! Routes and answers of the interface: JSON, or the reason why there is none.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use serde_json::{Value, json};
use thiserror::Error;

use super::cors::refused;
use crate::delta::{self, CacheTime};
use crate::published_log::NoArchive;
use crate::reviewing::ReviewUnavailable;
use crate::tournament::{GameReviewError, ReportTextError};

/// A path below [`ROOT`](super::cors::ROOT), and its answer.
pub(super) type ApiRoute<S> = (&'static str, MethodRouter<Arc<S>>);

/// The time after which a program asks again, in seconds.
const AGAIN: &str = "1";

/// The reason why there is no answer; one line.
#[derive(Debug, Error)]
pub(super) enum ApiError {
    /// The request is wrong.
    #[error("{0}")]
    Wrong(String),
    /// There is nothing at this address.
    #[error("{0}")]
    Missing(String),
    /// There may be something soon.
    #[error("{0}")]
    NotYet(String),
    /// A log is not in order.
    #[error("{0}")]
    Broken(String),
}

pub(super) fn routes<S: Send + Sync + 'static>(
    all: impl IntoIterator<Item = ApiRoute<S>>,
    state: Arc<S>,
) -> Router {
    let add = |router: Router<Arc<S>>, (path, route)| router.route(path, route);
    all.into_iter().fold(Router::new(), add).with_state(state)
}

/// The first answer: the kind of a source with further keys, and the ways to these lists from there.
pub(super) fn root_answer(kind: &str, keys: Value, lists: &[&str]) -> Value {
    let links = ["openapi.json"].iter().chain(lists);
    let links: serde_json::Map<String, Value> = links
        .map(|link| (link.trim_end_matches(".json").to_owned(), json!(link)))
        .chain([("pages".to_owned(), json!("../../"))])
        .collect();
    let mut told = json!({
        "api": "v1",
        "program": env!("CARGO_PKG_VERSION"),
        "kind": kind,
        "links": links,
    });
    if let (Value::Object(told), Value::Object(keys)) = (&mut told, keys) {
        told.extend(keys);
    }
    told
}

/// Sends an answer to a program that may have it, or says why there is none.
pub(super) fn answered(asked: &HeaderMap, answer: Result<Bytes, ApiError>) -> Response {
    match answer {
        Ok(text) => delta::text(asked, "application/json", text, CacheTime::Asked),
        Err(why) => why.into_response(),
    }
}

pub(super) fn text(value: &Value) -> String {
    format!("{value}\n")
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = match &self {
            ApiError::Wrong(_) => StatusCode::BAD_REQUEST,
            ApiError::Missing(_) => StatusCode::NOT_FOUND,
            ApiError::NotYet(_) => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let answer = refused(status, &self.to_string());
        match self {
            ApiError::NotYet(_) => ([(header::RETRY_AFTER, AGAIN)], answer).into_response(),
            _ => answer,
        }
    }
}

impl From<NoArchive> for ApiError {
    fn from(why: NoArchive) -> ApiError {
        match why {
            NoArchive::NotOffered | NoArchive::Texts(_) => ApiError::Missing(why.to_string()),
            NoArchive::Busy => ApiError::NotYet(why.to_string()),
            NoArchive::Unreadable(_) => ApiError::Broken(why.to_string()),
        }
    }
}

impl From<ReportTextError> for ApiError {
    fn from(why: ReportTextError) -> ApiError {
        match why {
            ReportTextError::Nothing(problem) if problem.is_empty() => {
                ApiError::Missing("nothing was played yet".to_owned())
            }
            ReportTextError::Nothing(problem) => ApiError::Missing(problem),
            ReportTextError::Wrong(problem) => ApiError::Broken(problem),
        }
    }
}

impl From<GameReviewError> for ApiError {
    fn from(why: GameReviewError) -> ApiError {
        match why {
            GameReviewError::Wrong(problem)
            | GameReviewError::NotNow(ReviewUnavailable::Failed(problem)) => {
                ApiError::Broken(problem)
            }
            GameReviewError::NotNow(busy @ ReviewUnavailable::Busy) => {
                ApiError::NotYet(busy.to_string())
            }
        }
    }
}
