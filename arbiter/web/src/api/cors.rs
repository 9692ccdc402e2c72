//! Pages of other sites may read the interface, and nothing else.
//!
//! The answers carry no secret and depend on no cookie, so any origin may read them; browsers then send no cookie, and
//! hide each other answer of this server from scripts of other sites. A server for this machine alone shares nothing.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use text::shell::without_folders;

/// The place of all routes. Its end is the version.
pub(super) const ROOT: &str = "/api/v1/";
/// The place of the interface, from the root of a source.
const PLACE: &str = "/api/";
/// The time for which a browser keeps the answer to a preflight, in seconds.
const KEPT: &str = "86400";

/// Marks an answer that pages of other sites may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CrossOriginMarker;

/// Lets pages of other sites read what lies below `/api/`, and gives each refusal there as JSON.
pub(crate) async fn shared(request: Request, next: Next) -> Response {
    if !is_interface(request.uri().path()) {
        return next.run(request).await;
    }
    let mut response = match *request.method() {
        Method::OPTIONS => preflight(),
        _ => as_json(next.run(request).await),
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag"));
    response.extensions_mut().insert(CrossOriginMarker);
    response
}

/// Takes back that pages of other sites may read an answer.
pub(crate) fn unshare(headers: &mut HeaderMap) {
    headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    headers.remove(header::ACCESS_CONTROL_EXPOSE_HEADERS);
}

/// Returns true for a path of the interface, from the root of a source.
pub(crate) fn is_interface(path: &str) -> bool {
    path.starts_with(PLACE)
}

/// Returns true if a path may be one of the interface, of a source that has a name in front or none.
pub(crate) fn may_be_interface(path: &str) -> bool {
    path.contains(ROOT)
}

/// The answer for an address that does not exist.
pub(super) fn missing() -> Response {
    refused(StatusCode::NOT_FOUND, "unknown endpoint: see `openapi.json`")
}

/// Says to a browser what a page of another site may ask for.
fn preflight() -> Response {
    let told = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "if-none-match"),
        (header::ACCESS_CONTROL_MAX_AGE, KEPT),
    ];
    (StatusCode::NO_CONTENT, told).into_response()
}

/// A refusal that is no JSON, such as a page, as JSON.
pub(crate) fn as_json(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || kind.is_some_and(|kind| kind == "application/json") {
        return response;
    }
    let refusal = match status {
        StatusCode::NOT_FOUND => missing(),
        StatusCode::METHOD_NOT_ALLOWED => refused(status, "read-only: use GET or HEAD"),
        StatusCode::GONE => refused(status, "this league or tournament was removed"),
        StatusCode::SERVICE_UNAVAILABLE => {
            refused(status, "not ready: retry after the number of seconds in `retry-after`")
        }
        _ => refused(status, &status.canonical_reason().unwrap_or("request failed").to_lowercase()),
    };
    (without_body_headers(response.headers()), refusal).into_response()
}

/// The headers that do not belong to the body.
fn without_body_headers(headers: &HeaderMap) -> HeaderMap {
    let own = [header::CONTENT_TYPE, header::CONTENT_LENGTH];
    let is_kept = |(name, _): &(&HeaderName, &HeaderValue)| !own.contains(name);
    headers.iter().filter(is_kept).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// An answer without a value, in one line and without the folders of this machine.
pub(super) fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": without_folders(why) }))).into_response()
}
